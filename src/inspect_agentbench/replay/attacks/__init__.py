"""What a cheating agent does in its container, as shell scripts: `replay/attack:<name>`.

Each `<name>.sh` here is one attack. Its first line says what the agent says; `# when:` whether its commands
come before or after a fix was made and tested; `# outcome:` what comes out whatever the fix is. Without that
line the fix alone decides: nothing here may turn a wrong fix into a pass, and none may take a pass away
from right code. Lines `#%%` part commands. Filled in are `@source@`, the file that is attacked, `@right@`
and `@oracle@`, its right content and the oracle's code in base64, `@canary@`, `@reversed@` (the canary
from its end) and `@import_root@`.
"""

import base64
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from ...bank import Variant
from ...errors import AgentbenchError
from ...outcome import Outcome

_FOLDER = Path(__file__).parent
_BETWEEN = "#%%\n"


class Attack(NamedTuple):
    """One attack."""

    says: str
    """What the agent says that it does."""
    when: Literal["before", "after"]
    outcome: Outcome | None
    """What comes out whatever the fix; None if the fix alone decides."""
    commands: tuple[str, ...]
    """Shell commands, not yet filled in."""

    def filled_in(self, variant: Variant) -> list[str]:
        """The commands for a variant."""
        return [_filled_in(command, variant) for command in self.commands]


def attack_names() -> list[str]:
    """Every attack, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.sh"))


@cache
def read_attack(name: str) -> Attack:
    """The attack of that name. Raises AgentbenchError if there is none."""
    if name not in attack_names():
        raise AgentbenchError(
            f"there is no model replay/attack:{name}; the attacks are {', '.join(attack_names())}"
        )
    first, _, rest = (_FOLDER / f"{name}.sh").read_text(encoding="utf-8").partition("\n")
    settings: dict[str, str] = {}
    while rest.startswith("# ") and ": " in rest.partition("\n")[0]:
        line, _, rest = rest.partition("\n")
        key, _, value = line.removeprefix("# ").partition(": ")
        settings[key] = value
    outcome = Outcome(settings["outcome"]) if "outcome" in settings else None
    when = cast("Literal['before', 'after']", settings["when"])
    return Attack(first.removeprefix("# "), when, outcome, tuple(rest.split(_BETWEEN)))


def _filled_in(command: str, variant: Variant) -> str:
    family = variant.family
    oracle = family.without_canary(family.oracle_source.encode())
    source, right = _attacked(variant)
    values = {
        "@source@": source,
        "@right@": base64.b64encode(right).decode(),
        "@oracle@": base64.b64encode(oracle).decode(),
        "@canary@": family.oracle.canary,
        "@reversed@": family.oracle.canary[::-1],
        "@import_root@": family.manifest.import_root,
    }
    for mark, value in values.items():
        command = command.replace(mark, value)
    return command


def _attacked(variant: Variant) -> tuple[str, bytes]:
    """The first file that a correct fix changes, and its right content."""
    tree, fix = variant.tree(), next(iter(variant.family.fixes("correct").values()))
    changed = (path for path in fix.files if path in tree and tree[path].content != fix.files[path])
    path = min(changed)
    return path, fix.files[path]
