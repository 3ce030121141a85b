import pytest

from wellbook.__main__ import main
from wellbook.output import UnknownForm, publish

WEEK = """\
{"sample": "0711-B", "point": "Well 5", "parameter": "nitrate", "value": 52.25, "unit": "mg/l", "remark": "after rain"}
{"sample": "0711-A", "point": "Well 4", "parameter": "nitrate", "value": 31.5, "unit": "mg/l", "column": 2}
{"sample": "0711-B", "point": "Well 5", "parameter": "lead", "value": "<0.5", "unit": null}
"""

JSON = """\
{
 "results": [
  {
   "sample": "0711-A",
   "point": "Brunnen M\\u00fchle",
   "parameter": "nitrate",
   "value": 31.5,
   "unit": "mg/l",
   "over": false
  }
 ],
 "summary": {
  "nitrate": {
   "count": 1,
   "measured": 1,
   "highest": 31.5,
   "over": 0
  }
 }
}
"""

CSV = """\
sample,point,parameter,value,unit,remark
0711-A,Well 4,nitrate,31.5,mg/l,
0711-B,Well 5,lead,<0.5,,
0711-B,Well 5,nitrate,52.25,mg/l,after rain
"""


@pytest.fixture
def written(tmp_path):
    """Publishes a source and returns what the target then holds."""

    def write(source, name):
        (tmp_path / "week.jsonl").write_text(source, encoding="utf-8")
        publish(tmp_path / "week.jsonl", [tmp_path / name])
        return (tmp_path / name).read_text(encoding="utf-8")

    return write


def test_json(written):
    line = '{"sample": "0711-A", "point": "Brunnen Mühle", "parameter": "nitrate", "value": 31.5, "unit": "mg/l"}\n'
    assert written(line, "week.json") == JSON


def test_overview(written):
    assert written(WEEK, "week.txt") == "lead: 1 results\nnitrate: 2 results, highest 52.25, 1 over the limit\n"


def test_overview_of_nothing(written):
    assert written("", "week.txt") == "no results\n"


def test_unknown_form(tmp_path):
    (tmp_path / "week.jsonl").write_text(WEEK)
    with pytest.raises(UnknownForm):
        publish(tmp_path / "week.jsonl", [tmp_path / "week.json", tmp_path / "week.ods"])
    assert not (tmp_path / "week.json").exists()


def test_csv(written):
    assert written(WEEK, "week.csv") == CSV


def test_csv_of_nothing(written):
    assert written("", "week.csv") == "sample,point,parameter,value,unit,remark\n"


def test_csv_quotes_commas_and_quotes(written):
    line = '{"sample": "A", "point": "Well 5, north", "parameter": "iron", "value": 2, "remark": "a \\"red\\" tinge"}\n'
    assert written(line, "week.csv") == (
        "sample,point,parameter,value,unit,remark\n"
        'A,"Well 5, north",iron,2,,"a ""red"" tinge"\n'
    )


def test_csv_keeps_the_lines_of_a_remark(written):
    line = '{"sample": "A", "parameter": "lead", "value": null, "remark": "pump off\\nvalve shut"}\n'
    assert written(line, "week.csv") == (
        "sample,point,parameter,value,unit,remark\n"
        'A,,lead,,,"pump off\nvalve shut"\n'
    )


def test_csv_beside_the_others(tmp_path, capsys):
    (tmp_path / "week.jsonl").write_text(WEEK)
    targets = [tmp_path / name for name in ("week.json", "week.csv")]
    assert main([str(tmp_path / "week.jsonl"), *map(str, targets)]) == 0
    assert capsys.readouterr().out == "3 results in week.json, week.csv\n"
    assert targets[1].read_text() == CSV
