"""`python -m benchmarks.nullcampaigns`: how often a campaign of equal models names a winner.

Simulated under a true null: families differ in difficulty, and each model has its own luck with each family
(interaction), but no model is better than another. Any winner named is an error.
"""

from itertools import combinations

import click
import numpy as np

from inspect_agentbench.stats import (
    FamilyCounts,
    Verdict,
    decide,
    upper_bound,
    wins_losses,
)

DIFFICULTY_SD = 2.0
INTERACTION_SD = 0.7
"""In logits."""


def solved_runs(
    random: np.random.Generator, models: int, families: int, runs: int
) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Solved runs of each model (rows) on each family (columns)."""
    difficulty = random.normal(0, DIFFICULTY_SD, families)
    luck = random.normal(0, INTERACTION_SD, (models, families))
    counts: np.ndarray[tuple[int, int], np.dtype[np.int64]] = random.binomial(
        runs, 1 / (1 + np.exp(-(difficulty + luck)))
    )
    return counts


def names_a_winner(counts: "np.ndarray[tuple[int, int], np.dtype[np.int64]]", runs: int) -> bool:
    """Whether any of all pairs is decided, as `agentbench compare` decides."""
    models, families = counts.shape
    pairs = [
        wins_losses(
            [FamilyCounts(str(f), int(counts[a, f]), int(counts[b, f]), runs) for f in range(families)]
        )
        for a, b in combinations(range(models), 2)
    ]
    return any(decision.verdict is Verdict.AHEAD for decision in decide(pairs))


@click.command()
@click.option("--campaigns", default=2000, show_default=True, type=click.IntRange(min=1))
@click.option("--models", default=5, show_default=True, type=click.IntRange(min=2))
@click.option("--families", default=15, show_default=True, type=click.IntRange(min=1))
@click.option("--runs", default=3, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True, type=int)
def main(campaigns: int, models: int, families: int, runs: int, seed: int) -> None:
    """Simulate campaigns of equal models, and count those that name a winner."""
    random = np.random.default_rng(seed)
    named = sum(names_a_winner(solved_runs(random, models, families, runs), runs) for _ in range(campaigns))
    click.echo(
        f"{named} of {campaigns} campaigns ({models} models x {families} families x {runs} runs, all pairs) "
        f"name a winner where there is none: {100 * named / campaigns:.2f} %, "
        f"at most {100 * upper_bound(named, campaigns):.2f} % at 95 % confidence"
    )


if __name__ == "__main__":
    main()
