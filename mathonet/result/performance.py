"""How well equations describe other measurements: R^2 of simulated trajectories, or of derivatives."""

from collections.abc import Sequence

import numpy as np
from sklearn.metrics import r2_score

from mathonet.data.smoothing import smooth_all
from mathonet.data.trajectory import Trajectory
from mathonet.equation.equation import EquationSystem
from mathonet.errors import DataError, SimulationError
from mathonet.search.measurements.measured import Smoothing, measure


def score_system(
    system: EquationSystem, trajectories: Sequence[Trajectory], kind: str, order: int, smoothing: Smoothing
) -> float:
    """R^2 over all trajectories, weighted by the variance of each state; see `Discoverer.score`."""
    count = len(trajectories[0].names) * order
    if count != len(system.names):
        raise DataError(
            f"x has {len(trajectories[0].names)} states, but the equations are those of {list(system.names)}."
        )
    if kind == "derivative":
        wanted, found = _derivatives(system, trajectories, order, smoothing)
    else:
        try:
            wanted, found = _simulated(system, trajectories, order, smoothing)
        except SimulationError:
            return -np.inf
    seen = np.isfinite(wanted)
    if not seen.all():
        # One column at a time, since each may lack other values.
        columns = [(wanted[seen[:, k], k], found[seen[:, k], k]) for k in range(wanted.shape[1])]
        weights = [np.var(a) * len(a) for a, _ in columns]
        return float(np.average([r2_score(a, b) for a, b in columns], weights=weights))
    return float(r2_score(wanted, found, multioutput="variance_weighted"))


def _derivatives(
    system: EquationSystem, trajectories: Sequence[Trajectory], order: int, smoothing: Smoothing
):
    if trajectories[0].x_dot is None:
        measured = measure(trajectories, order, None, smoothing)
        # With times in their gaps, and the inputs there.
        trajectories, x, wanted = measured.trajectories, measured.x, measured.x_dot
    elif order == 2:
        raise DataError(
            "A system of second order (order=2) is compared with positions alone. Leave x_dot out."
        )
    else:
        x = np.concatenate([each.x for each in trajectories])
        wanted = np.concatenate([each.x_dot for each in trajectories if each.x_dot is not None])
    drives = [each.u for each in trajectories if each.u is not None]
    return wanted, system.predict(x, np.concatenate(drives) if drives else None)


def _simulated(system: EquationSystem, trajectories: Sequence[Trajectory], order: int, smoothing: Smoothing):
    wanted, found = [], []
    for each in trajectories:
        start = each.x[0]
        if order == 2 or not np.isfinite(start).all():
            # A start that was not measured is taken from the smoothed states.
            smoothed = smooth_all([(each.t, each.x)], method=smoothing)[0]
            velocity = [smoothed.x_dot[0]] if order == 2 else []
            start = np.concatenate([smoothed.x[0], *velocity])
        wanted.append(each.x)
        found.append(system.simulate(start, each.t, each.u)[:, : each.x.shape[1]])
    return np.concatenate(wanted), np.concatenate(found)
