"""The container of what is compared with: the same image, no network, quick to stop, nothing else."""

from pathlib import Path

_PLAIN = """\
services:
  default:
    image: {image}
    x-local: true
    init: true
    command: sleep infinity
    network_mode: none
"""


def plain_compose(folder: Path, image: str) -> str:
    """Write it to a folder of its own below `folder` and give its path."""
    path = folder / "plain" / "compose.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(_PLAIN.format(image=image), encoding="utf-8")
    return str(path)
