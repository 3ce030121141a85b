"""Programs that run in the agent's container, on the image's own Python, from standard input.

Each is one file of the standard library's means. It reads a JSON request and writes one line of JSON.
They leave no file behind, and none is visible in the process list beyond `python3 -sP -c …`.
"""
