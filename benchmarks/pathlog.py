"""What tracing costs a test run: the visible suite traced and plain, in turns, inside one container."""

from .agent import agent_container
from .results import Figure, at_most
from .setting import Setting
from .timing import Pairs

NAME = "pathlog"


def measure(setting: Setting) -> list[Figure]:
    """One container; the first of each kind is not counted, since it compiles the modules."""
    with agent_container(setting) as agent:
        seconds = agent.time_test_runs([True, False] * (setting.repeat + 1))[2:]
    pairs = Pairs(tuple(seconds[::2]), tuple(seconds[1::2]))
    return [
        Figure(NAME, "test run, traced over plain", "", pairs.ratios, at_most(1.3)),
        Figure(NAME, "test run, traced", "s", pairs.first),
        Figure(NAME, "test run, plain", "s", pairs.second),
    ]
