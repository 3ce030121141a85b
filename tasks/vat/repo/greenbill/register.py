"""A folder of invoices, one line for each."""

from greenbill.lines import LineError, read_lines

ENDING = ".txt"


def register(folder):
    """One line for each invoice in the folder, by number; an invoice that cannot be read says why."""
    files = sorted(path for path in folder.iterdir() if path.suffix == ENDING)
    return "".join(f"{path.stem}: {described(path)}\n" for path in files)


def described(path):
    try:
        lines = read_lines(path.read_text(encoding="utf-8"))
    except LineError as error:
        return str(error)
    sold = sum(1 for line in lines if not line.is_credit)
    rates = sorted({line.rate for line in lines}, key=float)
    parts = [counted(sold, "item"), counted(len(lines) - sold, "credit")]
    return ", ".join(part for part in parts if part) + f" at {', '.join(rates)} %" if lines else "empty"


def counted(number, word):
    if number == 0:
        return ""
    return f"1 {word}" if number == 1 else f"{number} {word}s"
