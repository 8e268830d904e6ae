"""Commands on the folder of a finished run: mathonet simulate, report, export."""

import argparse
from pathlib import Path

from mathonet.cli.terminal import stdout
from mathonet.errors import ConfigError, DataError
from mathonet.printable import printable, shortened
from mathonet.writing import write_file

_SAME = 2
"""First lines, header and start, by which a file is told to be an earlier simulation, and may be replaced."""
MOST_TIMES = 1_000_000
"""Times that are simulated at once: more have hardly a use, and would fill the memory."""


def _load_discoverer(folder: str, done: str):
    """The estimator of a run, refused where what is to be done to it is for trajectories."""
    from mathonet.estimators.discoverer import Discoverer
    from mathonet.estimators.loading import load

    estimator = load(folder)
    if not isinstance(estimator, Discoverer):
        raise ConfigError(
            f"{folder} holds a {type(estimator).__name__}; only equations of trajectories can be {done}."
        )
    return estimator


def simulate(options: argparse.Namespace) -> int:
    """Simulate the equations of a run and write the states as CSV."""
    import numpy as np
    import pandas as pd

    estimator = _load_discoverer(options.folder, "simulated")
    trajectories = estimator.trajectories_
    if not 1 <= options.trajectory <= len(trajectories):
        raise ConfigError(
            f"--trajectory must be from 1 to {len(trajectories)}, the number of trajectories in "
            f"{options.folder}; got {options.trajectory}."
        )
    number = options.trajectory - 1
    chosen = trajectories[number]
    times = chosen.t if options.times is None else _times(options.times)
    start = _start(estimator, number, times[0]) if options.x0 is None else options.x0
    drive = None
    if chosen.u is not None:
        if times[0] < chosen.t[0] or times[-1] > chosen.t[-1]:
            raise DataError(
                f"The inputs {list(chosen.input_names)} are known from t = {chosen.t[0]:g} to "
                f"{chosen.t[-1]:g}; choose --times within."
            )
        from mathonet.data.drive import between

        drive = between(chosen.t, chosen.u, times)
    states = estimator.discovery_.system.simulate(start, times, drive)
    names = estimator.discovery_.system.names
    table = pd.DataFrame(np.column_stack([times, states]), columns=[_time_name(names), *names])
    text = table.to_csv(index=False)
    if options.out is None:
        stdout(text)
        return 0
    begins = text.encode(errors="backslashreplace").splitlines()[:_SAME]
    write_file(options.out, text, lambda beginning: beginning.splitlines()[:_SAME] == begins)
    return 0


def _time_name(names: tuple[str, ...]) -> str:
    return next(name for name in ("t", "time", "_time") if name not in names)


def _times(given: list[str]):
    """Times as they were asked for."""
    import numpy as np

    try:
        if len(given) == 1 and given[0].count(":") == 2:
            start, end, number = given[0].split(":")
            if not 2 <= int(number) <= MOST_TIMES:
                raise ConfigError(
                    f"--times {shortened(given[0])}: give from 2 to {MOST_TIMES:,} times, in several runs of "
                    "the command if need be."
                )
            return np.linspace(float(start), float(end), int(number))
        return np.array([float(each) for each in given])
    except ValueError as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(
            "--times takes increasing numbers, or one START:END:NUMBER such as 0:10:101; got "
            f"{shortened(' '.join(given))}."
        ) from error


def _start(estimator, number: int, first: float):
    """Where the data of a trajectory start: as measured, or smoothed where states alone were measured."""
    trajectory, measured = estimator.trajectories_[number], estimator.discovery_.measured
    if first != trajectory.t[0]:
        raise ConfigError(
            f"The data start at t = {trajectory.t[0]:g}, and the times at {first:g}: give --x0, the states "
            "there."
        )
    if measured is None:
        return trajectory.x[0]
    return measured.x[sum(len(each) for each in measured.trajectories[:number])]


def report(options: argparse.Namespace) -> int:
    """Write the report of a run."""
    from mathonet.estimators.loading import load
    from mathonet.report.page.page import write_report

    place = Path(options.folder) / "report.html" if options.out is None else options.out
    path = write_report(load(options.folder), place)
    stdout(f"{printable(str(path))}\n")
    return 0


def export(options: argparse.Namespace) -> int:
    """Write the equations of a run as source code."""
    text = _load_discoverer(options.folder, "exported").export(options.to, options.out)
    stdout(text if options.out is None else f"{printable(options.out)}\n")
    return 0
