"""A run that is killed at any moment: its archive loads or is absent, and it goes on to the same result."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mathonet import ArchiveError, load, systems

QUICK = ["--operations", "ident", "--restarts", "3"]


def start(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"XDG_CACHE_HOME": str(cwd / "cache"), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "mathonet.cli", "discover", *arguments]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def finish(process: subprocess.Popen[bytes]) -> None:
    _, told = process.communicate(timeout=280)
    assert process.returncode == 0, told.decode()


def result(folder: Path) -> dict:
    """What was found; the time it took differs."""
    content = json.loads((folder / "equations.json").read_text())
    return {key: value for key, value in content.items() if key != "seconds"}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with a table of noisy derivatives, and an undisturbed run of it with its time."""
    place = tmp_path_factory.mktemp("resume")
    data = systems.get("pendulum").simulate(derivative_noise=0.01)
    columns = [data.t, *data.x.T, *data.x_dot.T]
    names = ["t", *data.names, *(f"d{name}/dt" for name in data.names)]
    pd.DataFrame(dict(zip(names, columns, strict=True))).to_csv(place / "swing.csv", index=False)
    # Once to compile, and once to know how long it takes.
    finish(start("swing.csv", *QUICK, "--out", "warm", cwd=place))
    began = time.monotonic()
    finish(start("swing.csv", *QUICK, "--out", "whole", cwd=place))
    (place / "seconds").write_text(str(time.monotonic() - began))
    return place


def kill(process: subprocess.Popen[bytes], after: float, folder: Path) -> bool:
    """Kill a process some seconds after its folder appeared, or after its beginning; whether it still ran."""
    began = time.monotonic()
    while not folder.exists() and process.poll() is None and time.monotonic() - began < 120:
        time.sleep(0.002)
    time.sleep(after)
    running = process.poll() is None
    if running:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    return running


def assert_whole_or_absent(folder: Path, whole: dict) -> None:
    try:
        model = load(folder)
    except ArchiveError as error:
        assert "archive.json is missing" in str(error) or "There is no folder" in str(error)  # noqa: PT017
        return
    assert model.equations() == [each["text"] for each in whole["equations"]]


def kill_and_resume(place: Path, moments: list[float], name: str) -> int:
    """Kill a run, and then what resumes it, at each moment; resume it to its end. How often it was killed."""
    folder, whole = place / name, result(place / "whole")
    source = place / f"{name}.csv"
    source.write_bytes((place / "swing.csv").read_bytes())
    killed, arguments = 0, [source.name, *QUICK, "--out", name]
    for moment in moments:
        killed += kill(start(*arguments, cwd=place), moment, folder)
        assert_whole_or_absent(folder, whole)
        if folder.exists():
            source.unlink(missing_ok=True)
            arguments = ["--resume", name]
    finish(start(*arguments, cwd=place))
    assert result(folder) == whole
    assert load(folder).equations() == [each["text"] for each in whole["equations"]]
    assert not (folder / "unfinished").exists()
    return killed


def test_a_killed_run_goes_on_to_the_same_equations(place):
    """Killed at once, then while it goes on; the file it learned from has vanished."""
    seconds = float((place / "seconds").read_text())
    assert kill_and_resume(place, [0.0, 0.5 * seconds], "twice") >= 1
    finish(start("--resume", "twice", cwd=place))
    assert result(place / "twice") == result(place / "whole")


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_twenty_random_moments(place):
    """Ten runs, each killed twice: once in its beginning, and once while it goes on."""
    seconds = float((place / "seconds").read_text())
    moments = np.random.default_rng(0).uniform(0.0, 0.9 * seconds, size=(10, 2))
    killed = sum(kill_and_resume(place, each.tolist(), f"run{n}") for n, each in enumerate(moments))
    assert killed >= 15
