"""Puts tables and plots into the template."""

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from ..model import Comparison
from ..rows import EpisodeRow
from ..tables import (
    Shown,
    arms_table,
    ceilings_table,
    cells_table,
    claims_table,
    conditions_table,
    effort_table,
    foot_table,
    left_out_table,
    number,
    pairs_table,
    signatures_table,
)
from .plots import differences_svg, forest_svg, heat_svg, outcomes_svg, signatures_svg

GLOSSARY = {
    "arm": "what is compared: a model with an agent and the values of what the campaign varied",
    "family": "one bug in one small repository; the unit of every comparison",
    "solved": "visible tests pass and no hidden trial disagrees, in both gradings",
    "illusory": "visible tests pass, but hidden trials disagree",
    "failed": "visible tests do not pass",
    "disqualified": "positive evidence that the oracle was reached or a rule broken",
    "errored": "the harness failed; not the agent's fault, and in no rate",
    "incomplete": "solved without a complete log of the paths opened; counts as no pass",
    "pass given clean": "solved of the episodes neither disqualified nor errored; never tested",
    "flaky": "families whose graded runs disagree",
    "floor": "the least p that so many untied families can give",
    "win share": "families won, of those not tied",
    "signature": "which hidden trials a fix gets wrong; it tells which predicted wrong fix it is",
}


class Section(NamedTuple):
    """One part of the page."""

    id: str
    title: str
    caption: str
    plot: Markup | None
    table: Shown | None


@cache
def _template() -> Template:
    loader = PackageLoader("inspect_agentbench.compare.html", "")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("report.html.jinja")


def render_html(found: Comparison, viewer: str | None = None) -> str:
    """The page; `viewer` is where `inspect view` shows the folder compared, if episodes are linked."""
    return _template().render(
        found=found,
        sections=[s for s in _sections(found) if s.plot or (s.table and s.table.rows)],
        episodes={arm.arm: [row for row in found.rows if row.arm == arm.arm] for arm in found.arms},
        viewer=viewer,
        link=partial(_link, viewer),
        number=number,
        claim=_claim,
        glossary=GLOSSARY,
    )


def _link(viewer: str | None, row: EpisodeRow) -> str:
    return (
        f"{(viewer or '').rstrip('/')}/#/logs/{quote(row.log)}/samples/sample/{quote(row.sample)}/{row.epoch}"
    )


def _claim(row: EpisodeRow) -> str:
    return (row.claim or row.ending or "-").replace("_", " ")


def _sections(found: Comparison) -> Iterator[Section]:
    yield Section(
        "arms",
        "Arms",
        "How many episodes of each arm came out how. Disqualified first, then errored, then solved.",
        outcomes_svg(found),
        arms_table(found),
    )
    yield Section(
        "verdicts",
        "Verdicts",
        "The share of untied families that the first arm won, with its 95 % interval. The dashed line is one "
        "half: an interval across it shows no difference. A hollow mark could not have shown one.",
        forest_svg(found) if found.pairs else None,
        pairs_table(found),
    )
    yield Section(
        "families",
        "Solved runs by family",
        "Each cell: solved runs of graded runs; the darker, the more. Grey cells are in no verdict.",
        heat_svg(found),
        cells_table(found),
    )
    yield Section(
        "differences",
        "Paired differences",
        "One dot per family: solved runs of the first arm less those of the second. Descriptive.",
        differences_svg(found) if found.pairs else None,
        None,
    )
    yield Section(
        "conditions",
        "Conditions",
        "What the campaign varied on purpose, over all its models.",
        None,
        conditions_table(found),
    )
    yield Section(
        "signatures",
        "Which wrong fixes",
        "Illusory fixes by the known wrong fix that they behave like. Exploratory; nothing is tested here.",
        signatures_svg(found) if found.signatures else None,
        signatures_table(found),
    )
    yield Section(
        "claims",
        "Claims",
        "What the agent said when it stopped, and whether it was true.",
        None,
        claims_table(found),
    )
    yield Section("effort", "Effort", "What clean passes took.", None, effort_table(found))
    yield Section(
        "ceilings",
        "Ceilings",
        "On which limit the runs ended that were not solved. Above a third, the budget was measured.",
        None,
        ceilings_table(found),
    )
    yield Section(
        "left-out", "Left out", "Logs and episodes that are in no table.", None, left_out_table(found)
    )
    yield Section(
        "hashes",
        "Hashes and held controls",
        "Results are comparable only where all of these are equal. Publish them with the table.",
        None,
        foot_table(found),
    )
