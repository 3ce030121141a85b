"""What a reader gets: tables, Markdown, CSV and the one-file report, whatever names the rows carry."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fabricate import facts_of, row, rows_of

from inspect_agentbench.cli.output import write_text
from inspect_agentbench.compare.build import build
from inspect_agentbench.compare.files import csv_text, markdown_text
from inspect_agentbench.compare.html import render_html
from inspect_agentbench.compare.model import Comparison
from inspect_agentbench.compare.rows import EpisodeRow, Left
from inspect_agentbench.compare.tables import tables
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.outcome import Outcome

HOSTILE = "m/</script><img src=x onerror=alert(1)>|`=1+1`"
VOID = {"meta", "br", "img", "link", "input", "hr"}


@pytest.fixture(scope="module")
def found() -> Comparison:
    """Three arms, one with a hostile name, eight families, everything that can happen."""
    families = [f"f{n}" for n in range(8)]
    rows = rows_of(
        {
            "m/strong": dict.fromkeys(families, "sss"),
            "m/weak": dict.fromkeys(families, "ifs"),
            HOSTILE: {**dict.fromkeys(families, "ffd"), "f1": "eff"},
        }
    )
    rows.append(
        row("m/weak", "g", 1, Outcome.ILLUSORY, label="smoke", signature="exact", signature_names=("hold",))
    )
    left = [Left(where="x.eval", code="damaged", reason="it cannot be read")]
    return build(rows, facts_of(rows), left, title="A campaign")


class Page(HTMLParser):
    """The structure of a page: open tags, ids, headings, addresses, text of plots."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.addresses: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if "id" in given:
            self.ids.append(str(given["id"]))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.addresses += [str(given[name]) for name in ("href", "src", "action", "data") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page(found: Comparison) -> Page:
    return Page(render_html(found))


def test_the_page_is_well_formed(page: Page) -> None:
    """Every tag is closed, every id stands once, and headings go down one level at a time."""
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.headings[0] == 1
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))


def test_the_page_asks_nobody_for_anything(page: Page, found: Comparison) -> None:
    """No address but its own parts, no script, and a policy that forbids both."""
    assert all(address.startswith("#") for address in page.addresses)
    assert {address[1:] for address in page.addresses} <= set(page.ids)
    assert not [tag for tag, _ in page.tags if tag in ("script", "img", "link", "iframe", "object")]
    policy = [a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a]
    assert str(policy[0]).startswith("default-src 'none'")


def test_hostile_names_are_only_text(found: Comparison) -> None:
    """A model's name can be anything; it is shown and does nothing."""
    text = render_html(found)
    assert "<img" not in text
    assert "&lt;/script&gt;" in text


def test_every_plot_says_what_it_is(page: Page) -> None:
    """For who cannot see it; its numbers stand in a table too."""
    plots = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(plots) == 5
    assert all(plot["role"] == "img" and plot["aria-label"] for plot in plots)


def test_numbers_of_plots_are_those_of_the_model(found: Comparison) -> None:
    """Each stacked bar has its count in its title."""
    text = render_html(found)
    for arm in found.arms:
        if "<" not in arm.arm:
            assert f"{arm.arm}: {arm.solved} solved" in text or not arm.solved
            assert f"{arm.arm}: {arm.illusory} illusory" in text or not arm.illusory


def test_episodes_link_to_a_viewer_where_one_is(found: Comparison) -> None:
    """The address of the sample in Inspect's viewer, by the log's place in the folder."""
    text = render_html(found, "http://127.0.0.1:7575")
    assert '<a href="http://127.0.0.1:7575/#/logs/m/strong.eval/samples/sample/f0-plain/1">' in text
    assert text.count('">show</a>') == len(found.rows)


def test_every_table_has_as_many_cells_as_columns(found: Comparison) -> None:
    """In the terminal, in Markdown and on the page."""
    for table in tables(found, with_rows=True):
        assert {len(cells) for cells in table.rows} <= {len(table.columns)}, table.title


def test_markdown_keeps_its_columns(found: Comparison) -> None:
    """A bar in a name does not make another column."""
    lines = [line for line in markdown_text(found).splitlines() if line.startswith("|")]
    for line in lines:
        assert line.endswith(" |")
    heads = [n for n, line in enumerate(lines) if set(line) <= set("|- ")]
    for head in heads:
        assert len(re.findall(r"(?<!\\)\|", lines[head])) == len(re.findall(r"(?<!\\)\|", lines[head - 1]))


def test_csv_has_one_line_per_episode(found: Comparison) -> None:
    """With the columns of the model; nothing in it is a formula to a spreadsheet."""
    lines = list(csv.DictReader(io.StringIO(csv_text(found))))
    assert len(lines) == len(found.rows)
    assert list(lines[0]) == list(EpisodeRow.model_fields)
    hostile = found.model_copy(update={"rows": (found.rows[0].model_copy(update={"why": "=cmd()"}),)})
    assert "'=cmd()" in csv_text(hostile)


def test_json_comes_back(found: Comparison) -> None:
    """The schema is the model."""
    assert Comparison.model_validate_json(found.model_dump_json()) == found


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A folder in its place is one clear line, and leaves nothing beside it."""
    write_text(tmp_path / "a" / "b.html", "text")
    assert (tmp_path / "a" / "b.html").read_text() == "text"
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").touch()
    with pytest.raises(AgentbenchError, match="cannot be written"):
        write_text(tmp_path / "folder", "text")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "folder"]
