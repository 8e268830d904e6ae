"""Which column is the time: by its name and by how it runs. Where two could be it, the user is asked."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.files.column import Column, shown
from mathonet.data.files.listed import listed, say
from mathonet.data.files.names import is_counter, is_minimum, time_tier, words
from mathonet.data.units import TIME_UNITS
from mathonet.errors import DataError

EVEN = 0.02
"""Largest deviation of a step from the usual one, as a share of it, that is even."""
_SHORTEST = 3
"""Rows that every experiment has at least, where experiments follow each other unnamed."""
_SAME = 0.1
"""Largest difference between the same times in two units, as a share of a step."""
_FEWEST = 5
"""Rows from which on the way a column runs says that it is the time."""
_YEARS = (1500.0, 2200.0)
_SPOILT = 0.5
"""Share of cells below which what is no time among times is a fault, and not what the column is about."""


@dataclass(frozen=True)
class Run:
    """How a column runs through the rows.

    Attributes:
        values: as numbers; dates in seconds.
        rises: whether it increases from row to row throughout.
        restarts: whether it does so but for places where it goes back to where it began.
        even: whether its steps are all alike.
        dated: whether it holds dates.
    """

    values: np.ndarray
    rises: bool
    restarts: bool
    even: bool
    dated: bool

    @property
    def could_be_time(self) -> bool:
        """Whether times run so."""
        return self.rises or self.restarts

    @property
    def counts(self) -> bool:
        """Whether it numbers the rows."""
        return self.rises and not self.dated and bool(np.all(np.diff(self.values) == 1.0))

    @property
    def years(self) -> bool:
        """Whether it looks like years."""
        whole = np.all(np.mod(self.values, 1.0) == 0)
        return self.rises and bool(whole and _YEARS[0] <= self.values[0] <= self.values[-1] <= _YEARS[1])


def run_of(column: Column) -> Run | None:
    """How a column runs; None if it holds no numbers or dates in every row."""
    moments = None
    if not column.is_numeric or column.cells.dtype.kind in "mM":
        moments = column.moments
    values = column.values if moments is None else moments
    if len(values) < 2 or not np.isfinite(values).all():
        return None
    steps = np.diff(values)
    rises = bool((steps > 0).all())
    back = np.flatnonzero(steps <= 0)
    restarts = not rises and _restarts(values, steps, back)
    forward = np.delete(steps, back)
    usual = float(np.median(forward)) if forward.size else 0.0
    even = bool(usual > 0 and np.abs(forward - usual).max() <= EVEN * usual)
    return Run(values, rises, restarts, even, moments is not None)


def _restarts(values: np.ndarray, steps: np.ndarray, back: np.ndarray) -> bool:
    """Whether values increase in parts, each of which begins where the first one did, or nearly."""
    if not back.size or back.size * _SHORTEST > len(values) or (steps[back] == 0).any():
        return False
    starts = np.concatenate([[0], back + 1])
    ends = np.append(back, len(values) - 1)
    longest = float(np.max(values[ends] - values[starts]))
    return bool(
        (ends - starts + 1 >= _SHORTEST).all() and np.abs(values[starts] - values[0]).max() <= 0.1 * longest
    )


def find_time(table: Mapping[str, Column], by_behaviour: bool) -> tuple[str | None, dict[str, str]]:
    """The column of times, None if there is none; and, with the reason, columns that say the same again.

    Args:
        table: columns that have no other part.
        by_behaviour: whether a column of any name may be it.

    Raises:
        DataError: If two columns could be it.
    """
    tiers = {name: tier for name in table if (tier := time_tier(name)) is not None}
    tiers = {name: tier for name, tier in tiers.items() if not is_minimum(name, table)}
    runs = {name: run for name in tiers if (run := run_of(table[name])) is not None and run.could_be_time}
    # T is the temperature as often, which may rise throughout, but hardly in even steps.
    runs = {name: run for name, run in runs.items() if name != "T" or run.even}
    if runs:
        return _of_named(tiers, runs)
    sure = [name for name, tier in tiers.items() if tier <= 1 and name != "T" and _holds_times(table[name])]
    if len(sure) > 1:
        raise _ask(sure)
    if sure:
        return sure[0], {}
    if by_behaviour:
        _refuse_spoiled({name: table[name] for name in tiers if name != "T"})
        return _by_behaviour(table), {}
    return None, {}


def _refuse_spoiled(columns: Mapping[str, Column]) -> None:
    """Refuse a column that is called after time, and would be it but for some cells.

    Raises:
        DataError: That names the first such cell.
    """
    for name, column in columns.items():
        good = np.isfinite(column.values) if column.is_numeric else column.dates
        bad = np.flatnonzero(~good)
        if not 0 < bad.size < _SPOILT * len(good):
            continue
        cell = "nothing" if column.empty[bad[0]] else shown(column.cells.iloc[bad[0]])
        more = "" if bad.size == 1 else f" Such cells in all: {bad.size}."
        raise DataError(
            f"Column {name!r} is called after time, but holds {cell} at {column.places.at(bad[0])}, which is "
            f"no time.{more} Correct the cell, or remove the row; if another column is the time, name it "
            "with the option 'time'."
        )


def _holds_times(column: Column) -> bool:
    """Whether a column has numbers or dates in it, if need be with a fault that is told later."""
    return column.is_numeric or column.moments is not None


def _of_named(tiers: dict[str, int], runs: dict[str, Run]) -> tuple[str, dict[str, str]]:
    """The surest of those whose names and values are those of times."""
    ranked = sorted(runs, key=lambda name: tiers[name])
    best, others = ranked[0], ranked[1:]
    different = [name for name in others if not _same_times(runs[best], runs[name])]
    if different:
        raise DataError(
            f"Several columns could be the time: {listed([best, *different])}, and their times differ. If "
            "each belongs to columns of its own, split the file; else say which one with the option 'time', "
            "and leave the others out with the option 'ignore'."
        )
    beside = [name for name in others if len(words(best)) > 1 and words(name)[-1] == words(best)[-1]]
    if beside:
        raise DataError(
            f"The table seems to hold several experiments side by side, each with its own times: "
            f"{listed([best, *beside])}. Put them one below the other with a column that names the "
            "experiment, or leave columns out with the option 'ignore'."
        )
    calendar = [name for name in tiers if tiers[name] == 2]
    if best in calendar and not runs[best].rises and len(calendar) > 1:
        raise DataError(
            f"Several columns tell the date: {listed(calendar)}. Put them into one column of dates, such as "
            "2024-05-31, or say with the option 'time' which one is the time."
        )
    if tiers[best] > 1:
        _tell_of(best, "it is called so, and increases")
    return best, {name: f"it holds the same times as {best!r}" for name in others}


def _same_times(one: Run, other: Run) -> bool:
    """Whether two columns hold the same times: in another unit, or counted from a date."""
    if not (np.ptp(one.values) > 0 and np.ptp(other.values) > 0):
        return False
    factor = np.ptp(one.values) / np.ptp(other.values)
    usual = np.median(np.abs(np.diff(one.values)))
    factors = np.array([top / bottom for top in TIME_UNITS.values() for bottom in TIME_UNITS.values()])
    factor = factors[np.argmin(np.abs(np.log(factors / factor)))]
    difference = one.values - factor * other.values
    # Only what is counted from a date may begin elsewhere.
    if one.dated or other.dated or one.years or other.years:
        difference = difference - difference[0]
    # Rounding goes to both sides.
    elif np.abs(difference.mean()) > max(difference.std(), 1e-6 * usual):
        return False
    return bool(np.abs(difference).max() <= _SAME * usual)


def _by_behaviour(table: Mapping[str, Column]) -> str | None:
    """A column that runs as times do, whatever its name.

    Raises:
        DataError: If several do, or one does not quite.
    """
    runs = {name: run for name, column in table.items() if (run := run_of(column)) is not None}
    runs = {name: run for name, run in runs.items() if run.could_be_time and len(run.values) >= _FEWEST}
    dated = [name for name, run in runs.items() if run.dated]
    even = [name for name, run in runs.items() if run.even and not run.dated]
    counters = [name for name in even if runs[name].counts and is_counter(name)]
    regular = [name for name in runs if name not in counters and (name in even or runs[name].years)]
    for found in (dated, regular or counters):
        if len(found) > 1:
            raise _ask(found)
        if found:
            why = "it holds dates" if found is dated else "it increases in even steps"
            _tell_of(found[0], why if found is dated or found[0] in even else "it looks like years")
            return found[0]
    if runs:
        names = list(runs)
        raise DataError(
            f"No column is called after time. {listed(names)} increase{'s' * (len(names) == 1)} from row to "
            "row, but in uneven steps: if that is the time, name it with the option 'time'."
        )
    return None


def _tell_of(name: str, why: str) -> None:
    tell(f"Column {name!r} is taken as the time: {why}. If another one is, name it with the option 'time'.")


def _ask(names: list[str]) -> DataError:
    return DataError(f"Several columns could be the time: {listed(names)}. {say('time', 'which one')}")
