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
    def make(
        cls, values: Any, t: Any, axes: Sequence[Any], names: Sequence[str] | None, boundary: str
    ) -> "Field":
        """A checked field; every complaint says what was found and what to do."""
        if boundary not in get_args(Boundary):
            raise ConfigError(
                f"boundary={boundary!r} does not exist; choose one of {list(get_args(Boundary))}."
            )
        if len(axes) != 1:
            raise DataError(f"{len(axes)} space axes were given; only grids with one are supported so far.")
        try:
            array, times, x = (np.asarray(part, float) for part in (values, t, axes[0]))
        except (TypeError, ValueError):
            raise DataError("values, t and axes must be numbers.") from None
        if array.ndim == 2:
            array = array[:, :, None]
        if array.ndim != 3 or array.shape[:2] != (len(times), len(x)):
            raise DataError(
                f"values must be ({len(times)} times, {len(x)} points, fields), got {array.shape}."
            )
        if not np.isfinite(array).all():
            time, point, _ = np.argwhere(~np.isfinite(array))[0]
            raise DataError(
                f"{np.sum(~np.isfinite(array))} values are not finite, the first at time {time}, point "
                f"{point}: fill or cut them before fitting."
            )
        steps = np.diff(x)
        if len(x) < 5 or (steps <= 0).any() or np.ptp(steps) > 1e-6 * steps.mean():
            raise DataError("The space axis must have at least 5 increasing, evenly spaced points.")
        if (np.diff(times) <= 0).any():
            raise DataError("Times must increase.")
        given = tuple(names) if names is not None else ("u", "v", "w")[: array.shape[2]]
        if len(given) != array.shape[2] or len(set(given)) != len(given):
            raise DataError(f"{array.shape[2]} fields need as many different names, got {list(given)}.")
        return cls(times, x, array, given, boundary)  # pyright: ignore[reportArgumentType]

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
