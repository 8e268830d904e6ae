"""What `mathonet discover` learns from: a file or a built-in system, as its options say."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathonet.errors import ConfigError, DataError
from mathonet.paths import refuse_address

if TYPE_CHECKING:
    from mathonet.data.table import Reading
    from mathonet.data.trajectory import Trajectory

COLUMNS = ("time", "states", "derivatives", "inputs", "experiment", "ignore")
"""What may be said of the columns of a file."""
OF_FILES = (*COLUMNS, "time_unit", "sheet")
ASIS = (
    *("order", "smoothing", "dense", "joint", "lambdas", "restarts", "cycles", "selection", "map_step"),
    *("epochs", "protocol", "seed", "budget"),
)
"""Options that are parameters of `Discoverer` as they are."""


def read_source(options: argparse.Namespace) -> tuple[list["Trajectory"], dict[str, Any]]:
    """The trajectories to learn from, and the parameters of the estimator that is to learn."""
    step = options.map_step or ("adam" if options.protocol == "paper" else "newton")
    if options.epochs is not None and step != "adam":
        raise ConfigError("--epochs belongs to adam: give --map-step adam as well, or leave it out.")
    trajectories, operations, hidden = _trajectories(options)
    hidden = options.hidden or hidden
    if options.dense and (hidden is None or len(hidden) < 2):
        raise ConfigError(
            "--dense joins later layers to earlier ones, so it needs two or more: give --hidden as well, "
            "such as --hidden 2 1."
        )
    parameters = {name: getattr(options, name) for name in ASIS}
    parameters["operations"] = options.operations or operations
    parameters["hidden"], parameters["known"] = hidden, _known(options.known)
    return trajectories, {
        name: list(value) if isinstance(value, tuple) else value for name, value in parameters.items()
    }


def _known(given: Sequence[str] | None) -> dict[str, str] | None:
    """Known terms by state, from STATE=FORMULA."""
    for each in given or ():
        if not all(part.strip() for part in each.partition("=")):
            raise ConfigError(f"--known takes STATE=FORMULA such as v=-9.81, got {each!r}.")
    parts = [each.partition("=") for each in given or ()]
    names = [name.strip() for name, _, _ in parts]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"--known names {twice!r} twice. Write its terms as one formula: {twice}=A + B.")
    return {name.strip(): formula.strip() for name, _, formula in parts} or None


def names_a_file(source: str) -> bool:
    """Whether a source is a file and not a built-in system."""
    from mathonet import systems

    refuse_address(source)
    path = Path(source)
    if path.suffix != "" or os.sep in source:
        if not os.path.exists(path) and path.stem in systems.names():
            raise DataError(f"There is no file {str(path)!r}. The built-in system is called {path.stem!r}.")
        return True
    return source not in systems.names() and os.path.exists(path)


def understood(options: argparse.Namespace) -> "Reading":
    """The file of a source, as the options and it say."""
    from mathonet.data.files.remarks import remark_on
    from mathonet.data.files.roles import Wanted
    from mathonet.data.table import understand
    from mathonet.data.trajectories import check_together

    wanted = Wanted(**{part: getattr(options, part) for part in COLUMNS})
    reading = understand(options.source, wanted, options.time_unit, options.sheet)
    check_together(reading.trajectories)
    remark_on(reading.trajectories, options.order)
    return reading


def _trajectories(options: argparse.Namespace):
    """The trajectories, and operations and architecture that come with a built-in system."""
    from mathonet import systems

    if names_a_file(options.source):
        if options.noise:
            raise ConfigError("--noise is for built-in systems; the noise of a file is its own.")
        return understood(options).trajectories, None, None
    tables = sorted(entry.name for entry in Path().iterdir() if entry.stem == options.source)
    if tables and options.source not in systems.names():
        raise DataError(
            f"There is no built-in system {options.source!r}. Did you mean the file {tables[0]!r}?"
        )
    system = systems.get(options.source)
    told = [name for name in OF_FILES if getattr(options, name) is not None]
    if told:
        name = told[0].replace("_", "-")
        raise ConfigError(f"--{name} is for files; the columns of a built-in system are its own.")
    if not 0 <= options.seed < 2**63:
        raise ConfigError(f"--seed must be a whole number from 0 to 2^63 - 1, got {options.seed}.")
    if not 0.0 <= options.noise < 10.0:
        raise ConfigError(f"--noise must be a share such as 0.01, got {options.noise}.")
    trajectory = system.simulate(derivative_noise=options.noise, seed=options.seed)
    return [trajectory], system.operations, system.hidden
