"""Runs in the agent's container as root: times test runs there, where no exec of the engine counts.

Its argument holds the program of the tool `bash` and one request for each run; it prints the seconds.
"""

import json
import subprocess
import sys
import time


def main() -> None:
    """Run every request in its order; a run that is not green ends all."""
    asked = json.loads(sys.argv[1])
    print(json.dumps([seconds(asked["program"], request) for request in asked["requests"]]))


def seconds(program: str, request: dict[str, object]) -> float:
    """Wall time of one command, the tool's program around it included."""
    data = json.dumps(request).encode()
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-sP", "-c", program], input=data, capture_output=True)
    taken = time.perf_counter() - started
    reply = json.loads(done.stdout)
    if not reply["started"] or reply["exit"] != 0:
        sys.exit(f"a test run failed: {reply}")
    return taken


if __name__ == "__main__":
    main()
