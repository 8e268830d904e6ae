"""The terminal: what is written there goes on in silence when its reader leaves, as `head` does."""

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def stderr(text: str) -> None:
    """Write a line to standard error."""
    with suppress(BrokenPipeError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def write_anything() -> None:
    """Let letters that the terminal has not be written by their numbers: a result is worth more."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def hush() -> None:
    """Let what is still to be printed vanish: nobody reads it, and Python would complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console(apart: bool = False):
    """A console that outlives its reader: a search is worth more.

    Args:
        apart: on standard error, where standard output is for something else.
    """
    from rich.console import Console

    class Lasting(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush()

    return Lasting(stderr=apart)


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Warnings as one line each, and what was chosen for the user as a note."""
    from mathonet.data.choice import Choice

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        stderr(f"{'note' if issubclass(category, Choice) else 'warning'}: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
