import pytest

from wellbook.reading import SourceError, read_results

NITRATE = '{"sample": "A", "parameter": "nitrate", "value": 31.5}\n'
LEAD = '{"sample": "A", "parameter": "lead", "value": "<0.5", "dilution": 10}\n'


def test_one_file(tmp_path):
    (tmp_path / "one.jsonl").write_text(f"{NITRATE}\n  \n{LEAD}")
    assert read_results(tmp_path / "one.jsonl") == [
        {"sample": "A", "parameter": "nitrate", "value": 31.5},
        {"sample": "A", "parameter": "lead", "value": "<0.5", "dilution": 10},
    ]


def test_a_directory_is_read_by_name(tmp_path):
    (tmp_path / "icp.jsonl").write_text(LEAD)
    (tmp_path / "ic.jsonl").write_text(NITRATE)
    (tmp_path / "ic.jsonl.bak").write_text("an old one\n")
    assert [result["parameter"] for result in read_results(tmp_path)] == ["nitrate", "lead"]


REFUSED = [
    "31.5",
    '{"sample": "A", "parameter": "nitrate"}',
    '{"sample": "", "parameter": "nitrate", "value": 1}',
    '{"sample": "A", "value": 1}',
    '{"sample": "A", "parameter": "nitrate", "value": true}',
    '{"sample": "A", "parameter": "nitrate", "value": 1',
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused(tmp_path, number):
    (tmp_path / "one.jsonl").write_text(f"{NITRATE}{REFUSED[number]}\n")
    with pytest.raises(SourceError):
        read_results(tmp_path / "one.jsonl")
