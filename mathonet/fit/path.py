"""Path: measured states at the nodes of a path, and Runge-Kutta steps along it from each node to the next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.integrate import DOP853


class Field(Protocol):
    """A right-hand side; see `Flow`."""

    @property
    def places(self) -> Sequence[slice]:
        """Where the constants of each equation are; slopes in all others are not looked at."""
        ...

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
MOST_VALUES = 4_000_000
"""Slopes of the equations that are held at a time."""
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


def march(field: Field, constants: np.ndarray, path: Path, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi of every node but the last, and the rows that the equations were evaluated at on the way.

    Returns:
        Phi (nodes, states), and the rows of all stages of all steps (nodes, stages, inputs).
    """
    a, b, _ = path.method
    h = path.h / path.substeps
    # Nodes come last in memory: there are many of them, and few states.
    rows = np.empty((x.shape[1] + path.drive.shape[2], path.substeps * len(b), len(x)))
    rows[path.others] = path.drive.transpose(2, 1, 0)
    x = np.ascontiguousarray(x.T)
    for first in range(0, rows.shape[1], len(b)):
        ks = np.empty((len(b), x.size))
        for stage in range(len(b)):
            rows[path.states, first + stage] = x + h * (a[stage, :stage] @ ks[:stage]).reshape(x.shape)
            ks[stage] = field.values(rows[:, first + stage].T, constants).T.ravel()
        x = x + h * (b @ ks).reshape(x.shape)
    return x.T, rows.transpose(2, 1, 0)


def slopes_along(field: Field, constants: np.ndarray, path: Path, rows: np.ndarray) -> np.ndarray:
    """Slopes of Phi in (state, constants), (nodes, states, states + constants), along the rows of a march.

    What a small push at a stage does to Phi is carried back from the end of the interval, once for all
    constants; the equations are evaluated at all stages in one go.
    """
    nodes, stages, inputs = rows.shape
    states = len(path.states)
    found = np.zeros((states, states + len(constants), nodes))
    share = max(1, MOST_VALUES // (stages * states * (inputs + len(constants))))
    for start in range(0, nodes, share):
        part = slice(start, start + share)
        here = rows[part].T
        _, by_input, by_constant = field(here.reshape(inputs, -1).T, constants)
        by_state = by_input[:, :, path.states].transpose(1, 2, 0).reshape(states, states, *here.shape[1:])
        pushes, found[:, :states, part] = _carried_back(path, path.h[part], by_state)
        for equation, place in enumerate(field.places):
            own = by_constant[:, equation, place].T.reshape(-1, *here.shape[1:])
            into = slice(states + place.start, states + place.stop)
            np.einsum("skn,csn->kcn", pushes[:, :, equation], own, out=found[:, into, part])
    return found.transpose(2, 0, 1)


def _carried_back(path: Path, h: np.ndarray, by_state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a push does to Phi: in the slope at any stage (stages, states, states, nodes); at the start."""
    a, b, _ = path.method
    states, _, stages, nodes = by_state.shape
    h = h / path.substeps
    pushes = np.empty((stages, states, states, nodes))
    end = np.broadcast_to(np.eye(states)[:, :, None], (states, states, nodes))
    for first in range(stages - len(b), -1, -len(b)):
        turned = np.empty((len(b), end.size))
        for stage in range(len(b) - 1, -1, -1):
            later = (a[stage + 1 :, stage] @ turned[stage + 1 :]).reshape(end.shape)
            push = pushes[first + stage]
            np.multiply(h, b[stage] * end + later, out=push)
            np.einsum(
                "ken,ejn->kjn", push, by_state[:, :, first + stage], out=turned[stage].reshape(end.shape)
            )
        end = end + turned.sum(axis=0).reshape(end.shape)
    return pushes, end


def step_from(field: Field, constants: np.ndarray, path: Path, node: int, x: np.ndarray) -> np.ndarray:
    """Phi of one node, from several states (starts, states)."""
    here = slice(node, node + 1)
    drive = np.broadcast_to(path.drive[here], (len(x), *path.drive.shape[1:]))
    many = replace(path, h=np.full(len(x), path.h[node]), drive=drive)
    return march(field, constants, many, x)[0]


def step_error(field: Field, constants: np.ndarray, path: Path, finer: Path, x: np.ndarray) -> float:
    """Error of a path's steps beside those of a finer one, root mean square in units of the last q."""
    with np.errstate(all="ignore"):
        ahead, _ = march(field, constants, path, x[:-1])
        error = (ahead - march(field, constants, finer, x[:-1])[0]) * path.joined[:, None]
        size = float(np.sqrt(np.mean((error / (path.tight * path.scale)) ** 2)))
    return size if np.isfinite(size) else np.inf


def stage_times(method: Tableau, substeps: int) -> np.ndarray:
    """Times of all stages as shares of the interval."""
    return ((np.arange(substeps)[:, None] + method[2]) / substeps).ravel()
