"""The invoice on paper, and the rows for the bookkeeping."""

from greenbill.amounts import written
from greenbill.totals import line_amounts, totals

TEXT_WIDTH = 28
RULE = "-" * 66


def invoice(lines):
    """The whole invoice as text."""
    parts = [heading(), RULE]
    parts += [position(line) for line in lines]
    parts.append(RULE)
    parts += [total_line(rate, amounts) for rate, amounts in totals(lines).items()]
    return "".join(part + "\n" for part in parts)


def heading():
    return f"{'':<{TEXT_WIDTH}}{'quantity':>9}{'price':>9}{'net':>10}{'VAT':>10}"


def position(line):
    net, vat = line_amounts(line)
    text = line.text[:TEXT_WIDTH]
    return f"{text:<{TEXT_WIDTH}}{line.quantity:>9}{line.price:>9}{written(net):>10}{written(vat):>10}"


def total_line(rate, amounts):
    label = f"at {rate} %: {amounts['gross']}"
    return f"{label:<{TEXT_WIDTH + 18}}{amounts['net']:>10}{amounts['vat']:>10}"


def booking_rows(lines, invoice_number):
    """One row for each rate, the way the bookkeeping imports them."""
    return "".join(
        f"{invoice_number};{rate};{amounts['net']};{amounts['vat']};{amounts['gross']}\n"
        for rate, amounts in totals(lines).items()
    )
