"""mathonet discover --dry-run: what was understood of a file, and what would be searched."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from mathonet.archive.folder import refuse_place
from mathonet.cli.source import check_layers, check_search, known_terms, names_a_file, understood
from mathonet.cli.terminal import console, stdout, warnings_in_a_line
from mathonet.data.files.times.time_column import EVEN
from mathonet.data.table import Reading
from mathonet.data.trajectories import summary
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError
from mathonet.printable import printable

_MOST = 40
"""Columns that are shown one by one."""


def show(options: argparse.Namespace) -> int:
    """Print it; nothing is searched, and nothing is written. What a search would refuse is refused."""
    screen = console()
    if options.source is None:
        raise ConfigError("--dry-run is for a new search: name a file or a built-in system.")
    check_search(options)
    refuse_place(options.out or Path("runs") / Path(options.source).stem)
    if not names_a_file(options.source):
        return _show_system(options)
    check_layers(options, options.hidden)
    with warnings_in_a_line():
        reading = understood(options)
    trajectories = reading.trajectories
    known = _checked_known(options, trajectories[0])
    if options.json:
        stdout(json.dumps(_described(reading, options, known), indent=2, ensure_ascii=False) + "\n")
        return 0
    screen.print(Text(printable(f"{options.source}: {summary(trajectories)}")), soft_wrap=True)
    screen.print(_columns(reading))
    screen.print(Text(_times(trajectories)), soft_wrap=True)
    screen.print(Text(_searched(trajectories[0], options)), soft_wrap=True)
    for line in _asked(options, known):
        screen.print(Text(printable(line)), soft_wrap=True)
    return 0


def _show_system(options: argparse.Namespace) -> int:
    from mathonet import systems

    system = systems.get(options.source)
    if options.json:
        stdout(json.dumps({"source": system.name, "title": system.title}, indent=2) + "\n")
    else:
        console().print(Text(f"{system.name}, a built-in system: {system.title}."))
    return 0


def _checked_known(options: argparse.Namespace, first: Trajectory) -> dict[str, str]:
    """Known terms by state, once they can be read."""
    if options.order != 1 and first.x_dot is not None:
        raise ConfigError("--order 2 is for positions alone; with derivatives give velocities as states.")
    known = known_terms(options.known)
    if not known:
        return {}
    # Formulas are read by the numerical stack, which is loaded only for them.
    from mathonet.search.known import parse_known
    from mathonet.search.measurements.measured import state_names

    names = state_names(first.names, options.order)
    parse_known(known, names[len(names) - len(first.names) :], (*names, *first.input_names))
    return known


def _asked(options: argparse.Namespace, known: dict[str, str]) -> list[str]:
    """What else was said of the search."""
    lines = [f"Known of {name}: {formula}." for name, formula in known.items()]
    if options.operations:
        lines.append(f"Operations: {', '.join(options.operations)}.")
    if options.hidden:
        lines.append(f"One network, neurons of its hidden layers: {', '.join(map(str, options.hidden))}.")
    return lines


def _described(reading: Reading, options: argparse.Namespace, known: dict[str, str]) -> dict[str, Any]:
    """All of it, for programs."""
    first = reading.trajectories[0]
    parts = _parts(reading)
    columns = [
        {"name": name, "unit": column.unit, "part": parts.get(name, "")}
        for name, column in reading.table.items()
    ]
    return {
        "source": options.source,
        "samples": sum(map(len, reading.trajectories)),
        "experiments": len(reading.trajectories),
        "time": {
            "name": first.time_name,
            "unit": first.time_unit,
            "from": float(min(each.t[0] for each in reading.trajectories)),
            "to": float(max(each.t[-1] for each in reading.trajectories)),
        },
        "states": list(first.names),
        "inputs": list(first.input_names),
        "derivatives": first.x_dot is not None,
        "order": options.order,
        "known": known,
        "operations": options.operations,
        "columns": columns,
    }


def _parts(reading: Reading) -> dict[str, str]:
    """The part of every column."""
    roles = reading.roles
    parts = dict.fromkeys(roles.states, "state") | dict.fromkeys(roles.inputs, "input")
    slopes = zip(roles.derivatives, roles.states, strict=False)
    parts |= {name: f"derivative of {state}" for name, state in slopes}
    parts |= {name: f"left out: {why}" for name, why in roles.left_out.items()}
    if roles.experiment is not None:
        parts[roles.experiment] = "experiment"
    if roles.time is not None:
        parts[roles.time] = "time, and input" if roles.time in roles.inputs else "time"
    return parts


def _columns(reading: Reading) -> Table:
    """Every column with its part."""
    roles, parts = reading.roles, _parts(reading)
    times = np.concatenate([each.t for each in reading.trajectories])
    table = Table(box=None, padding=(0, 2), title_justify="left")
    for heading in ("column", "unit", "part", "values"):
        table.add_column(heading, overflow="fold")
    for name, column in list(reading.table.items())[:_MOST]:
        unit = reading.trajectories[0].time_unit if name == roles.time else column.unit
        values = times if name == roles.time else column.values
        cells = (name, unit, parts.get(name, ""), _values(values))
        table.add_row(*(Text(printable(cell)) for cell in cells))
    if len(reading.table) > _MOST:
        table.add_row(f"and {len(reading.table) - _MOST:,} more")
    return table


def _values(values: np.ndarray) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return ""
    missing = len(values) - len(finite)
    return f"{finite.min():.6g} to {finite.max():.6g}" + (f", {missing} missing" if missing else "")


def _times(trajectories: list[Trajectory]) -> str:
    first = trajectories[0]
    unit = f" {first.time_unit}" if first.time_unit else ""
    named = f"{first.time_name} [{first.time_unit}]" if first.time_unit else first.time_name
    steps = np.concatenate([np.diff(each.t) for each in trajectories])
    if not steps.size:
        return f"One time: {first.t[0]:g}{unit}."
    usual = float(np.median(steps))
    even = np.abs(steps - usual).max() <= EVEN * usual
    spacing = (
        f"in steps of {usual:.4g}{unit}" if even else f"in uneven steps, {usual:.4g}{unit} in the middle"
    )
    last = max(each.t[-1] for each in trajectories)
    return f"{named} from {min(each.t[0] for each in trajectories):g} to {last:g}, {spacing}."


def _searched(first: Trajectory, options: argparse.Namespace) -> str:
    """The equations that would be looked for."""
    arguments = ", ".join((*first.names, *first.input_names))
    if options.order == 2:
        arguments = ", ".join((*first.names, *(f"{name}'" for name in first.names), *first.input_names))
    mark = "''" if options.order == 2 else "'"
    equations = ", ".join(f"{name}{mark}" for name in first.names[:8])
    more = f" and {len(first.names) - 8} more" if len(first.names) > 8 else ""
    how = "from the derivatives" if first.x_dot is not None else "from the states alone"
    return printable(f"Searched would be {equations}{more} as functions of {arguments}, {how}.")
