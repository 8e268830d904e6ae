"""The errors a user can cause and correct: each message says what is wrong, what was found, what to do."""


class DataError(ValueError):
    """The measurements cannot be used as given."""


class ConfigError(ValueError):
    """A setting, name or option cannot be used as given."""


class ArchiveError(ValueError):
    """A saved result cannot be read or written."""


class SimulationError(ValueError):
    """A simulation that blows up or cannot be continued.

    Attributes:
        reached: the last asked time up to which the solution is known; None where that is not known.
    """

    def __init__(self, message: str, reached: float | None = None) -> None:
        """Set what to say and how far the simulation came."""
        super().__init__(message)
        self.reached = reached
