"""Rounding: the error below which data say nothing, from float64 sums, printed digits or float32 numbers."""

import numpy as np

_MOST_DECIMALS = 12
_FEW = 1000
"""Values that are looked at first: where these have too many digits, so have all."""
_SUMS = 1e-12
_SINGLE = float(np.finfo(np.float32).eps)


def rounding_floor(targets: np.ndarray, inputs: np.ndarray | None = None) -> np.ndarray:
    """Standard error of each target from rounding, whichever is coarsest.

    float64 sums lose 1e-12 of a target's size. A target printed with few digits loses the rest of them.
    Numbers that were float32, targets or inputs, lose float32's epsilon.

    Args:
        targets: one column a target.
        inputs: what the targets are a function of, if known.
    """
    largest = np.abs(targets).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    # Divided by the largest first: squares of very large or small columns leave the range.
    size = np.sqrt(np.mean((targets / largest) ** 2, axis=0)) * largest
    size = np.where(size > 0, size, 1.0)
    single_inputs = inputs is not None and any(was_single(column) for column in inputs.T)
    floor = np.empty(targets.shape[1])
    for number, column in enumerate(targets.T):
        relative = _SINGLE if single_inputs or was_single(column) else _SUMS
        floor[number] = max(relative * size[number], printed_error(column))
    return floor


def printed_error(values: np.ndarray) -> float:
    """Standard error of numbers that were printed with few digits, or were float32 once; 0 if not."""
    values = np.asarray(values, dtype=np.float64).ravel()
    values = values[np.isfinite(values)]
    count, digits = decimals(values), significant_digits(values)
    error = 0.0 if count is None else 10.0**-count
    if was_single(values):
        error = max(error, float(np.sqrt(np.mean(np.spacing(values.astype(np.float32)).astype(float) ** 2))))
    if digits is not None and values.any():
        steps = 10.0 ** (_exponents(values[values != 0]) + 1 - digits)
        error = max(error, float(np.sqrt(np.sum(steps**2) / len(values))))
    return error / np.sqrt(12.0)


def grid_error(times: np.ndarray) -> float:
    """Standard error of times that were those of a regular grid before they were printed; 0 for all others.

    Times of no regular grid, or exactly on one, may well be what they say.
    """
    if len(times) < 3:
        return 0.0
    grid = np.linspace(times[0], times[-1], len(times))
    error = float(np.sqrt(np.mean((times - grid) ** 2)))
    # Both ends are rounded too, so that all lie off the grid by somewhat more.
    return error if 1e-12 * abs(times[-1] - times[0]) < error <= 2.0 * printed_error(times) else 0.0


def significant_digits(values: np.ndarray) -> int | None:
    """The number of significant digits (at most 12) that all values have, or None if they have more."""
    values = np.asarray(values, dtype=np.float64).ravel()
    values = values[np.isfinite(values) & (values != 0)]
    if not values.size or (values.size > _FEW and significant_digits(values[:_FEW]) is None):
        return None
    exponents = _exponents(values)
    # 10^p with p below -308 is no number; nobody prints such data.
    if exponents.min() < -250 or exponents.max() > 250:
        return None
    for count in range(1, _MOST_DECIMALS + 1):
        # A product with a power of ten is off by an ulp or two.
        scaled = np.round(values / 10.0 ** (exponents + 1 - count))
        back = scaled * 10.0 ** (exponents + 1 - count)
        if np.all(np.abs(back - values) <= 4.0 * np.spacing(np.abs(values))):
            return count
    return None


def _exponents(values: np.ndarray) -> np.ndarray:
    return np.floor(np.log10(np.abs(values)))


def decimals(values: np.ndarray) -> int | None:
    """The number of printed decimals (at most 12) that all values have, or None if they have more.

    Data printed with few decimals cannot show smaller differences: their resolution is 10^-decimals.
    """
    values = np.asarray(values, dtype=np.float64).ravel()
    values = values[np.isfinite(values)]
    if not values.size or (values.size > _FEW and decimals(values[:_FEW]) is None):
        return None
    for count in range(_MOST_DECIMALS + 1):
        # Past the last exact integer of float64 every value would seem to round to itself.
        if np.max(np.abs(values)) * 10.0**count > 2.0**53:
            return None
        if np.array_equal(np.round(values, count), values):
            return count
    return None


def was_single(values: np.ndarray) -> bool:
    """Whether numbers were float32 once: 24 bits hold them all, and most of them need more than 16.

    The numbers are asked and not their type, which lists, tables and conversions lose. Whole numbers and
    binary fractions need few bits: they are exact in both and say nothing.
    """
    values = np.asarray(values, dtype=np.float64).ravel()
    values = values[np.isfinite(values) & (values != 0)]
    if not values.size:
        return False
    mantissa = np.frexp(values)[0]
    if np.any(mantissa * 2.0**24 % 1.0):
        return False
    return bool(np.mean(mantissa * 2.0**16 % 1.0 != 0) > 0.5)
