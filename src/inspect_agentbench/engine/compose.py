"""The compose file of the agent's container, with the image's name filled in."""

import hashlib
import os
from pathlib import Path

from inspect_agentbench.engine.cache import cache_folder, write_whole
from inspect_agentbench.engine.containers import HOST_LABEL, PROCESS_LABEL, RUN_LABEL, Kind, labels
from inspect_agentbench.engine.image import REPOSITORY, sandboxes_folder
from inspect_agentbench.errors import AgentbenchError

_PLACEHOLDER = f"    image: {REPOSITORY}\n"
_FILLED_IN = {
    "AGENTBENCH_RUN": RUN_LABEL,
    "AGENTBENCH_PROCESS": PROCESS_LABEL,
    "AGENTBENCH_HOST": HOST_LABEL,
}
"""Variables of the compose file, each with the label that it fills."""


def agent_compose_text(tag: str) -> str:
    """The shipped compose file for the image of that name."""
    path = sandboxes_folder() / "compose.yaml"
    text = path.read_text(encoding="utf-8")
    if text.count(_PLACEHOLDER) != 1:
        raise AgentbenchError(f"{path}: no line `{_PLACEHOLDER.strip()}` to fill in; restore the file")
    return text.replace(_PLACEHOLDER, f"    image: {tag}\n")


def agent_compose_file(tag: str) -> Path:
    """A file `compose.yaml` with that text, in the cache under its content's hash.

    A file, not an environment variable: Inspect reads the path again whenever it likes, and two processes
    with different images must not meet. The labels that say whose the container is do come from the
    environment, which is this process's own: `docker compose` fills them in.
    """
    fill_in_labels()
    content = agent_compose_text(tag).encode()
    path = cache_folder(f"compose/{hashlib.sha256(content).hexdigest()[:12]}") / "compose.yaml"
    if not path.exists():
        write_whole(path, content)
    return path


def fill_in_labels() -> None:
    """Set the variables of the compose file that say whose the container is, for every `docker compose`."""
    mine = labels(Kind.AGENT)
    os.environ.update({variable: mine[label] for variable, label in _FILLED_IN.items()})
