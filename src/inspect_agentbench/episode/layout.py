"""Where things are in the agent's container, and what its processes are given.

/home/agent/repo            the working tree, a git repository with one commit
/home/agent/ISSUE.md        the issue, outside the repository
/var/log/agentbench/        root's: the path log, one file for each command (see integrity.pathlog)

Nothing else is put there. The programs of `episode.inside` arrive on standard input and leave no file.
"""

from typing import Final

AGENT: Final = "agent"
"""The agent's user; its processes never run as anybody else."""

HOME: Final = "/home/agent"
WORKSPACE: Final = "/home/agent/repo"
ISSUE_PATH: Final = "/home/agent/ISSUE.md"
SHELL: Final = "/bin/bash"

ENVIRONMENT: Final[dict[str, str]] = {
    "HOME": HOME,
    "USER": AGENT,
    "LOGNAME": AGENT,
    "SHELL": SHELL,
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "PYTHONHASHSEED": "0",
}
"""The whole environment of every command; nothing is inherited."""
