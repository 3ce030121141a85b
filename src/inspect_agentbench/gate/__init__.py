"""The gate: what a family must pass before any model sees it. Knows docker, not Inspect."""
