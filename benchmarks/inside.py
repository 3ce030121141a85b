"""Runs in the agent's container as root: times test runs there, where no exec of the engine counts.

Its argument holds the program of the tool `bash` and one request for each run; it prints the seconds.
"""

import json
import os
import subprocess
import sys
import time


def main() -> None:
    """Run every request in its order; a run that is not green ends all."""
    asked = json.loads(sys.argv[1])
    print(json.dumps([seconds(asked["program"], request) for request in asked["requests"]]))


def processes() -> int:
    """How many processes the container has."""
    return sum(name.isdigit() for name in os.listdir("/proc"))  # noqa: PTH208 - pathlib is slow to import


def seconds(program: str, request: dict[str, object]) -> float:
    """Wall time of one command, the tool's program around it included."""
    data, before = json.dumps(request).encode(), processes()
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-sP", "-c", program], input=data, capture_output=True)
    taken = time.perf_counter() - started
    while processes() > before:  # the tracer ends a little later; the next run must not pay for it
        time.sleep(0.005)
    reply = json.loads(done.stdout or b"{}")
    if reply.get("exit") != 0:
        sys.exit(f"a test run failed: {reply} {done.stderr.decode()}")
    return taken


if __name__ == "__main__":
    main()
