"""Shooting: the constants of a right-hand side fitted on measured states, with the path itself unknown.

Every measured time begins a segment of its own. Unknown are the states x_k at all of these times and the
constants; the residuals are

    (x_k - y_k) / sigma                    what was measured,
    (Phi_k(x_k; constants) - x_{k+1}) / q  that the path follows the equations from one time to the next,

with Phi_k by Runge-Kutta steps. For q far below sigma this is the fit of one trajectory from a
free start; a large q lets the path follow the data. Annealed from one to the other, Gauss-Newton neither
loses its way in chaos nor blows up: no state is ever carried further than one interval. The normal equations
of the states are banded, so a step costs time linear in the number of samples.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

from mathonet.fit.path import ANNEAL, Field, Path, march, slopes_along
from mathonet.interruption import checkpoint

STEPS = 25
CLOSE = 1e-3
"""A fit has converged when a step gains less than this in chi^2."""
DAMPING = (1e-6, 1e6)


@dataclass(frozen=True)
class Shot:
    """A fitted path.

    Attributes:
        constants: of the right-hand side.
        x: the states at the nodes.
        chi2: sum of squared residuals of the measurements and of the joints.
        data: that of the measurements alone.
        information: inverse covariance of the constants, the path left free, at noise sigma.
        gradient: of chi2 / 2 in the constants, the path left free: zero at the end of a fit but for constants
            that are zero: options, see `Flow`.
    """

    constants: np.ndarray
    x: np.ndarray
    chi2: float
    data: float
    information: np.ndarray
    gradient: np.ndarray


@dataclass(frozen=True)
class Tangent:
    """The path's joints at some point: defects, and their slopes in the states and in the constants."""

    defect: np.ndarray
    by_state: np.ndarray
    by_constant: np.ndarray


def tangent_of(field: Field, constants: np.ndarray, path: Path, x: np.ndarray, q: np.ndarray) -> Tangent:
    """Defects of all joints in units of q; none where trajectories meet."""
    return _Trial(field, constants, path, x, q).tangent()


class _Trial:
    """Constants and states that are tried: their cost, and the joints' slopes if they are taken."""

    def __init__(self, field: Field, constants: np.ndarray, path: Path, x: np.ndarray, q: np.ndarray) -> None:
        self.field, self.constants, self.path, self.x = field, constants, path, x
        self.factor = path.joined[:, None] / q
        with np.errstate(all="ignore"):
            ahead, self.rows = march(field, constants, path, x[:-1])
            self.defect = (ahead - x[1:]) * self.factor
            cost = np.sum(self.defect**2) + np.sum((path.weights * (x - path.y)) ** 2)
        self.cost = float(cost) if np.isfinite(cost) else np.inf

    def tangent(self) -> Tangent:
        states = self.x.shape[1]
        with np.errstate(all="ignore"):
            slopes = slopes_along(self.field, self.constants, self.path, self.rows)
            slopes *= self.factor[:, :, None]
        return Tangent(self.defect, slopes[:, :, :states], slopes[:, :, states:])


