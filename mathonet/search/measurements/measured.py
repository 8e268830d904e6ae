"""Measured: trajectories without derivatives, smoothed, as samples to search on, and the noise they have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from mathonet.data.gaps import filled
from mathonet.data.outliers import Outlier
from mathonet.data.rounding import grid_error, printed_error
from mathonet.data.samples import Samples
from mathonet.data.smoothing import Smooth, smooth_all
from mathonet.data.trajectory import Trajectory
from mathonet.data.units import Units, written
from mathonet.equation.expression import Expression, variable
from mathonet.equation.flow import evaluate
from mathonet.search import effort
from mathonet.search.measurements.outlying import bridged, in_words, named_outliers, screened

Smoothing = Literal["gp", "spline", "savgol"]

VELOCITY = "{}_dot"


@dataclass(frozen=True)
class Measured:
    """Trajectories with their smoothed states.

    Attributes:
        trajectories: as they were given, with times put into gaps, and NaN for what does not count.
        smoothed: their smoothed states, one each.
        order: 1, or 2 where the states are positions whose velocities were not measured.
        known: terms that the user knows, in the data's units, by name of the state whose equation has them.
        smoothing: by what method they were smoothed.
        outliers: measured values that do not count, since neither neighbours nor equations explain them.
        given: times that were given, of every trajectory; not kept in files.
    """

    trajectories: tuple[Trajectory, ...]
    smoothed: tuple[Smooth, ...]
    order: int
    known: Mapping[str, Expression]
    smoothing: Smoothing = "gp"
    outliers: tuple[Outlier, ...] = ()
    given: tuple[np.ndarray, ...] = ()

    @property
    def noise(self) -> np.ndarray:
        """Deviation of the noise of every measured state, root mean square over all its values."""
        seen = np.concatenate([np.isfinite(each.x) for each in self.trajectories])
        sigma = np.concatenate([each.sigma for each in self.smoothed])
        return np.sqrt(np.sum(np.where(seen, sigma, 0.0) ** 2, axis=0) / seen.sum(axis=0))

    def weighed(self, state: int, sigma: np.ndarray, model: str) -> "Measured":
        """The same with another noise of a measured state.

        Args:
            state: which one.
            sigma: deviation of its noise at all times, those of all trajectories one after the other.
            model: "constant" or "proportional".
        """
        seen = np.concatenate([np.isfinite(each.x[:, state]) for each in self.trajectories])
        before, noise = self.noise[state], float(np.sqrt(np.mean(sigma[seen] ** 2)))
        parts = np.split(sigma, np.cumsum([len(each.x) for each in self.smoothed])[:-1])
        smoothed = []
        for each, own in zip(self.smoothed, parts, strict=True):
            here = np.arange(self.positions) == state
            factor = np.where(here, noise / before if before > 0 else 1.0, 1.0)
            changed = replace(
                each,
                sigma=np.where(here, own[:, None], each.sigma),
                noise=np.where(here, noise, each.noise),
                model=tuple(np.where(here, model, each.model).tolist()),
                x_std=each.x_std * factor,
                x_dot_std=each.x_dot_std * factor,
                x_ddot_std=each.x_ddot_std * factor,
            )
            smoothed.append(changed)
        return replace(self, smoothed=tuple(smoothed))

    def describe(self) -> str:
        """Which smoothing was used and what noise it saw, in a sentence."""
        seen = np.concatenate([each.x for each in self.trajectories])
        share = self.noise / np.sqrt(np.nanmean(seen**2, axis=0))
        levels = [
            f"{name} no noise"
            if part < effort.CLEAN
            else f"{name} {level:.3g} ({part:.2g} of its size, {model})"
            for name, level, part, model in zip(
                self.trajectories[0].names, self.noise, share, self.smoothed[0].model, strict=True
            )
        ]
        way = {"gp": "a Gaussian process", "spline": "a smoothing spline", "savgol": "Savitzky-Golay"}
        return (
            f"States only: smoothed by {way[self.smoothing]} for the search, fitted as a path. Noise: "
            + ", ".join(levels)
            + in_words(self.outliers, len(self.trajectories) > 1)
        )

    @property
    def positions(self) -> int:
        """Number of measured states."""
        return len(self.trajectories[0].names)

    @property
    def states(self) -> tuple[str, ...]:
        """Names of all states, velocities after the positions."""
        return state_names(self.trajectories[0].names, self.order)

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of what an equation may depend on."""
        return (*self.states, *self.trajectories[0].input_names)

    @property
    def searched(self) -> tuple[int, ...]:
        """Numbers of the states whose equations are to be found: all, or the velocities."""
        return tuple(range(len(self.states) - self.positions, len(self.states)))

    def _stacked(self, first: str, second: str) -> np.ndarray:
        """A field of all smoothed states; with velocities, the field of theirs beside it."""
        return np.concatenate(
            [
                np.hstack([getattr(each, first), getattr(each, second)])
                if self.order == 2
                else getattr(each, first)
                for each in self.smoothed
            ]
        )

    @cached_property
    def x(self) -> np.ndarray:
        """Smoothed states at all times."""
        return self._stacked("x", "x_dot")

    @property
    def x_std(self) -> np.ndarray:
        """Their deviations."""
        return self._stacked("x_std", "x_dot_std")

    @cached_property
    def x_dot(self) -> np.ndarray:
        """Derivatives of the smoothed states."""
        return self._stacked("x_dot", "x_ddot")

    @cached_property
    def x_dot_std(self) -> np.ndarray:
        """Deviations of the derivatives."""
        found = self._stacked("x_dot_std", "x_ddot_std")
        return np.maximum(found, effort.SLOPE_ERROR * np.sqrt(np.mean(self.x_dot**2, axis=0)))

    @cached_property
    def inputs(self) -> np.ndarray:
        """Smoothed states and inputs at all times."""
        drives = [each.u for each in self.trajectories if each.u is not None]
        return np.hstack([self.x, np.concatenate(drives)]) if drives else self.x

    @cached_property
    def targets(self) -> np.ndarray:
        """What the searched equations have to explain: derivatives without what is known of them."""
        found = self.x_dot[:, list(self.searched)].copy()
        for column, state in enumerate(self.searched):
            if self.states[state] in self.known:
                found[:, column] -= evaluate(self.known[self.states[state]], self.inputs)
        return found

    @cached_property
    def samples(self) -> Samples:
        """Smoothed states and derivatives as a regression problem, for the search."""
        spread = self.x_dot_std[:, list(self.searched)]
        # Usual is what is seen where a state was measured: it may be missing in most rows.
        seen = np.concatenate([np.isfinite(each.x) for each in self.trajectories])
        usual = np.nanmedian(np.where(seen, spread, np.nan), axis=0)
        certain = (spread <= effort.UNCERTAIN * usual).all(axis=1)
        rows = np.flatnonzero(certain)
        floor = np.sqrt(np.mean(spread[rows] ** 2, axis=0))
        names = tuple(self.states[state] for state in self.searched)
        return Samples(self.inputs[rows], self.targets[rows], self.input_names, names, floor=floor)

    @cached_property
    def _noises(self) -> np.ndarray:
        """Noise of every measured state as estimated, and deviation of the smoothed velocities."""
        noise = self.noise
        if self.order == 2:
            spread = np.concatenate([each.x_dot_std for each in self.smoothed])
            noise = np.concatenate([noise, np.sqrt(np.mean(spread**2, axis=0))])
        return np.maximum(noise, self.printed)

    @cached_property
    def least(self) -> np.ndarray:
        """Least noise of every state that a path is fitted with.

        Beside a noisy state a precise one need not be followed to its last digit, and must not: a path that
        is stiff in some states and loose in others is not found.
        """
        if self.clean:
            return np.maximum(effort.TIGHT * self.size, effort.LARGEST_PRINTED * self.printed)
        share = np.minimum(np.max(self._noises / self.size), 1.0)
        return np.maximum(effort.CLEAN, effort.STIFFEST * share) * self.size

    @cached_property
    def printed(self) -> np.ndarray:
        """What the digits of states and times that were not printed may make, in every state."""
        slopes = np.sqrt(np.mean(self.x_dot**2, axis=0))
        found = np.zeros(len(self.states))
        for each in self.trajectories:
            states = [printed_error(column) for column in each.x.T]
            states += [0.0] * (len(found) - len(states))
            found = np.maximum(found, np.hypot(states, grid_error(each.t) * slopes))
        return found

    @cached_property
    def size(self) -> np.ndarray:
        """How far every state moves, noise and all: a smoothed state that is but noise does not move."""
        values = np.concatenate([each.x for each in self.trajectories])
        size = np.concatenate([np.nanstd(values, axis=0), np.std(self.x, axis=0)[self.positions :]])
        return np.where(size > 0, size, 1.0)

    @cached_property
    def sigma(self) -> np.ndarray:
        """Noise that every state of a path is fitted with."""
        return self.least if self.clean else np.maximum(self._noises, self.least)

    @property
    def floor(self) -> float:
        """What even data without any noise would leave, in units of the noise that a path is fitted with."""
        return float(
            np.min(np.maximum(effort.TIGHT * self.size, effort.BY_CHANCE * self.printed) / self.sigma)
        )

    @cached_property
    def exact(self) -> tuple[int, ...]:
        """Measured states without noise to speak of, beside others that have some."""
        if self.clean:
            return ()
        quiet = self._noises[: self.positions] < self.least[: self.positions]
        return tuple(np.flatnonzero(quiet).tolist())

    @cached_property
    def usual_weight(self) -> np.ndarray:
        """Root mean square of the weights of every measured state: only their ratios count."""
        given = [each.weights for each in self.trajectories if each.weights is not None]
        squares = np.concatenate([*given, np.zeros((1, self.positions))]) ** 2
        mean = squares.sum(axis=0) / np.maximum(np.count_nonzero(squares, axis=0), 1)
        return np.sqrt(np.where(mean > 0, mean, 1.0))

    @cached_property
    def clean(self) -> bool:
        """Whether no noise is seen in any state."""
        return self._noise_below(effort.CLEAN)

    @cached_property
    def precise(self) -> bool:
        """Whether hardly any noise is seen in any state; smoothing sees some where a state turns sharply."""
        return self._noise_below(effort.HARDLY_NOISY)

    def _noise_below(self, share: float) -> bool:
        noise = np.maximum(self.noise, self.printed[: self.positions])
        return bool((noise <= share * self.size[: self.positions]).all())

    def known_flow(self, scale: np.ndarray, rates: np.ndarray) -> tuple[Expression, ...]:
        """What is known of every equation, in states divided by `scale` and values in units of `rates`."""
        found = []
        for state, name in enumerate(self.states):
            expression = self.known.get(name, Expression())
            if state not in self.searched:
                expression = variable(state + self.positions)
            scaled = expression.substitute(lambda i: variable(i).scale(float(scale[i])))
            found.append(scaled.scale(1.0 / float(scale[state] * rates[state])))
        return tuple(found)


