"""`python -m inspect_agentbench.engine`: see to it that the sandbox image is there (used by `make setup`)."""

import sys

from inspect_agentbench.engine import check_compose, ensure_image
from inspect_agentbench.errors import AgentbenchError


def main() -> int:
    """Build the image if it is missing and print its name and fingerprint; 2 if it cannot be had."""
    try:
        check_compose()
        image = ensure_image(_say)
    except AgentbenchError as error:
        _say(str(error))
        return 2
    print(f"{image.tag} (fingerprint {image.fingerprint.short})")
    return 0


def _say(line: str) -> None:
    print(f"agentbench: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
