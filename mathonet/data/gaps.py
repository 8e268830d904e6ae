"""Gaps: times put between samples that lie far apart, at which nothing was measured."""

from dataclasses import replace

import numpy as np

from mathonet.data.drive import between
from mathonet.data.trajectory import Trajectory

GAP = 1.5
"""Gaps longer than so many usual steps are filled."""


def filled(trajectory: Trajectory) -> Trajectory:
    """The trajectory with times put into its gaps, at which nothing was measured.

    A path takes one step from a time to the next, so they should be about equally far apart. Never more than
    4/3 as many again: samples in bursts keep their gaps.
    """
    t, gaps = trajectory.t, np.diff(trajectory.t)
    if not gaps.size:
        return trajectory
    step = max(float(np.median(gaps)), float(t[-1] - t[0]) / (2 * len(t)))
    extra = np.maximum(np.ceil(gaps / (GAP * step)).astype(int) - 1, 0)
    if not extra.any():
        return trajectory
    new = np.concatenate(
        [
            start + gap * np.arange(1, count + 1) / (count + 1)
            for start, gap, count in zip(t[:-1], gaps, extra, strict=True)
        ]
    )
    times = np.concatenate([t, new])
    order = np.argsort(times, kind="stable")

    def put(values: np.ndarray | None, fill: float) -> np.ndarray | None:
        if values is None:
            return None
        return np.concatenate([values, np.full((len(new), values.shape[1]), fill)])[order]

    u = None if trajectory.u is None else between(t, trajectory.u, times[order])
    return replace(
        trajectory, t=times[order], x=put(trajectory.x, np.nan), u=u, weights=put(trajectory.weights, 0.0)
    )
