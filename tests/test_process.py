"""Ctrl-C ends a command whatever it does, and its time is counted from the start of its process."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mathonet.process import LONG_AGO, process_began

BUSY = """
import signal, sys, time
from mathonet.process import end_at_ctrl_c, spared_once

end_at_ctrl_c()
signal.signal(signal.SIGINT, lambda *_: None)  # as where an exception is lost in compiled code


def busy():
    print("ready", flush=True)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(0.05)


if sys.argv[1] == "searching":
    with spared_once("gone"):
        busy()
busy()
"""


def press(process: subprocess.Popen, times: int) -> None:
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)


@pytest.mark.parametrize(("stage", "times", "words"), [("before", 1, "stopped"), ("searching", 2, "gone")])
def test_what_does_not_listen_is_ended(stage, times, words):
    process = subprocess.Popen(
        [sys.executable, "-c", BUSY, stage], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    press(process, times - 1)
    time.sleep(1.5)
    assert process.poll() is None
    press(process, 1)
    _, told = process.communicate(timeout=10)
    assert (process.returncode, told) == (130, f"{words}\n")


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "JAX_PLATFORMS": "cpu"}
    # A process inherits that a signal is ignored, as Ctrl-C is in the background of a shell, but no handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "mathonet.cli", "discover", *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("after", [0.5, 1.5])
def test_one_ctrl_c_ends_a_command_that_has_not_begun_to_search(tmp_path, after):
    """While it imports: an exception may be lost there."""
    process = start(tmp_path, "lorenz")
    time.sleep(after)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), told
    assert time.monotonic() - began < 10
    assert not (tmp_path / "runs" / "lorenz" / "equations.json").exists()


def test_two_end_a_search_that_compiles(tmp_path):
    """Nothing is in the cache, so it compiles for seconds; the run can be resumed."""
    process = start(tmp_path, "lorenz")
    while not (tmp_path / "runs" / "lorenz" / "unfinished" / "run.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)
    press(process, 1)
    began = time.monotonic()
    press(process, 1)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert time.monotonic() - began < 10
    assert "to go on: mathonet discover --resume runs/lorenz" in told
    assert [each.name for each in (tmp_path / "runs").iterdir()] == ["lorenz"]


def test_a_process_began_before_it_was_asked():
    now = time.monotonic()
    assert now - process_began() >= 0.0
    code = "import time; from mathonet.process import process_began as b; print(time.monotonic() - b())"
    began = time.monotonic()
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 0.0 < float(shown) < time.monotonic() - began + 0.1 < LONG_AGO
