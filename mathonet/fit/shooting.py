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
from typing import Protocol

import numpy as np
from scipy.integrate import DOP853
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded


class Field(Protocol):
    """A right-hand side; see `Flow`."""

    def values(self, rows: np.ndarray, constants: np.ndarray) -> np.ndarray:
        """Values (rows, states) at rows of states and inputs."""
        ...

    def __call__(self, rows: np.ndarray, constants: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values, and their slopes in the inputs and in the constants, one more axis each."""
        ...


Tableau = tuple[np.ndarray, np.ndarray, np.ndarray]
"""An explicit Runge-Kutta method: how stages depend on earlier ones, their weights, their times."""
RK4: Tableau = (
    np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
    np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
    np.array([0.0, 0.5, 0.5, 1.0]),
)
RK8: Tableau = (DOP853.A, DOP853.B, DOP853.C)
"""The method of order 8 of Dormand and Prince, for data without noise."""
STEPS_OF = ((RK4, 1), (RK4, 2), (RK8, 1), (RK8, 2), (RK8, 4), (RK8, 8))
"""Methods and numbers of steps an interval, from the cheapest to the most exact."""

ANNEAL = (1.0, 0.1, 1e-2, 1e-3)
"""q in units of sigma, from a path that follows the data to one that follows the equations."""
STIFF = 4.0
STEPS = 25
CLOSE = 1e-3
"""A fit has converged when a step gains less than this in chi^2."""
DAMPING = (1e-6, 1e6)
SMALL_STEP = 0.03
"""Largest error of the steps, see `step_error`: it then adds nothing to chi^2 that counts."""


@dataclass(frozen=True)
class Path:
    """Measured states at the nodes of a path, of one or several trajectories one after the other.

    Attributes:
        y: states (nodes, states); anything where the weight is zero.
        weights: 1/sigma of every value, zero where nothing was measured.
        scale: sigma of each state: what its steps are measured by.
        h: time from every node to the next (nodes - 1).
        joined: whether the next node belongs to the same trajectory (nodes - 1).
        drive: other inputs of the equations at the stages of all steps (nodes - 1, stages, others); see
            `stage_times`.
        states: which columns of the equations' inputs are the states; the others are the drive's.
        method: of the steps.
        substeps: steps from a node to the next.
        exact: states whose noise is far below that of the noisiest: they do not count as data.
    """

    y: np.ndarray
    weights: np.ndarray
    scale: np.ndarray
    h: np.ndarray
    joined: np.ndarray
    drive: np.ndarray
    states: np.ndarray
    method: Tableau
    substeps: int
    exact: tuple[int, ...] = ()

    @property
    def told(self) -> np.ndarray:
        """Which states were measured with noise that their values tell."""
        measured = np.any(self.weights > 0, axis=0)
        return measured & ~np.isin(np.arange(self.y.shape[1]), self.exact)

    @property
    def count(self) -> int:
        """Number of measured values that count."""
        return int(np.count_nonzero(self.weights[:, self.told]))

    @property
    def freedom(self) -> int:
        """The same less the free states at the start of every trajectory."""
        return self.count - int(self.told.sum()) * (1 + int(np.count_nonzero(self.joined == 0)))

    @property
    def tight(self) -> float:
        """The last q, in units of sigma: all joints together must leave the path stiff."""
        return min(ANNEAL[-1], STIFF / len(self.y))

    @property
    def others(self) -> np.ndarray:
        """Which columns of the equations' inputs the drive gives."""
        return np.setdiff1d(np.arange(self.y.shape[1] + self.drive.shape[2]), self.states)


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
class _Tangent:
    """The path's joints at some point: defects, and their slopes in the states and in the constants."""

    defect: np.ndarray
    by_state: np.ndarray
    by_constant: np.ndarray


def _step(field: Field, constants: np.ndarray, path: Path, x: np.ndarray, slopes: bool):
    """Phi of every node but the last, and its slopes in (state, constants)."""
    nodes, states = x.shape
    others = path.others
    rows = np.empty((nodes, states + len(others)))
    h = (path.h / path.substeps)[:, None]
    tangent = np.zeros((nodes, states, states + len(constants)) if slopes else (0, 0, 0))
    if slopes:
        tangent[:, np.arange(states), np.arange(states)] = 1.0

    def slope(at: np.ndarray, turned: np.ndarray, stage: int):
        rows[:, path.states], rows[:, others] = at, path.drive[:, stage]
        if not slopes:
            return field.values(rows, constants), turned
        value, by_input, by_constant = field(rows, constants)
        change = by_input[:, :, path.states] @ turned
        change[:, :, states:] += by_constant
        return value, change

    a, b, _ = path.method
    for number in range(path.substeps):
        ks: list[np.ndarray] = []
        ms: list[np.ndarray] = []
        for stage in range(len(b)):
            at, turned = x, tangent
            for before in range(stage):
                if a[stage, before]:
                    at = at + a[stage, before] * h * ks[before]
                    if slopes:
                        turned = turned + a[stage, before] * h[:, :, None] * ms[before]
            k, m = slope(at, turned, number * len(b) + stage)
            ks.append(k)
            ms.append(m)
        x = x + h * sum(weight * k for weight, k in zip(b, ks, strict=True))
        if slopes:
            tangent = tangent + h[:, :, None] * sum(weight * m for weight, m in zip(b, ms, strict=True))
    return x, tangent


def _tangent(field: Field, constants: np.ndarray, path: Path, x: np.ndarray, q: np.ndarray) -> _Tangent:
    """Defects of all joints in units of q; none where trajectories meet."""
    ahead, slopes = _step(field, constants, path, x[:-1], True)
    factor = path.joined[:, None] / q
    states = x.shape[1]
    slopes = slopes * factor[:, :, None]
    return _Tangent((ahead - x[1:]) * factor, slopes[:, :, :states], slopes[:, :, states:])


def _cost(field: Field, constants: np.ndarray, path: Path, x: np.ndarray, q: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        ahead, _ = _step(field, constants, path, x[:-1], False)
        joints = (ahead - x[1:]) * path.joined[:, None] / q
        cost = np.sum(joints**2) + np.sum((path.weights * (x - path.y)) ** 2)
    return float(cost) if np.isfinite(cost) else np.inf


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


def _reduce(path: Path, x: np.ndarray, tangent: _Tangent, q: np.ndarray, damping: float) -> _Reduced:
    """Eliminate the states: a banded Cholesky factor, and one solution a constant."""
    nodes, states = x.shape
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
    count = tangent.by_constant.shape[2]
    right = np.zeros((nodes, states, count + 1))
    joints = np.concatenate([tangent.by_constant, tangent.defect[:, :, None]], axis=2)
    right[:-1] += turned @ joints
    right[1:] -= back[:, :, None] * joints
    right[:, :, -1] += weight * (x - path.y)
    flat = right.reshape(nodes * states, count + 1)
    solved = cho_solve_banded((cholesky_banded(band), False), flat)
    rows = (nodes - 1) * states
    outer = tangent.by_constant.reshape(rows, count)
    full = outer.T @ joints.reshape(rows, count + 1) - flat[:, :count].T @ solved
    return _Reduced(
        full[:, :count],
        full[:, -1],
        solved[:, -1].reshape(nodes, states),
        solved[:, :count].reshape(nodes, states, count),
    )


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
    reduced, cost = None, np.inf
    for stage, ratio in enumerate(anneal):
        last = stage == len(anneal) - 1
        q = (min(ratio, path.tight) if ratio == ANNEAL[-1] else ratio) * path.scale
        cost, damping = _cost(field, constants, path, x, q), DAMPING[0]
        if not np.isfinite(cost):
            return None
        stale = True
        for _ in range(steps if last else max(steps // 4, 1)):
            if stale:
                with np.errstate(all="ignore"):
                    tangent = _tangent(field, constants, path, x, q)
            try:
                reduced = _reduce(path, x, tangent, q, damping)
                change, moved = reduced.step(damping, active)
            except (LinAlgError, ValueError, np.linalg.LinAlgError):
                return None
            trial = _cost(field, constants + change, path, x + moved, q)
            stale = trial < cost
            if stale:
                gain, cost = cost - trial, trial
                constants, x = constants + change, x + moved
                damping = max(damping * 0.1, DAMPING[0])
                if gain < CLOSE * (1.0 if last else 10.0):
                    break
            else:
                damping = max(damping * 10.0, 1e-4)
                if damping > DAMPING[1]:
                    break
    with np.errstate(all="ignore"):
        tangent = _tangent(field, constants, path, x, q)
    try:
        reduced = _reduce(path, x, tangent, q, 0.0)
    except (LinAlgError, ValueError, np.linalg.LinAlgError):
        return None
    data = float(np.sum((path.weights * (x - path.y)) ** 2))
    return Shot(constants, x, cost, data, reduced.information, reduced.gradient)


def step_error(field: Field, constants: np.ndarray, path: Path, finer: Path, x: np.ndarray) -> float:
    """Error of a path's steps beside those of a finer one, root mean square in units of the last q."""
    with np.errstate(all="ignore"):
        ahead, _ = _step(field, constants, path, x[:-1], False)
        error = (ahead - _step(field, constants, finer, x[:-1], False)[0]) * path.joined[:, None]
        size = float(np.sqrt(np.mean((error / (path.tight * path.scale)) ** 2)))
    return size if np.isfinite(size) else np.inf


def stage_times(method: Tableau, substeps: int) -> np.ndarray:
    """Times of all stages as shares of the interval."""
    return ((np.arange(substeps)[:, None] + method[2]) / substeps).ravel()
