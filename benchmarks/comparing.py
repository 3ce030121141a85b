"""`python -m benchmarks.comparing`: what a comparison of a thousand episodes costs.

The logs are made up (tests/fabricate.py): 10 models x 20 families x 5 runs, and half as many for the growth,
each episode with a transcript of about 20 kB. Each size runs in a process of its own, whose peak memory is
read at its end.
"""

import importlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from inspect_ai.model import ChatMessageUser

TESTS = Path(__file__).parents[1] / "tests"
FAMILIES, RUNS = 20, 5
_WORDS = ("sssss", "sifss", "ffsif", "iiiii", "fffff")


def make_logs(folder: Path, models: int) -> int:
    """Write the logs of so many models; how many episodes they hold."""
    sys.path.insert(0, str(TESTS))
    fabricate = importlib.import_module("fabricate")
    for number in range(models):
        table = {f"family{f:02}": _WORDS[(f * 7 + number * 3) % len(_WORDS)] for f in range(FAMILIES)}
        log = fabricate.log(f"lab/model-{number}", table, number)
        for sample in log.samples:
            sample.messages = [ChatMessageUser(content=f"{turn} " * 500) for turn in range(20)]
        fabricate.write(folder, log)
    return models * FAMILIES * RUNS


def measure_here(folder: Path) -> dict[str, float]:
    """Read, compare and render in this process; seconds, peak memory in MB, size of the page in MB."""
    import resource

    from inspect_agentbench.cli.compare import compared
    from inspect_agentbench.compare.html import render_html

    started = time.perf_counter()
    found = compared((folder,))
    read = time.perf_counter()
    page = render_html(found)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "episodes": len(found.rows),
        "compare_seconds": round(read - started, 2),
        "page_seconds": round(done - read, 2),
        "peak_mb": round(peak),
        "page_mb": round(len(page.encode()) / 1e6, 2),
    }


@click.command()
@click.option("--inside", type=click.Path(path_type=Path), hidden=True)
def main(inside: Path | None) -> None:
    """Measure 500 and 1,000 episodes."""
    if inside is not None:
        click.echo(json.dumps(measure_here(inside)))
        return
    results = []
    with tempfile.TemporaryDirectory() as name:
        for models in (5, 10):
            folder = Path(name) / str(models)
            make_logs(folder, models)
            command = [sys.executable, "-m", "benchmarks.comparing", "--inside", str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            results.append(json.loads(done.stdout.splitlines()[-1]))
            click.echo(results[-1])
    growth = results[1]["compare_seconds"] / results[0]["compare_seconds"]
    click.echo(f"twice the episodes take {growth:.2f} times as long")


if __name__ == "__main__":
    main()
