"""No byte of the oracle in anything that an agent can see: the starting trees, the issue texts, the image."""

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import docker

from ..bank import Family, TreeFile, Variant, parse_python, read_tree
from ..engine import ImageInfo, cache_folder, write_whole
from .probe import probe
from .reasons import Finding, Reason

CANARY = re.compile(rb"canary-[a-z0-9_-]+-[0-9a-f]{12}")
_WINDOW = 5
"""So many consecutive lines of oracle or driver in a visible file are a copy, not a coincidence."""
_SCAN_SECONDS = 120

_SCAN = r"""
import hashlib, json, os, re
canary = re.compile(rb"canary-[a-z0-9_-]+-[0-9a-f]{12}")
hashes, marked = set(), []
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in ("/proc", "/sys", "/dev")]
    for name in files:
        path = os.path.join(folder, name)
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            content = file.read()
        hashes.add(hashlib.sha256(content).hexdigest())
        if canary.search(content) or canary.search(os.fsencode(path)):
            marked.append(path)
print(json.dumps({"hashes": sorted(hashes), "marked": sorted(marked)}))
"""


def check_visible(family: Family) -> list[Finding]:
    """Canaries, whole files and longer passages of the oracle in what the variants show."""
    hidden = _hidden_files(family)
    passages = _passages(family)
    return [
        finding
        for variant in family.variants.values()
        for path, content in _shown(variant).items()
        for finding in _visible_file(family, f"{variant.name}: {path}", content, hidden, passages)
    ]


def _shown(variant: Variant) -> dict[str, bytes]:
    files = {path: file.content for path, file in variant.tree().items()}
    return {**files, "issue.md": variant.issue_text.encode()}


def _hidden_files(family: Family) -> dict[str, str]:
    """Hashes of hidden files, with and without canary line; known fixes apart, which are like the tree."""
    hidden: dict[str, str] = {}
    for path, file in _own(family).items():
        for content in (file.content, family.without_canary(file.content)):
            if content.strip():
                hidden[_sha256(content)] = path
    return hidden


def _own(family: Family) -> dict[str, TreeFile]:
    kinds = tuple(f"{family.oracle.canary}/{kind}/" for kind in ("correct", "lazy", "wrong"))
    return {
        path: file for path, file in read_tree(family.oracles_folder).items() if not path.startswith(kinds)
    }


def _passages(family: Family) -> set[tuple[bytes, ...]]:
    """Of every function but `fixed_cases`: what that one holds mirrors the visible tests on purpose."""
    return {
        passage
        for source in (family.oracle_source, family.driver_source)
        for node in ast.walk(parse_python(source))
        if isinstance(node, ast.FunctionDef) and node.name != "fixed_cases"
        for passage in _windows((ast.get_source_segment(source, node) or "").encode())
    }


def _windows(content: bytes) -> Iterator[tuple[bytes, ...]]:
    """Every run of so many lines that say something."""
    lines = [line.strip() for line in content.splitlines() if len(line.strip()) > 3]
    for start in range(len(lines) - _WINDOW + 1):
        yield tuple(lines[start : start + _WINDOW])


def _visible_file(
    family: Family,
    where: str,
    content: bytes,
    hidden: Mapping[str, str],
    passages: set[tuple[bytes, ...]],
) -> Iterator[Finding]:
    def found(detail: str) -> Finding:
        return Finding(family.id, Reason.ORACLE_VISIBLE, where, detail)

    if CANARY.search(content) or CANARY.search(where.encode()):
        yield found("holds a canary")
    if _sha256(content) in hidden:
        yield found(f"is the hidden file {hidden[_sha256(content)]}")
    if any(window in passages for window in _windows(content)):
        yield found(f"holds {_WINDOW} consecutive lines of the oracle or the driver")


def check_image(client: docker.DockerClient, image: ImageInfo, family: Family) -> list[Finding]:
    """Canaries and hidden files, known fixes among them, in the sandbox image."""
    scan = scan_image(client, image)
    seen = set(scan["hashes"])
    findings = [
        Finding(family.id, Reason.ORACLE_VISIBLE, f"image: {path}", "holds a canary")
        for path in scan["marked"]
    ]
    for path, file in read_tree(family.oracles_folder).items():
        if file.content.strip() and _sha256(file.content) in seen:
            findings.append(Finding(family.id, Reason.ORACLE_VISIBLE, f"image: {path}", "is in the image"))
    return findings


def scan_image(client: docker.DockerClient, image: ImageInfo) -> dict[str, Any]:
    """Hashes of every file of the image, and the files with a canary; kept, for an image never changes.

    Raises HarnessFault if the image cannot be looked through.
    """
    path = cache_folder("image-scan") / f"{image.id.replace(':', '-')}-{_sha256(_SCAN.encode())[:12]}.json"
    try:
        return dict(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        scan = _scan(client, image)
    scan["marked"] += ["its settings"] if CANARY.search(_settings(client, image)) else []
    write_whole(path, json.dumps(scan).encode())
    return scan


def _settings(client: docker.DockerClient, image: ImageInfo) -> bytes:
    return json.dumps(client.images.get(image.id).attrs).encode()


def _scan(client: docker.DockerClient, image: ImageInfo) -> dict[str, Any]:
    output = probe(client, image, _SCAN, seconds=_SCAN_SECONDS, network_disabled=True, user="0")
    return dict(json.loads(output))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
