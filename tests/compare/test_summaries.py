"""Counts, cells and paired verdicts out of rows: what counts, what does not, and what may be concluded."""

import pytest
from fabricate import facts_of, row, rows_of
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.compare.build import build
from inspect_agentbench.compare.model import Comparison
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.outcome import Outcome

FAMILIES = [f"f{n}" for n in range(8)]
words = st.text("sifde", min_size=3, max_size=3)
tables = st.fixed_dictionaries(
    {arm: st.fixed_dictionaries(dict.fromkeys(FAMILIES, words)) for arm in ("a", "b")}
)


def compared(table: dict[str, dict[str, str]], **other: object) -> Comparison:
    rows = rows_of(table)
    return build(rows, facts_of(rows), **other)  # type: ignore[arg-type]


@given(tables)
def test_counts_add_up(table: dict[str, dict[str, str]]) -> None:
    """Every episode is in one outcome, and every fraction has its own denominator."""
    for arm in compared(table).arms:
        parts = (arm.disqualified, arm.errored, arm.solved, arm.incomplete, arm.illusory, arm.failed)
        assert sum(parts) == arm.n == arm.planned == 24
        assert arm.pass_given_clean.of == arm.n - arm.disqualified - arm.errored


@given(tables)
def test_swapping_the_arms_swaps_the_verdict(table: dict[str, dict[str, str]]) -> None:
    """Nothing depends on which arm is named first."""
    (one,) = compared(table, baseline="a").pairs
    (other,) = compared(table, baseline="b").pairs
    assert (one.wins, one.losses, one.ties) == (other.losses, other.wins, other.ties)
    assert one.p_holm == pytest.approx(other.p_holm)
    assert one.verdict == other.verdict
    assert one.winner == other.winner


@given(tables)
def test_a_verdict_counts_families_that_were_graded_whole(table: dict[str, dict[str, str]]) -> None:
    """A family with an errored run is out, for this pair, with the reason."""
    (pair,) = compared(table).pairs
    for family in FAMILIES:
        errored = any("e" in table[arm][family] for arm in table)
        assert (family in pair.left_out) == errored
        assert (family in pair.families) == (not errored)


def test_a_sweep_of_eight_is_ahead() -> None:
    """And the sentence says who, of whom, by what."""
    found = compared({"a": dict.fromkeys(FAMILIES, "sss"), "b": dict.fromkeys(FAMILIES, "iis")})
    (pair,) = found.pairs
    assert (pair.verdict, pair.winner, pair.wins) == ("ahead", "a", 8)
    assert found.sentences[0].startswith("a is ahead of b: 8 won, 0 lost, 0 tied of 8 families")


def test_five_families_name_nobody() -> None:
    """However clear it looks."""
    found = compared({"a": dict.fromkeys(FAMILIES[:5], "sss"), "b": dict.fromkeys(FAMILIES[:5], "fff")})
    assert found.pairs[0].verdict == "cannot_name_winner"
    assert found.sentences[0] == "No winner can be named."
    assert "best possible p is 0.062" in found.sentences[1]


def test_a_disqualified_run_lowers_the_arm_and_stands_first() -> None:
    """It is a run that was not solved, never one that is missing."""
    found = compared({"a": dict.fromkeys(FAMILIES, "sss"), "b": dict.fromkeys(FAMILIES, "ssd")})
    assert [arm.arm for arm in found.arms] == ["a", "b"]
    assert found.pairs[0].winner == "a"
    assert found.rows[0].outcome is Outcome.DISQUALIFIED
    assert any("disqualified in 8 of 24 episodes" in sentence for sentence in found.sentences)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label": "smoke"}, "smoke"),
        ({"incomplete": True}, "a: 1 passes without a complete path log"),
    ],
)
def test_families_that_prove_nothing_are_out(change: dict[str, object], reason: str) -> None:
    """Smoke families and passes of which nobody knows what was opened."""
    rows = rows_of({"a": dict.fromkeys(FAMILIES, "s"), "b": dict.fromkeys(FAMILIES, "f")})
    changed = [r.model_copy(update=change) if (r.arm, r.family) == ("a", "f0") else r for r in rows]
    (pair,) = build(changed, facts_of(changed)).pairs
    assert pair.left_out == {"f0": reason}
    assert pair.wins == 7


