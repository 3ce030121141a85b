"""Where the bank and the sandbox files are.

In a source tree (editable install included) the folders at its root are used; only without them
the copy that the wheel carries.
"""

import os
from pathlib import Path

BANK_VARIABLE = "AGENTBENCH_BANK"
_PACKAGE = Path(__file__).resolve().parents[1]


def data_root() -> Path:
    """The folder that holds `tasks/`, `oracles/` and `sandboxes/`."""
    source_tree = _PACKAGE.parents[1]
    if _PACKAGE.parent.name == "src" and (source_tree / "tasks").is_dir():
        return source_tree
    return _PACKAGE / "_data"


def default_bank_root() -> Path:
    """The bank named by AGENTBENCH_BANK, otherwise the one that the project ships."""
    named = os.environ.get(BANK_VARIABLE)
    return Path(named).expanduser() if named else data_root()
