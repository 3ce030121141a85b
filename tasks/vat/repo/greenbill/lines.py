"""Reading the file of an invoice."""

import re
from dataclasses import dataclass

ITEM, CREDIT = "item", "credit"
DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")


class LineError(ValueError):
    """A line that is no position."""

    def __init__(self, number, reason):
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


@dataclass(frozen=True)
class Line:
    """One position. The numbers are kept as they were written."""

    kind: str
    text: str
    quantity: str
    price: str
    rate: str

    @property
    def is_credit(self):
        return self.kind == CREDIT


def read_lines(text):
    """Return the positions of an invoice. Raises LineError for the first line that is none."""
    lines = []
    for number, raw in enumerate(text.split("\n"), start=1):
        stripped = raw.strip()
        if stripped and not stripped.startswith("#"):
            lines.append(read_line(number, stripped))
    return lines


def read_line(number, raw):
    fields = [field.strip() for field in raw.split(";")]
    if len(fields) != 5:
        raise LineError(number, "not a kind, a text, a quantity, a price and a rate")
    line = Line(*fields)
    if line.kind not in (ITEM, CREDIT):
        raise LineError(number, f"neither {ITEM} nor {CREDIT}: {line.kind}")
    for value in (line.quantity, line.price, line.rate):
        if not DECIMAL.fullmatch(value):
            raise LineError(number, f"not a decimal number: {value}")
    return line