@dataclass(frozen=True)
class _Reduced:
    """The problem of the constants alone, the states eliminated."""

    information: np.ndarray
    gradient: np.ndarray
    free: np.ndarray
    moved: np.ndarray

    def step(self, damping: float, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Changes of the active constants and of the states."""
        size = np.sqrt(np.maximum(np.diagonal(self.information), 1e-300))
        unit = (self.information / size[:, None] / size)[np.ix_(active, active)]
        change = np.zeros(len(size))
        right = -(self.gradient / size)[active]
        change[active] = np.linalg.solve(unit + (damping + 1e-13) * np.eye(len(unit)), right) / size[active]
        return change, -(self.free + self.moved @ change)


def _factor(path: Path, tangent: Tangent, q: np.ndarray, damping: float) -> np.ndarray:
    """Banded Cholesky factor of the normal equations of the states."""
    nodes, states = path.y.shape
    weight = path.weights**2
    back = path.joined[:, None] / q  # slope of a joint in the next state, but for its sign
    turned = np.swapaxes(tangent.by_state, 1, 2)
    diagonal = turned @ tangent.by_state
    blocks = np.zeros((nodes, states, states))
    blocks[:-1] += diagonal
    here = np.arange(states)
    blocks[1:, here, here] += back**2
    blocks[:, here, here] += weight + damping / path.scale**2
    beside = -turned * back[:, None, :]
    width = 2 * states - 1
    band = np.zeros((width + 1, nodes * states))
    for a in range(states):
        for b in range(states):
            if a <= b:
                band[width + a - b, b::states] = blocks[:, a, b]
            band[width + a - states - b, states + b :: states] = beside[:, a, b]
    return cholesky_banded(band)


def _reduce(path: Path, x: np.ndarray, tangent: Tangent, q: np.ndarray, damping: float) -> _Reduced:
    """Eliminate the states: a banded Cholesky factor, and one solution a constant."""
    nodes, states = x.shape
    back = path.joined[:, None] / q
    turned = np.swapaxes(tangent.by_state, 1, 2)
    count = tangent.by_constant.shape[2]
    right = np.zeros((nodes, states, count + 1))
    joints = np.concatenate([tangent.by_constant, tangent.defect[:, :, None]], axis=2)
    right[:-1] += turned @ joints
    right[1:] -= back[:, :, None] * joints
    right[:, :, -1] += path.weights**2 * (x - path.y)
    flat = right.reshape(nodes * states, count + 1)
    solved = cho_solve_banded((_factor(path, tangent, q, damping), False), flat)
    rows = (nodes - 1) * states
    outer = tangent.by_constant.reshape(rows, count)
    full = outer.T @ joints.reshape(rows, count + 1) - flat[:, :count].T @ solved
    return _Reduced(
        full[:, :count],
        full[:, -1],
        solved[:, -1].reshape(nodes, states),
        solved[:, :count].reshape(nodes, states, count),
    )


def known_increments(
    path: Path, tangent: Tangent, q: np.ndarray, state: int
) -> tuple[np.ndarray, np.ndarray]:
    """What is known about increments of one state over the joined intervals, all states left free.

    An increment is made half way through its interval, and is carried on from there by the equations.

    Returns:
        Gradient of chi2 / 2 in the increments, and their information.
    """
    nodes, states = path.y.shape
    joined = np.flatnonzero(path.joined)
    each = np.arange(len(joined))
    slope = 0.5 * tangent.by_state[joined, :, state]
    slope[:, state] += 0.5 / q[state]
    right = np.zeros((nodes, states, len(joined)))
    right[joined, :, each] = np.einsum("kab,ka->kb", tangent.by_state[joined], slope)
    right[joined + 1, :, each] = -slope / q
    flat = right.reshape(nodes * states, len(joined))
    solved = cho_solve_banded((_factor(path, tangent, q, 0.0), False), flat)
    found = np.diag(np.sum(slope**2, axis=1)) - flat.T @ solved
    return np.sum(slope * tangent.defect[joined], axis=1), 0.5 * (found + found.T)


def shoot(
    field: Field,
    constants: np.ndarray,
    path: Path,
    x: np.ndarray,
    anneal: tuple[float, ...] = ANNEAL,
    active: np.ndarray | None = None,
    steps: int = STEPS,
) -> Shot | None:
    """Fit the constants and the path; None where the equations are not finite on the path.

    Args:
        field: the right-hand side with its slopes.
        constants: where to start.
        path: what was measured.
        x: first states at the nodes.
        anneal: values of q in units of sigma, one after the other.
        active: which constants are fitted; None for all.
        steps: most steps at the last q; a quarter as many at each before it.
    """
    active = np.arange(len(constants)) if active is None else active
    constants, x = np.array(constants, float), np.array(x, float)
    checkpoint()
    for stage, ratio in enumerate(anneal):
        last = stage == len(anneal) - 1
        q = (min(ratio, path.tight) if ratio == ANNEAL[-1] else ratio) * path.scale
        here, damping = _Trial(field, constants, path, x, q), DAMPING[0]
        if not np.isfinite(here.cost):
            return None
        tangent = None
        for _ in range(steps if last else max(steps // 4, 1)):
            checkpoint()
            tangent = tangent or here.tangent()
            try:
                reduced = _reduce(path, here.x, tangent, q, damping)
                change, moved = reduced.step(damping, active)
            except (LinAlgError, ValueError):
                return None
            trial = _Trial(field, here.constants + change, path, here.x + moved, q)
            if trial.cost < here.cost:
                gain, here, tangent = here.cost - trial.cost, trial, None
                damping = max(damping * 0.1, DAMPING[0])
                if gain < CLOSE * (1.0 if last else 10.0):
                    break
            else:
                damping = max(damping * 10.0, 1e-4)
                if damping > DAMPING[1]:
                    break
        constants, x = here.constants, here.x
    try:
        reduced = _reduce(path, x, tangent or here.tangent(), q, 0.0)
    except (LinAlgError, ValueError):
        return None
    data = float(np.sum((path.weights * (x - path.y)) ** 2))
    return Shot(constants, x, here.cost, data, reduced.information, reduced.gradient)
