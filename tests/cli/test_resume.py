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

QUICK = ["--operations", "ident"]


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


def undisturbed(place: Path, table: pd.DataFrame, options: list[str]) -> None:
    """Leave a table in a folder, and a run of it that nobody disturbs, with its time."""
    table.to_csv(place / "data.csv", index=False)
    # Once to compile, and once to know how long it takes.
    finish(start("data.csv", *options, "--out", "warm", cwd=place))
    began = time.monotonic()
    finish(start("data.csv", *options, "--out", "whole", cwd=place))
    (place / "seconds").write_text(str(time.monotonic() - began))


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with a table of noisy derivatives, and an undisturbed run of it with its time."""
    place = tmp_path_factory.mktemp("resume")
    data = systems.get("pendulum").simulate(derivative_noise=0.01)
    columns = [data.t, *data.x.T, *data.x_dot.T]
    names = ["t", *data.names, *(f"d{name}/dt" for name in data.names)]
    undisturbed(place, pd.DataFrame(dict(zip(names, columns, strict=True))), QUICK)
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


def kill_and_resume(place: Path, moments: list[float], name: str, options: list[str] = QUICK) -> int:
    """Kill a run, and then what resumes it, at each moment; resume it to its end. How often it was killed."""
    folder, whole = place / name, result(place / "whole")
    source = place / f"{name}.csv"
    source.write_bytes((place / "data.csv").read_bytes())
    killed, arguments = 0, [source.name, *options, "--out", name]
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


def states_alone() -> pd.DataFrame:
    """A pendulum's states with noise: every choice is made on the measured path."""
    data = systems.get("pendulum").simulate()
    noise = 0.01 * np.random.default_rng(0).normal(size=data.x.shape)
    return pd.DataFrame({"t": data.t, **dict(zip(data.names, (data.x + noise).T, strict=True))})


def saturation() -> pd.DataFrame:
    """Growth that saturates: a rational law, which no polynomial holds."""
    rng = np.random.default_rng(0)
    t, x = np.arange(80.0), rng.uniform(0.1, 4.0, size=80)
    rate = 1.0 - 2.0 * x / (0.5 + x)
    return pd.DataFrame({"t": t, "x": x, "dx/dt": rate + 0.002 * rng.normal(size=80)})


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("table", "operation", "sign"), [(states_alone, "sin", "sin("), (saturation, "inv", "/")]
)
def test_other_searches_go_on_to_the_same_equations_too(tmp_path, table, operation, sign):
    """States alone, and a law that only later proposers find: killed early, midway and near the end."""
    options = ["--operations", "ident", operation]
    undisturbed(tmp_path, table(), options)
    assert any(sign in each["text"] for each in result(tmp_path / "whole")["equations"])
    seconds = float((tmp_path / "seconds").read_text())
    moments = [0.1 * seconds, 0.4 * seconds, 0.7 * seconds]
    assert kill_and_resume(tmp_path, moments, "thrice", options) >= 2
