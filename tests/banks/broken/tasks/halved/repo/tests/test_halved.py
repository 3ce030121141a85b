from halved import run  # noqa: F401
