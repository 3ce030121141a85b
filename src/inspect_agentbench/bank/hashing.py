"""Content hashes of file trees: relative path, executable bit and bytes, nothing else."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_IGNORED_FOLDERS = {"__pycache__", ".pytest_cache", ".git", ".hypothesis"}


class TreeFile(NamedTuple):
    """One regular file of a tree."""

    content: bytes
    executable: bool = False


def tree_hash(tree: Mapping[str, TreeFile]) -> str:
    """SHA-256 (hex) over the sorted files; lengths are hashed too, so that no two trees run together."""
    digest = hashlib.sha256()
    for path in sorted(tree):
        content, executable = tree[path]
        name = path.encode("utf-8", "surrogateescape")
        digest.update(b"%d:%s:%d:%d:" % (len(name), name, executable, len(content)))
        digest.update(content)
    return digest.hexdigest()


def read_tree(folder: Path) -> dict[str, TreeFile]:
    """The regular files under `folder` by POSIX path, caches apart; an absent folder is an empty tree."""
    return {
        path.relative_to(folder).as_posix(): TreeFile(path.read_bytes(), _is_executable(path))
        for path in sorted(_regular_files(folder))
    }


def _regular_files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not _IGNORED_FOLDERS.intersection(path.relative_to(folder).parts):
            yield path


def _is_executable(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o100)
