from unmatched import run  # noqa: F401
