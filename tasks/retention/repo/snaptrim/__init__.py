"""Which snapshots stay and which may go."""

__version__ = "2.3.0"
