"""Route: the path that measured trajectories take, all nodes or some of many, and the joint fit along it."""

import numpy as np

from mathonet.data.drive import between, held
from mathonet.data.trajectory import Trajectory
from mathonet.fit.path import RK4, Path, Tableau, stage_times
from mathonet.search import effort
from mathonet.search.measurements.measured import Measured
from mathonet.search.path.fit import PathFit
from mathonet.search.samples.search import SampleSearch


def make_joint(
    measured: Measured, search: SampleSearch, most: int | None, steps: tuple[Tableau, int] = (RK4, 1)
) -> PathFit:
    """The joint fit of measured trajectories, in the units of the search."""
    scaling = search.scaling
    states = len(measured.states)
    rates = np.ones(states)
    for column, state in enumerate(measured.searched):
        rates[state] = scaling.targets[column] / scaling.inputs[state]
    path, rows = route(measured, scaling.inputs, steps, most)
    scale = scaling.inputs[:states]
    return PathFit(
        path,
        measured.x[rows] / scale,
        len(measured.input_names),
        search.operations,
        rates,
        measured.known_flow(scaling.inputs, rates),
        measured.searched,
        measured.inputs[rows] / scaling.inputs,
        measured.x_dot[rows] / scale,
        measured.x_dot_std[rows] / scale,
        measured.x_std[rows] / scale,
        floor=measured.floor,
        clean=measured.clean,
        precise=measured.precise,
        choices=search.choices,
        share=float(np.max(measured.sigma / measured.size)),
    )


def route(
    measured: Measured, scale: np.ndarray, steps: tuple[Tableau, int] = (RK4, 1), most: int | None = None
) -> tuple[Path, np.ndarray]:
    """The path of all trajectories in states divided by `scale`, and the rows that it goes through.

    Args:
        measured: the trajectories.
        scale: divisor of every input.
        steps: method, and number of its steps an interval.
        most: about how many nodes the path may have; None for all that was measured.
    """
    ends = np.cumsum([0, *map(len, measured.trajectories)])
    printed = measured.printed[: measured.positions]
    sigma = measured.sigma / scale[: len(measured.states)]
    y, weights, h, joined, drive, rows = [], [], [], [], [], []
    for owner, piece in _stretches(measured, most):
        trajectory, smoothed = measured.trajectories[owner], measured.smoothed[owner]
        values, seen = trajectory.x[piece], np.isfinite(trajectory.x[piece])
        noise = 0.0 if measured.clean else np.maximum(smoothed.sigma[piece], printed)
        # Values without noise count as certain as the path allows.
        weight = np.where(seen, 1.0 / np.maximum(noise, measured.least[: measured.positions]), 0.0)
        if trajectory.weights is not None:
            weight = weight * trajectory.weights[piece] / measured.usual_weight
        hidden = len(measured.states) - measured.positions
        y.append(np.pad(np.where(seen, values, 0.0), [(0, 0), (0, hidden)]))
        weights.append(np.pad(weight, [(0, 0), (0, hidden)]))
        times = trajectory.t[piece]
        h.append(np.append(np.diff(times), 0.0))
        joined.append(np.append(np.ones(len(times) - 1), 0.0))
        drive.append(_drive(trajectory, times, stage_times(*steps)))
        rows.append(ends[owner] + piece)
    units = scale[len(measured.states) :]
    path = Path(
        np.concatenate(y) / scale[: len(measured.states)],
        np.concatenate(weights) * scale[: len(measured.states)],
        sigma,
        np.concatenate(h)[:-1],
        np.concatenate(joined)[:-1],
        (np.concatenate(drive) / units)[:-1],
        np.arange(len(measured.states)),
        *steps,
        measured.exact,
    )
    return path, np.concatenate(rows)


def _stretches(measured: Measured, most: int | None) -> list[tuple[int, np.ndarray]]:
    """Rows that a path goes through, with the number of their trajectory; at most about so many in all.

    A long series is thinned as far as its time scale allows, and beyond that cut into stretches spread
    over all of it.
    """
    total = sum(map(len, measured.trajectories))
    found = []
    for number, (trajectory, smoothed) in enumerate(
        zip(measured.trajectories, measured.smoothed, strict=True)
    ):
        rows = np.arange(len(trajectory))
        if most is None or total <= most:
            found.append((number, rows))
            continue
        budget = max(effort.LEAST_NODES, most * len(rows) // total)
        step = float(np.median(np.diff(trajectory.t)))
        finest = np.nanmin(smoothed.length) / effort.NODES_PER_LENGTH / step
        rows = rows[:: int(max(1, min(finest, len(rows) / budget)))]
        pieces = 1 if len(rows) <= budget else max(1, min(effort.MOST_PIECES, budget // 200))
        length = min(budget // pieces, len(rows))
        starts = np.linspace(0, len(rows) - length, pieces).astype(int)
        found += [(number, rows[start : start + length]) for start in starts]
    return found


def _drive(trajectory: Trajectory, times: np.ndarray, stages: np.ndarray) -> np.ndarray:
    """Inputs at the stages of every step."""
    if trajectory.u is None:
        return np.zeros((len(times), len(stages), 0))
    ahead = np.append(times[1:], times[-1])
    at = times[:, None] + stages * (ahead - times)[:, None]
    found = between(trajectory.t, trajectory.u, at)
    # An input that switches at the end of a step has its old value until then.
    switched = held(trajectory.u)
    found[:, :, switched] = between(trajectory.t, trajectory.u, times)[:, None, switched]
    return found