def test_a_family_is_not_compared_with_fewer_runs() -> None:
    """2 of 2 says nothing against 2 of 3."""
    found = compared({"a": {"f0": "ss", "f1": "ss"}, "b": {"f0": "sss", "f1": "ff"}})
    assert found.pairs[0].left_out == {"f0": "2 runs against 3"}


def test_a_model_is_not_scored_on_what_it_helped_to_write() -> None:
    """The lane of the manifest says so, and the report does."""
    rows = rows_of({"lab/Fable-9b": {"f0": "s", "f1": "s"}, "b": {"f0": "f", "f1": "f"}})
    facts = facts_of(rows, lanes={"f0": ["Fable"], "f1": []})
    (pair,) = build(rows, facts).pairs
    assert pair.left_out == {"f0": "lab/Fable-9b: Fable helped to write it"}


def test_missing_episodes_are_said() -> None:
    """Counts are of what was planned."""
    rows = rows_of({"a": {"f0": "s"}, "b": {"f0": "f"}})
    facts = [log.model_copy(update={"planned": 3}) for log in facts_of(rows)]
    found = build(rows, facts)
    assert "a: 2 of 3 planned episodes are not in the table" in found.warnings


def test_a_budget_that_was_measured_is_said() -> None:
    """Above a third of the runs that were not solved."""
    rows = rows_of({"a": {"f0": "s"}, "b": {"f0": "f", "f1": "f", "f2": "f"}})
    ended = [r.model_copy(update={"ceiling": "turns"}) if r.family in ("f0", "f1") else r for r in rows]
    found = build(ended, facts_of(ended))
    assert any("2 of 3 runs of b" in warning for warning in found.warnings)
    assert [c.by_ceiling for c in found.ceilings if c.arm == "b"] == [{"turns": 2}]


def test_factors_make_conditions_with_their_caution() -> None:
    """Over all models, with counts, and never as a verdict."""
    rows = rows_of({"m [prompt=a]": {"f0": "s"}, "m [prompt=b]": {"f0": "i"}})
    facts = [log.model_copy(update={"factors": {"prompt": log.arm[-2]}}) for log in facts_of(rows)]
    one, two = build(rows, facts).conditions
    assert (one.factors, one.solved, one.trials_right.count) == ({"prompt": "a"}, 1, 80)
    assert (two.solved, two.visible_passed.count, two.trials_right.count) == (0, 1, 73)
    assert "too few" in two.caution


def test_signatures_are_counted_by_arm() -> None:
    """With the files that were touched; an unknown one is listed as such."""
    rows = [
        row("a", "f0", n, Outcome.ILLUSORY, signature=kind, signature_names=names, files_touched=("x.py",))
        for n, (kind, names) in enumerate([("exact", ("hold",)), ("exact", ("hold",)), ("unknown", ())], 1)
    ] + rows_of({"b": {"f0": "sss"}})
    found = build(rows, facts_of(rows)).signatures
    assert [(s.names, s.runs) for s in found] == [(("hold",), 2), ((), 1)]
    assert found[0].files == ("x.py",)


def test_one_name_of_two_files_is_a_warning() -> None:
    """A served name says nothing about the weights behind it."""
    rows = rows_of({"a": {"f0": "s"}, "b": {"f0": "f"}})
    facts = [
        log.model_copy(update={"model": "m", "identity": {"server": {"file_digest": log.arm * 8}}})
        for log in facts_of(rows)
    ]
    assert any("m is the name of 2 different files" in w for w in build(rows, facts).warnings)


def test_what_cannot_be_compared_is_one_line() -> None:
    """A single arm, or a baseline that is none."""
    with pytest.raises(AgentbenchError, match="a single arm"):
        compared({"a": {"f0": "s"}})
    with pytest.raises(AgentbenchError, match="--baseline c is no arm"):
        compared({"a": {"f0": "s"}, "b": {"f0": "s"}}, baseline="c")


def test_mixtures_have_no_verdict() -> None:
    """Side by side, and said so first."""
    found = compared({"a": dict.fromkeys(FAMILIES, "s"), "b": dict.fromkeys(FAMILIES, "f")}, mixed=True)
    assert found.pairs == ()
    assert "nothing can be concluded" in found.sentences[0]
