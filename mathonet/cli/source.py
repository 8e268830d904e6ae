"""What `mathonet discover` learns from: a file or a built-in system, as its options say."""

import argparse
import difflib
import os
import sys
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
    *("epochs", "protocol", "seed", "budget", "effort"),
)
"""Options that are parameters of `Discoverer` as they are."""
WHOLE = {"restarts": (1, 100_000), "cycles": (1, 10_000), "seed": (0, 2**63 - 1), "epochs": (1, 1_000_000)}
LAYERS, NEURONS = 10, 100
OPERATIONS = ("ident", "sin", "cos", "tan", "exp", "log", "sqrt", "square", "cube", "inv", "tanh", "abs")
"""What a search may be asked; the same as where it is used, which takes seconds to load."""


def check_search(options: argparse.Namespace) -> None:
    """Refuse what no search can be asked; quick, because the numerical stack is not loaded for it.

    Raises:
        ConfigError: That names the option.
    """
    step = options.map_step or ("adam" if options.protocol == "paper" else "newton")
    if options.epochs is not None and step != "adam":
        raise ConfigError("--epochs belongs to adam: give --map-step adam as well, or leave it out.")
    for name, (least, most) in WHOLE.items():
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            raise ConfigError(f"--{name} must be a whole number from {least} to {most}, got {value}.")
    if options.budget is not None and not 0 < options.budget < float("inf"):
        raise ConfigError(f"--budget must be a positive number of seconds, such as 60, got {options.budget}.")
    for value in options.lambdas or ():
        if not 0 < value < 1e3:
            raise ConfigError(f"--lambdas must be positive numbers such as 1e-3, got {value}.")
    if options.hidden is not None and not (
        len(options.hidden) <= LAYERS and all(1 <= count <= NEURONS for count in options.hidden)
    ):
        raise ConfigError(
            f"--hidden takes the neurons of each hidden layer, 1 to {NEURONS} in at most {LAYERS} layers, "
            f"such as --hidden 3; got {' '.join(map(str, options.hidden))}."
        )
    _check_operations(options.operations or ())
    known_terms(options.known)


def check_layers(options: argparse.Namespace, hidden: Sequence[int] | None) -> None:
    """Refuse layers that are to see earlier ones where there are none."""
    if options.dense and (hidden is None or len(hidden) < 2):
        raise ConfigError(
            "--dense joins later layers to earlier ones, so it needs two or more: give --hidden as well, "
            "such as --hidden 2 1."
        )


def _check_operations(given: Sequence[str]) -> None:
    # A program that has registered operations of its own has loaded them.
    loaded = sys.modules.get("mathonet.operations")
    names = OPERATIONS if loaded is None else loaded.names()
    for name in given:
        if name not in names:
            close = difflib.get_close_matches(name.lower(), names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"Unknown operation {name!r}.{hint} Known operations: {', '.join(names)}.")
        if list(given).count(name) > 1:
            raise ConfigError(f"Operations occur more than once: {name}. Keep each one once.")


def read_source(options: argparse.Namespace) -> tuple[list["Trajectory"], dict[str, Any]]:
    """The trajectories to learn from, and the parameters of the estimator that is to learn."""
    check_search(options)
    trajectories, operations, hidden = _trajectories(options)
    hidden = options.hidden or hidden
    check_layers(options, hidden)
    parameters = {name: getattr(options, name) for name in ASIS}
    parameters["operations"] = options.operations or operations
    parameters["hidden"], parameters["known"] = hidden, known_terms(options.known)
    return trajectories, {
        name: list(value) if isinstance(value, tuple) else value for name, value in parameters.items()
    }


def known_terms(given: Sequence[str] | None) -> dict[str, str] | None:
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

    if options.noise:
        raise ConfigError("--noise is for built-in systems; the noise of a file is its own.")
    wanted = Wanted(**{part: getattr(options, part) for part in COLUMNS})
    reading = understand(options.source, wanted, options.time_unit, options.sheet)
    check_together(reading.trajectories)
    remark_on(reading.trajectories, options.order)
    return reading


def _trajectories(options: argparse.Namespace):
    """The trajectories, and operations and architecture that come with a built-in system."""
    from mathonet import systems

    if names_a_file(options.source):
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
