"""Path: measured states at the nodes of a path, and Runge-Kutta steps along it from each node to the next."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.integrate import DOP853


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

    @cached_property
    def told(self) -> np.ndarray:
        """Which states were measured with noise that their values tell."""
        measured = np.any(self.weights > 0, axis=0)
        return measured & ~np.isin(np.arange(self.y.shape[1]), self.exact)

    @cached_property
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


def step(field: Field, constants: np.ndarray, path: Path, x: np.ndarray, slopes: bool):
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


def step_from(field: Field, constants: np.ndarray, path: Path, node: int, x: np.ndarray) -> np.ndarray:
    """Phi of one node, from several states (starts, states)."""
    here = slice(node, node + 1)
    drive = np.broadcast_to(path.drive[here], (len(x), *path.drive.shape[1:]))
    many = replace(path, h=np.full(len(x), path.h[node]), drive=drive)
    return step(field, constants, many, x, False)[0]


def step_error(field: Field, constants: np.ndarray, path: Path, finer: Path, x: np.ndarray) -> float:
    """Error of a path's steps beside those of a finer one, root mean square in units of the last q."""
    with np.errstate(all="ignore"):
        ahead, _ = step(field, constants, path, x[:-1], False)
        error = (ahead - step(field, constants, finer, x[:-1], False)[0]) * path.joined[:, None]
        size = float(np.sqrt(np.mean((error / (path.tight * path.scale)) ** 2)))
    return size if np.isfinite(size) else np.inf


def stage_times(method: Tableau, substeps: int) -> np.ndarray:
    """Times of all stages as shares of the interval."""
    return ((np.arange(substeps)[:, None] + method[2]) / substeps).ravel()
