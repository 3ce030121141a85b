from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.bank import TreeFile, read_tree, tree_hash

FILES = st.builds(TreeFile, st.binary(max_size=8), st.booleans())
TREES = st.dictionaries(st.text("ab/:0", min_size=1, max_size=6), FILES, max_size=4)


@given(TREES, TREES)
def test_trees_have_one_hash_if_and_only_if_they_are_the_same(
    one: dict[str, TreeFile], other: dict[str, TreeFile]
) -> None:
    """Paths, bytes and executable bits all count, and no two trees run together."""
    assert (tree_hash(one) == tree_hash(other)) == (one == other)


@given(TREES)
def test_the_order_of_files_does_not_count(tree: dict[str, TreeFile]) -> None:
    """A file system lists its entries as it likes."""
    assert tree_hash(dict(reversed(tree.items()))) == tree_hash(tree)


def test_the_hash_is_pinned() -> None:
    """A changed way of hashing would make every published hash wrong without anyone noticing."""
    tree = {"a/b.py": TreeFile(b"x = 1\n"), "run.sh": TreeFile(b"", executable=True)}
    assert tree_hash(tree).startswith("b5386507a7cfdcea")


def test_undecodable_names_have_a_hash() -> None:
    """A file name that is not UTF-8 is a name like any other."""
    assert tree_hash({"caf\udce9.py": TreeFile(b"")}) != tree_hash({"caf.py": TreeFile(b"")})


def test_caches_are_no_part_of_a_tree(tmp_path: Path) -> None:
    """Running the tests of a family must not change its hash."""
    (tmp_path / "a.py").write_text("x = 1\n")
    before = read_tree(tmp_path)
    for folder in ("__pycache__", "sub/.pytest_cache", ".git"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").write_text("noise")
    assert read_tree(tmp_path) == before


def test_an_absent_folder_is_an_empty_tree(tmp_path: Path) -> None:
    """A variant without files of its own has no folder for them."""
    assert read_tree(tmp_path / "absent") == {}


def test_executable_bits_are_read(tmp_path: Path) -> None:
    """Only the owner's bit counts."""
    (tmp_path / "run").write_text("")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "data").write_text("")
    assert [file.executable for file in read_tree(tmp_path).values()] == [False, True]
