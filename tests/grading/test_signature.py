import json
import shutil
from pathlib import Path

import pytest

from inspect_agentbench.bank import Family, load_bank
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.grading.signature import (
    MatchKind,
    RecordedSignature,
    SignatureFile,
    match,
    read_signatures,
)

KNOWN = {
    "float": RecordedSignature(trials=(0, 2, 4, 6)),
    "round": RecordedSignature(trials=(1, 3)),
    "trunc": RecordedSignature(trials=(1, 3)),
    "strip": RecordedSignature(trials=(10, 11, 12, 13)),
}


@pytest.mark.parametrize(
    ("wrong", "kind", "names", "overlap"),
    [
        ((), MatchKind.NONE, (), 0.0),
        ((6, 4, 2, 0), MatchKind.EXACT, ("float",), 1.0),
        ((1, 3), MatchKind.EXACT, ("round", "trunc"), 1.0),
        ((0, 2, 4, 5), MatchKind.COUNT, ("float",), 0.6),
        ((0, 2), MatchKind.COUNT, ("round", "trunc"), 0.0),
        ((0, 2, 4), MatchKind.NEAREST, ("float",), 0.75),
        ((0, 2, 4, 6, 7), MatchKind.NEAREST, ("float",), 0.8),
        ((3,), MatchKind.NEAREST, ("round", "trunc"), 0.5),
        ((7, 8, 9), MatchKind.UNKNOWN, (), 0.0),
        ((0, 20, 21), MatchKind.UNKNOWN, (), 0.0),
    ],
)
def test_a_pattern_is_matched_by_set_then_count_then_overlap(
    wrong: tuple[int, ...], kind: MatchKind, names: tuple[str, ...], overlap: float
) -> None:
    """The same set wins over the same number, that over an overlap; ties name every fix they fit."""
    found = match(wrong, KNOWN)
    assert (found.kind, found.names, found.overlap) == (kind, names, overlap)


def test_of_several_with_the_same_count_the_closest_is_named() -> None:
    """Two lazy fixes that miss as many trials are told apart by which."""
    assert match((0, 2, 4, 13), KNOWN).names == ("float",)
    assert match((0, 11, 12, 13), KNOWN).names == ("strip",)


def test_without_recorded_signatures_every_pattern_is_unknown() -> None:
    """A family that has none is no error."""
    assert match((1,), {}).kind is MatchKind.UNKNOWN
    assert match((), {}).kind is MatchKind.NONE


@pytest.mark.parametrize("wrong", [(), (0, 2, 4, 6), (0, 2, 4, 5), (0, 2, 4), (7, 8, 9), (1, 3)])
def test_a_match_is_told_in_words(wrong: tuple[int, ...]) -> None:
    """Every kind of match has a sentence, and names its fixes."""
    found = match(wrong, KNOWN)
    assert all(f"`{name}`" in str(found) for name in found.names)
    assert str(found)


@pytest.fixture
def family(banks: Path, tmp_path: Path) -> Family:
    return load_bank(Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))).family("tiny")


def record(family: Family, oracle_hash: str) -> None:
    file = SignatureFile(
        canary=family.oracle.canary,
        oracle_hash=oracle_hash,
        variants={"plain": {"float": RecordedSignature(trials=(0, 2))}},
    )
    family.signatures_path.write_text(file.model_dump_json())


def test_signatures_are_read_for_their_variant(family: Family) -> None:
    """Another variant may have other trials, so it gets none of these."""
    record(family, family.oracle_hash())
    assert read_signatures(family, "plain") == {"float": RecordedSignature(trials=(0, 2))}
    assert read_signatures(family, "terse") == {}


def test_signatures_of_another_oracle_are_not_used(family: Family) -> None:
    """Numbers of trials that have since changed would name the wrong fix."""
    record(family, "0" * 64)
    assert read_signatures(family, "plain") == {}


def test_an_absent_file_is_no_error(family: Family) -> None:
    """Nothing was recorded yet."""
    assert read_signatures(family, "plain") == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"variants": {}}',
        "\xff",
        json.dumps({"canary": "c", "oracle_hash": "h", "variants": 1}),
    ],
)
def test_a_damaged_file_is_one_line_with_the_way_out(family: Family, text: str) -> None:
    """It names the file and the command that makes it again."""
    family.signatures_path.write_bytes(text.encode("latin-1"))
    with pytest.raises(AgentbenchError, match=r"signatures\.json: .*agentbench signatures tiny") as caught:
        read_signatures(family, "plain")
    assert "\n" not in str(caught.value)
