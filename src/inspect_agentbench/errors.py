"""The ways in which this package fails."""


class AgentbenchError(Exception):
    """The user's input or machine is at fault: one line saying what, where and what to do.

    The command line prints it and exits with code 2; inside Inspect it becomes a `PrerequisiteError`.
    """


class HarnessFault(Exception):
    """The harness failed, not the submission: docker died, a judge crashed, the image is gone.

    Never turned into a verdict. A sample that meets one is `errored`.
    """


class OracleFault(HarnessFault):
    """The oracle of a family failed in its judge: its author has something to mend."""


class EngineUnavailable(AgentbenchError):
    """There is no docker engine that could be used."""