def state_names(names: Sequence[str], order: int) -> tuple[str, ...]:
    """Names of all states of a system of first or second order, velocities after the positions."""
    return (*names, *(VELOCITY.format(name) for name in names)) if order == 2 else tuple(names)


def units_of(trajectory: Trajectory, order: int) -> Units:
    """Units of all states and inputs; that of a velocity follows from its position's."""
    of = dict(zip(trajectory.names, trajectory.units, strict=True))
    of |= dict(zip(trajectory.input_names, trajectory.input_units, strict=True))
    units = Units(of, trajectory.time_unit, trajectory.time_name)
    velocities = state_names(trajectory.names, order)[len(trajectory.names) :]
    rates = (written(units.rate(name)) for name in trajectory.names)
    return replace(units, of=of | dict(zip(velocities, rates, strict=False)))


def measure(
    trajectories: Sequence[Trajectory],
    order: int = 1,
    known: Mapping[str, Expression] | None = None,
    smoothing: Smoothing = "gp",
) -> Measured:
    """Smooth trajectories and keep both; values of weight zero and outliers count as not measured."""
    given = [replace(each, x=np.where(each.measured, each.x, np.nan), x_dot=None) for each in trajectories]
    whole = [filled(each) for each in given]
    times = tuple(each.t for each in given)
    return smoothed_without(whole, screened(whole), times, order, dict(known or {}), smoothing)


def smoothed_without(
    trajectories: Sequence[Trajectory],
    outliers: Sequence[np.ndarray],
    given: tuple[np.ndarray, ...],
    order: int,
    known: Mapping[str, Expression],
    smoothing: Smoothing,
) -> Measured:
    """Trajectories, smoothed without their outliers.

    Args:
        trajectories: with all that was measured, and times put into gaps.
        outliers: which values are, (times, states) a trajectory.
        given: times that were given.
        order: of `Measured`.
        known: of `Measured`.
        smoothing: of `Measured`.
    """
    kept = tuple(
        each if not mask.any() else replace(each, x=np.where(mask, np.nan, each.x))
        for each, mask in zip(trajectories, outliers, strict=True)
    )
    # A filter has no use for gaps.
    values = [
        bridged(*each) if smoothing == "savgol" else each[0].x for each in zip(kept, outliers, strict=True)
    ]
    smoothed = smooth_all([(each.t, x) for each, x in zip(kept, values, strict=True)], method=smoothing)
    named = named_outliers(trajectories, outliers, smoothed, given)
    return Measured(kept, tuple(smoothed), order, known, smoothing, named, given)
