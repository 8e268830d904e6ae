"""mathonet discover --dry-run: what was understood of a file, and what would be searched."""

import argparse

import numpy as np
from rich.table import Table
from rich.text import Text

from mathonet.cli.source import names_a_file, understood
from mathonet.cli.terminal import console, warnings_in_a_line
from mathonet.data.files.time_column import EVEN
from mathonet.data.table import Reading
from mathonet.data.trajectories import summary
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError
from mathonet.printable import printable

_MOST = 40
"""Columns that are shown one by one."""


def show(options: argparse.Namespace) -> int:
    """Print it; nothing is searched, and nothing is written."""
    screen = console()
    if options.source is None:
        raise ConfigError("--dry-run is for a new search: name a file or a built-in system.")
    if not names_a_file(options.source):
        from mathonet import systems

        system = systems.get(options.source)
        screen.print(Text(f"{system.name}, a built-in system: {system.title}."))
        return 0
    with warnings_in_a_line():
        reading = understood(options)
    trajectories = reading.trajectories
    screen.print(Text(printable(f"{options.source}: {summary(trajectories)}")), soft_wrap=True)
    screen.print(_columns(reading))
    screen.print(Text(_times(trajectories)), soft_wrap=True)
    screen.print(Text(_searched(trajectories[0], options)), soft_wrap=True)
    return 0


def _columns(reading: Reading) -> Table:
    """Every column with its part."""
    roles = reading.roles
    parts = dict.fromkeys(roles.states, "state") | dict.fromkeys(roles.inputs, "input")
    slopes = zip(roles.derivatives, roles.states, strict=False)
    parts |= {name: f"derivative of {state}" for name, state in slopes}
    parts |= {name: f"left out: {why}" for name, why in roles.left_out.items()}
    if roles.experiment is not None:
        parts[roles.experiment] = "experiment"
    if roles.time is not None:
        parts[roles.time] = "time, and input" if roles.time in roles.inputs else "time"
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
