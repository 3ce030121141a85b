"""Runs one eval in this process and prints its peak memory.

    python -m benchmarks.memory_child ours|bare FOLDER IMAGE

For `bare` nothing of the package is imported, and neither is what Inspect needs for its usual metrics.
"""

import resource
import sys
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState, generate

from .compose import plain_compose


def run_ours(folder: Path, image: str) -> None:
    """An episode of the embedded model."""
    from .evals import OURS, run_one

    run_one(OURS, "replay/correct", folder).require("solved")


def run_bare(folder: Path, image: str) -> None:
    """A reply, a container in which nothing happens, and a scorer that looks at the reply."""
    sys.modules["inspect_agentbench"] = None  # type: ignore[assignment]  # Inspect loads every entry point
    output = ModelOutput.from_content("scripted", "yes")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    task = Task(
        name="bare",
        dataset=MemoryDataset([Sample(id="bare", input="Say yes.", target="yes")]),
        solver=generate(),
        scorer=same(),
        sandbox=("docker", plain_compose(folder, image)),
    )
    model = get_model("mockllm/model", custom_outputs=[output], memoize=False)
    log = inspect_eval(task, model=model, log_dir=str(folder), display="none", log_level="error")[0]
    if log.status != "success":
        sys.exit(f"the bare run did not succeed: {log.error.message if log.error else log.status}")


@scorer(metrics=[])
def same() -> Scorer:
    """Whether the reply is the target."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=state.output.completion == target.text)

    return score


def peak_megabytes() -> float:
    """The largest resident size of this process.

    On Linux not `ru_maxrss`: it survives exec, so that a large parent would count.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # macOS counts bytes


if __name__ == "__main__":
    {"ours": run_ours, "bare": run_bare}[sys.argv[1]](Path(sys.argv[2]), sys.argv[3])
    print(peak_megabytes())
