"""The tables of families in README.md and docs/bank.md, made from the bank and what was recorded of it.

python docs/families.py           prints them
python docs/families.py --write   puts them into the two documents, between their markers
"""

import sys
from pathlib import Path

from inspect_agentbench.bank import FIX_KINDS, Bank, Family, data_root, load_bank
from inspect_agentbench.gate.report import REPORT_NAME, FamilyAdmission, GateReport
from inspect_agentbench.gate.strength import read_strength
from inspect_agentbench.grading.signature import read_signatures

BANK_DOCUMENT = Path(__file__).resolve().parent / "bank.md"
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


_STRENGTH_HEAD = (
    "family",
    "fact",
    "trials",
    "lazy fixes and the trials they get wrong",
    "mutants rejected",
    "missed by a fresh seed with p below",
)


def strength_table(bank: Bank) -> str:
    """A Markdown table of what the gate and `agentbench strength` recorded of each family."""
    admitted = _admissions(bank)
    rows = [_STRENGTH_HEAD, ("---",) * len(_STRENGTH_HEAD)]
    rows += [_strength_row(family, admitted.get(family.id)) for family in bank.families.values()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _admissions(bank: Bank) -> dict[str, FamilyAdmission]:
    report = GateReport.model_validate_json((bank.root / REPORT_NAME).read_bytes())
    return {family.family: family for family in report.families}


def _strength_row(family: Family, admission: FamilyAdmission | None) -> tuple[str, ...]:
    signatures = read_signatures(family, family.manifest.default_variant)
    lazy = ", ".join(f"`{name}` {len(signature.trials)}" for name, signature in signatures.items())
    return (
        f"`{family.id}`",
        family.manifest.lever,
        str(family.oracle.trials),
        lazy,
        _mutants(family),
        _missed(admission),
    )


def _mutants(family: Family) -> str:
    strength = read_strength(family)
    if strength is None:
        return "not measured"
    judged = f", {strength.equivalent} judged equivalent" if strength.equivalent else ""
    return f"{strength.rejected}/{strength.of} ({strength.share:.1%}){judged}"


def _missed(admission: FamilyAdmission | None) -> str:
    if admission is None or not admission.power:
        return "not measured"
    weakest = max(admission.power, key=lambda power: power.miss_probability)
    return f"{weakest.miss_probability:.0e} (`{weakest.fix}`)"


def current_table(text: str) -> str:
    """What stands between the markers of a document."""
    return text.split(BEGIN)[1].split(END)[0].strip()


def with_table(text: str, table: str) -> str:
    """The document's text with that table between its markers."""
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> None:
    """Print the tables, or write them."""
    bank = load_bank(data_root())
    tables = {README: families_table(bank), BANK_DOCUMENT: strength_table(bank)}
    for document, table in tables.items():
        if sys.argv[1:] == ["--write"]:
            text = document.read_text(encoding="utf-8")
            document.write_text(with_table(text, table), encoding="utf-8")
        else:
            print(table)


if __name__ == "__main__":
    main()
