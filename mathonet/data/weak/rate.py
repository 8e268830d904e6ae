"""The rate of a system, seen in its noisy states: size of x'' over size of x', and the noise beside it."""

import numpy as np

from mathonet.data.weak.bump import Bumps

POWER = 5
ORDERS = (4, 6, 8)
NARROWEST, WIDER, MOST_CENTRES = 8.0, 1.4, 200
"""Points in the first half-width tried, the factor to the next, and bumps at which derivatives are taken."""
CLEAR = 9.0
"""Times its noise that the mean square of a second derivative must reach to be believed."""


def difference_noise(t: np.ndarray, x: np.ndarray) -> float:
    """Mean square of the noise from divided differences of order 4, 6 and 8, whichever is least.

    Noise looks alike in all of them; what they have of the curve itself falls with the order on a fine grid.
    """
    t, x = t[np.isfinite(x)], x[np.isfinite(x)]
    found = []
    for order in ORDERS:
        if len(t) <= order:
            break
        place = np.arange(len(t) - order)[:, None] + np.arange(order + 1)
        times = (t[place] - t[place[:, :1]]) / (t[place[:, -1:]] - t[place[:, :1]])
        weights = 1.0 / np.prod(times[:, :, None] - times[:, None, :] + np.eye(order + 1), axis=2)
        weights /= np.linalg.norm(weights, axis=1, keepdims=True)
        found.append(float(np.mean(np.sum(weights * x[place], axis=1) ** 2)))
    return min(found, default=0.0)


def channel_rate(t: np.ndarray, x: np.ndarray, variance: float) -> tuple[float, float] | None:
    """Mean squares of x'' and x' through the narrowest bumps under which x'' stands clear of its noise.

    None where it never does.
    """
    seen = np.isfinite(x)
    t, x = t[seen], x[seen]
    if len(t) < 2 * NARROWEST + 1:
        return None
    half, span = NARROWEST * float(np.quantile(np.diff(t), 0.9)), t[-1] - t[0]
    while 2.5 * half <= span:
        many = min(MOST_CENTRES, int((span - 2.0 * half) / (0.25 * half)) + 1)
        centres = np.linspace(t[0] + half, t[-1] - half, max(many, 2))
        bumps = Bumps(np.arange(len(t)), t, centres, half, POWER)
        first, second = (bumps.rows(order, len(t)) for order in (1, 2))
        # Less the mean, whose quadrature error would pass for a derivative of states far from zero.
        seen1, seen2 = (float(np.mean((rows @ (x - x.mean())) ** 2)) for rows in (first, second))
        noise1, noise2 = (variance * float(np.mean((rows**2).sum(axis=1))) for rows in (first, second))
        if seen2 > CLEAR * noise2 and seen1 > noise1:
            return seen2 - noise2, seen1 - noise1
        half *= WIDER
    return None
