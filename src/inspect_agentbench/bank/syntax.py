"""Reading Python source without running it."""

import ast
import threading

_PARSER = threading.Lock()
"""Python 3.11's parser raises SystemError when two threads are in it."""


def check_python(source: bytes, name: str) -> None:
    """Raise SyntaxError or ValueError if the source cannot be compiled; more than its syntax may be wrong."""
    with _PARSER:
        compile(source, name, "exec", dont_inherit=True)


def parse_python(source: str | bytes) -> ast.Module:
    """The syntax tree of a module. Raises SyntaxError or ValueError if it is none."""
    with _PARSER:
        return ast.parse(source)
