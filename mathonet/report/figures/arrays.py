"""Checks of what is given to be drawn: numbers, shapes that fit, and a word about what is wrong."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mathonet.errors import DataError


def numbers(values: ArrayLike, what: str) -> np.ndarray:
    """An array of numbers."""
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        raise DataError(f"{what} must be an array of numbers, got {type(values).__name__}.") from None


def vector(values: ArrayLike, what: str, count: int | None = None) -> np.ndarray:
    """A list of numbers, of the length that is asked for."""
    found = numbers(values, what)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1 or not len(found) or count not in (None, len(found)):
        wanted = "a list of numbers" if count is None else f"{count} numbers"
        raise DataError(f"{what} must be {wanted}, got an array of shape {found.shape}.")
    return found


def table(values: ArrayLike, what: str, shape: tuple[int | None, int | None] = (None, None)) -> np.ndarray:
    """Rows and columns of numbers; a list is one column."""
    found = numbers(values, what)
    if found.ndim == 1:
        found = found[:, None]
    fits = found.ndim == 2 and all(want in (None, got) for want, got in zip(shape, found.shape, strict=True))
    if not fits or not found.size:
        wanted = " x ".join("any" if want is None else str(want) for want in shape)
        raise DataError(f"{what} must be a table ({wanted}), got an array of shape {found.shape}.")
    return found


def state_names(names: Sequence[str] | None, count: int) -> list[str]:
    """The given names, or x, y, z, or x1, x2 and so on."""
    if names is None:
        return ["x", "y", "z"][:count] if count <= 3 else [f"x{number + 1}" for number in range(count)]
    if len(names) != count:
        raise DataError(f"{count} states but {len(names)} names: {list(names)}.")
    return list(names)


def held_rows(held_out: float | ArrayLike | None, times: np.ndarray) -> tuple[np.ndarray, float | None]:
    """Which rows were held out, and from when on if that is one time."""
    if held_out is None:
        return np.zeros(len(times), bool), None
    given = np.asarray(held_out)
    if given.ndim == 0:
        since = float(numbers(held_out, "held_out"))
        return times >= since, since
    if given.dtype != bool or given.shape != times.shape:
        raise DataError(
            f"held_out must be a time, or {len(times)} of True and False; got {given.dtype} of shape "
            f"{given.shape}."
        )
    return given, None
