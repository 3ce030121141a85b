"""The families table of README.md, made from the manifests.

python docs/families.py           prints the table
python docs/families.py --write   puts it into README.md, between its two markers
"""

import sys
from pathlib import Path

from inspect_agentbench.bank import FIX_KINDS, Bank, Family, data_root, load_bank

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN = "<!-- families: made by docs/families.py -->"
END = "<!-- end of families -->"
_HEAD = ("family", "what it is about", "variants", "trials", "known fixes")


def families_table(bank: Bank) -> str:
    """A Markdown table with one row for each family."""
    rows = [_HEAD, ("---",) * len(_HEAD), *(_row(family) for family in bank.families.values())]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(family: Family) -> tuple[str, ...]:
    fixes = ", ".join(f"{len(family.fixes(kind))} {kind}" for kind in FIX_KINDS)
    variants = ", ".join(_variant(family, name) for name in family.variants)
    return (f"`{family.id}`", family.manifest.title, variants, str(family.oracle.trials), fixes)


def _variant(family: Family, name: str) -> str:
    """The variant's name and label, the default one in bold."""
    shown = f"`{name}` ({family.variants[name].label})"
    return f"**{shown}**" if name == family.manifest.default_variant else shown


def current_table(text: str) -> str:
    """What stands between the markers of a README."""
    return text.split(BEGIN)[1].split(END)[0].strip()


def with_table(text: str, table: str) -> str:
    """The README's text with that table between its markers."""
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> None:
    """Print the table, or write it."""
    table = families_table(load_bank(data_root()))
    if sys.argv[1:] == ["--write"]:
        README.write_text(with_table(README.read_text(encoding="utf-8"), table), encoding="utf-8")
    else:
        print(table)


if __name__ == "__main__":
    main()
