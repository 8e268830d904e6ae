"""The errors a user can cause and correct: each message says what is wrong, what was found, what to do."""


class DataError(ValueError):
    """The measurements cannot be used as given."""


class ConfigError(ValueError):
    """A setting, name or option cannot be used as given."""


class ArchiveError(ValueError):
    """A saved result cannot be read or written."""


class SimulationError(ValueError):
    """A simulation that blows up or cannot be continued."""
