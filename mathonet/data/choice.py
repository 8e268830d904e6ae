"""Choice: what was found out about a file rather than given, told as a warning of its own kind."""

import warnings


class Choice(UserWarning):
    """A column, sheet or unit that was chosen for the user; naming it oneself silences most of them."""


def tell(text: str) -> None:
    """Say what was chosen."""
    warnings.warn(text, Choice, stacklevel=2)
