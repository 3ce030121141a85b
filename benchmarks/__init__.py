"""Repeatable measurements of what the suite costs: `python -m benchmarks`. See docs/benchmarks.md."""
