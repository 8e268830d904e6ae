"""The process of a command: when it began, and how Ctrl-C ends it even while compiled code runs.

Python calls its handlers of signals between its own instructions. While a program is compiled or a library
computes there are none, for seconds; a thread that is told by the system ends the process instead.
"""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended."""
GRACE = 1.0
"""Seconds for Python to end by itself, and to clean up, before the process is ended."""
LONG_AGO = 60.0
"""Seconds before this import that are no start of a program any more: then another one has taken it up."""
SHOW_CURSOR = b"\x1b[?25h"

IMPORTED = time.monotonic()


class _Ending:
    """How often Ctrl-C may be pressed before the process ends, and its last words then."""

    spared = 0
    words = "stopped"


def process_began() -> float:
    """When this process began, by `time.monotonic`: the user has waited since; else when it loaded this."""
    try:
        with open("/proc/self/stat", "rb") as file:
            # Counted after the name of the program, which may hold anything.
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return IMPORTED
    began = time.monotonic() - age
    return began if 0.0 <= IMPORTED - began < LONG_AGO else IMPORTED


def end_at_ctrl_c() -> None:
    """See to it that this process ends soon after Ctrl-C, whatever it does; once, from the main thread."""
    told, telling = socket.socketpair()
    telling.setblocking(False)
    signal.set_wakeup_fd(telling.detach(), warn_on_full_buffer=False)

    def wait() -> None:
        while True:
            # Each signal is one byte, its number. What is spared is looked at only when one has come.
            pressed = told.recv(64).count(signal.SIGINT)
            _Ending.spared -= pressed
            if _Ending.spared < 0:
                time.sleep(GRACE)
                end_now(INTERRUPTED, _Ending.words)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def spared_once(words: str) -> Iterator[None]:
    """Let Ctrl-C be pressed once while something goes on that will end by itself; the next one ends it.

    Args:
        words: what to say if it does.
    """
    before = _Ending.words
    _Ending.spared, _Ending.words = 1, words
    try:
        yield
    finally:
        _Ending.spared, _Ending.words = 0, before


def end_now(code: int, words: str = "") -> None:
    """End the process without waiting for threads or locks of others; what was written before stays."""
    if words:
        os.write(2, f"{words}\n".encode(errors="backslashreplace"))
    if os.isatty(1):
        os.write(1, SHOW_CURSOR)
    os._exit(code)
