"""Lay the starting tree down, and try the tracer. Runs as root in the agent's container.

Standard input: a JSON request in one line, then a tar with `repo/…` and `ISSUE.md`. Request: user, home,
workspace, environment, date, log_folder and tracer (command line that wants its output file's name next).
Reply: {"tracer": "" or why it does not work}. Everything but the probe is done as the agent's user.
"""

# pathlib takes longer to import than all of this.
# ruff: noqa: PTH101, PTH103, PTH108, PTH110, PTH118, PTH123

import json
import os
import pwd
import subprocess
import sys
import tarfile
from typing import Any

_PROBE = "/bin/true"
_PROBE_SECONDS = 10


def main() -> None:
    """Answer the request on standard input."""
    request = json.loads(sys.stdin.buffer.readline())
    user = pwd.getpwnam(request["user"])
    child = os.fork()
    if child == 0:
        _as_user(user, request)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("the tree could not be laid down")
    sys.stdout.write(json.dumps({"tracer": _probe(request)}) + "\n")


def _as_user(user: pwd.struct_passwd, request: dict[str, Any]) -> None:
    status = 1
    try:
        os.initgroups(user.pw_name, user.pw_gid)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
        os.umask(0o022)
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
            archive.extractall(request["home"], filter="fully_trusted")
        _commit(request)
        status = 0
    except Exception as error:  # the parent only sees the status
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    finally:
        os._exit(status)


def _commit(request: dict[str, Any]) -> None:
    """One commit by a fixed author at a fixed time, so that its id depends on the tree alone."""
    author = {
        "AUTHOR_NAME": "maintainer",
        "AUTHOR_EMAIL": "maintainer@localhost",
        "AUTHOR_DATE": request["date"],
    }
    committer = {name.replace("AUTHOR", "COMMITTER"): value for name, value in author.items()}
    environment = request["environment"] | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    environment |= {f"GIT_{name}": value for name, value in (author | committer).items()}
    for arguments in (
        ["init", "--quiet", "--template=", "--initial-branch=main"],
        ["config", "user.name", request["user"]],
        ["config", "user.email", f"{request['user']}@localhost"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", "--no-verify", "--message=State at the time of the report"],
    ):
        subprocess.run(
            ["/usr/bin/git", *arguments], cwd=request["workspace"], env=environment, check=True, timeout=60
        )


def _probe(request: dict[str, Any]) -> str:
    """Why tracing does not work here: empty if the log of a traced program holds its own start."""
    os.makedirs(request["log_folder"], mode=0o700, exist_ok=True)
    os.chmod(request["log_folder"], 0o700)
    log = os.path.join(request["log_folder"], "probe")
    try:
        run = subprocess.run(
            [*request["tracer"], log, _PROBE],
            env=request["environment"],
            capture_output=True,
            timeout=_PROBE_SECONDS,
        )
        if run.returncode != 0:
            return run.stderr.decode("utf-8", "replace").strip()[:200] or f"exit status {run.returncode}"
        with open(log, encoding="utf-8", errors="replace") as file:
            return "" if f'execve("{_PROBE}"' in file.read() else "the tracer sees nothing"
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)[:200]
    finally:
        if os.path.exists(log):
            os.unlink(log)


if __name__ == "__main__":
    main()
