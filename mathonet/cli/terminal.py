"""The terminal: what is written there goes on in silence when its reader leaves, as `head` does."""

import io
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mathonet.printable import printable, shortened

LONGEST = 2000
"""Characters of a line on standard error: a file of 100,000 columns must not be told whole."""

_OPTION = re.compile(r"(the )?option '(?P<name>[a-z_]+)'")


def stderr(text: str) -> None:
    """Write a line to standard error; no text of a file commands the terminal there, or floods it."""
    with suppress(BrokenPipeError):
        sys.stderr.write(printable(shortened(as_typed(text), LONGEST)) + "\n")
        sys.stderr.flush()


def as_typed(text: str) -> str:
    """A message with options as they are typed here; those of Python have other names."""
    return _OPTION.sub(lambda found: f"--{found['name'].replace('_', '-')}", text)


def stdout(text: str) -> None:
    """Write a result to standard output: as it is to a file or a program, fit to be seen to a terminal."""
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


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
    from rich.console import Console, RenderHook
    from rich.segment import Segment

    class Lasting(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush()

    class Shown:
        """Something with the controls in its text by their numbers; those of the console itself go on."""

        def __init__(self, content: Any) -> None:
            self.content = content

        def __rich_console__(self, console: Console, options: Any) -> Iterator[Segment]:
            for text, style, control in console.render(self.content, options):
                yield Segment(text if control else printable(text), style, control)

    class Harmless(RenderHook):
        def process_renderables(self, renderables: list[Any]) -> list[Any]:
            return [Shown(each) for each in renderables]

    made = Lasting(stderr=apart)
    made.push_render_hook(Harmless())
    return made


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Warnings as one line each, and what was chosen for the user as a note."""
    from mathonet.data.choice import Choice

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        stderr(f"{'note' if issubclass(category, Choice) else 'warning'}: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
