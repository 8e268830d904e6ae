"""Field: measurements on a grid in space and time, and the neighbourhoods a stencil sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from mathonet.errors import ConfigError, DataError

Boundary = Literal["periodic", "none"]


@dataclass(frozen=True)
class Field:
    """Values (times, points, fields) on a regular grid in one space dimension.

    Attributes:
        t: times.
        x: the points of the grid, evenly spaced.
        values: of every field at every time and point.
        names: of the fields.
        boundary: "periodic", or "none" for points near the ends to be left out.
    """

    t: np.ndarray
    x: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]
    boundary: Boundary

    @classmethod
    def make(cls, values: Any, t: Any, axes: Any, names: Sequence[str] | None, boundary: str) -> "Field":
        """A checked field; every complaint says what was found and what to do.

        Args:
            values: (times, points, fields), or (times, points) for one field.
            t: times.
            axes: the points of the one space axis, or a list with them.
            names: of the fields; None for u, v, w.
            boundary: "periodic" or "none".
        """
        if boundary not in get_args(Boundary):
            raise ConfigError(
                f"boundary={boundary!r} does not exist; choose one of {list(get_args(Boundary))}."
            )
        times, x = _axis(t, "t"), _axis(_only(axes), "the space axis")
        array = _on_grid(values, "values", len(times), len(x))
        steps = np.diff(x)
        if len(x) < 5 or (steps <= 0).any() or np.ptp(steps) > 1e-6 * steps.mean():
            raise DataError("The space axis must have at least 5 increasing, evenly spaced points.")
        if (np.diff(times) <= 0).any():
            raise DataError("Times must increase.")
        if names is not None and (isinstance(names, str) or not np.iterable(names)):
            raise DataError(f"names must be a list with one name a field, got {names!r}.")
        given = tuple(names) if names is not None else ("u", "v", "w")[: array.shape[2]]
        if len(given) != array.shape[2] or len(set(given)) != len(given):
            raise DataError(f"{array.shape[2]} fields need as many different names, got {list(given)}.")
        return cls(times, x, array, given, boundary)  # pyright: ignore[reportArgumentType]

    def like(self, values: Any, what: str) -> np.ndarray:
        """Checked values of the shape of this field, such as its time derivatives; `what` names them."""
        array = _on_grid(values, what, len(self.t), len(self.x))
        if array.shape != self.values.shape:
            raise DataError(f"{what} has shape {array.shape}, values {self.values.shape}: make them equal.")
        return array

    @property
    def spacing(self) -> float:
        """Distance of neighbouring points."""
        return float((self.x[-1] - self.x[0]) / (len(self.x) - 1))

    def kept(self, radius: int) -> np.ndarray:
        """Numbers of the points that have all their neighbours."""
        points = np.arange(len(self.x))
        return points if self.boundary == "periodic" else points[radius : len(points) - radius]

    def neighbourhoods(self, radius: int) -> np.ndarray:
        """Inputs (samples, fields x neighbours): field by field, from the left neighbour to the right one."""
        offsets = np.arange(-radius, radius + 1)
        index = (self.kept(radius)[:, None] + offsets) % len(self.x)
        near = self.values[:, index, :]
        return np.moveaxis(near, -1, -2).reshape(-1, len(self.names) * len(offsets))

    def flat(self, values: np.ndarray, radius: int) -> np.ndarray:
        """Values of the shape of this field as one row a sample, in the order of `neighbourhoods`."""
        return values[:, self.kept(radius)].reshape(-1, len(self.names))


def neighbour_names(names: Sequence[str], radius: int) -> tuple[str, ...]:
    """Names of the inputs: u[-1], u, u[+1] for a field u and its nearest neighbours."""
    return tuple(
        name if offset == 0 else f"{name}[{offset:+d}]"
        for name in names
        for offset in range(-radius, radius + 1)
    )


def _only(axes: Any) -> Any:
    """The one space axis, given as it is or in a list."""
    try:
        bare = np.ndim(axes) == 1
    except ValueError:  # axes of different lengths
        bare = False
    if bare:
        return axes
    if not isinstance(axes, Sequence | np.ndarray) or len(axes) == 0:
        raise DataError(f"axes must be the points of the space axis, or a list with them; got {axes!r}.")
    if len(axes) != 1:
        raise DataError(f"{len(axes)} space axes were given; only grids with one are supported so far.")
    return axes[0]


def _on_grid(values: Any, what: str, times: int, points: int) -> np.ndarray:
    """Finite numbers (times, points, fields)."""
    array = _numbers(values, what)
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or array.shape[:2] != (times, points) or array.shape[2] == 0:
        raise DataError(f"{what} must be ({times} times, {points} points, fields), got {np.shape(values)}.")
    if not np.isfinite(array).all():
        time, point, _ = np.argwhere(~np.isfinite(array))[0]
        raise DataError(
            f"{np.sum(~np.isfinite(array))} numbers in {what} are not finite, the first at time {time}, "
            f"point {point}: fill or cut them before fitting."
        )
    return array


def _numbers(values: Any, what: str) -> np.ndarray:
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        raise DataError(f"{what} must be an array of numbers.") from None


def _axis(values: Any, what: str) -> np.ndarray:
    axis = _numbers(values, what)
    if axis.ndim != 1 or not np.isfinite(axis).all():
        raise DataError(f"{what} must be a list of finite numbers, got shape {axis.shape}.")
    return axis
