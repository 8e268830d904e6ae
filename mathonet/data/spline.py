"""Spline smoothing of a channel: cubic smoothing splines by generalised cross-validation, with deviations.

A spline's derivative is wrong by the noise it lets through, which passed draws of noise show, and by the shape it
smooths away, which a spline 32 times less smooth shows beyond the noise of the two.
"""

import numpy as np
from scipy.interpolate import BSpline, make_smoothing_spline

from mathonet.data.curve import Curve, Series
from mathonet.errors import DataError

FEWEST = 5
"""Samples of a trajectory that a smoothing spline needs."""
_DRAWS = 8
_LOOSER = 1.0 / 32.0


def smooth_by_spline(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories, each by its own spline; NaN is not measured."""
    values = np.concatenate([x[np.isfinite(x)] for _, x in channel])
    middle, scale = float(values.mean()), float(values.std())
    fits = [_fit(t, (x - middle) / scale) for t, x in channel]
    freedom = sum(fit["freedom"] for fit in fits)
    noise = float(np.sqrt(sum(fit["squares"] for fit in fits) / freedom))
    curves = []
    for fit in fits:
        extra = np.mean(fit["apart"] ** 2, axis=0) - noise**2 * np.mean(fit["apart_noise"] ** 2, axis=(0, 2))
        variance = noise**2 * np.mean(fit["passed"] ** 2, axis=2) + np.maximum(extra, 0.0)
        mean = fit["mean"] * scale + np.array([middle, 0.0, 0.0])
        sigma = np.full(len(mean), noise * scale)
        curves.append(Curve(mean, np.sqrt(variance) * scale, sigma, noise * scale, "constant", fit["length"]))
    return curves


def _fit(t: np.ndarray, y: np.ndarray) -> dict:
    """A trajectory's spline: its curve, what it does to noise, and how a looser one differs."""
    seen = np.isfinite(y)
    if seen.sum() < FEWEST:
        raise DataError(
            f"A trajectory has {seen.sum()} measured samples of a channel; a smoothing spline needs {FEWEST}. "
            "Leave it out, or use method='gp', in which trajectories help each other."
        )
    unit = (t[-1] - t[0]) / max(len(t) - 1, 1)
    times = (t - t[0]) / unit
    inner, values = times[seen], y[seen]
    fitted = make_smoothing_spline(inner, values)
    stiff = _stiffness(fitted, inner, values)
    draws = np.random.default_rng(0).choice([-1.0, 1.0], size=(_DRAWS, len(inner)))
    power = unit ** -np.arange(3.0)

    def passed(stiffness: float) -> np.ndarray:
        splines = [make_smoothing_spline(inner, draw, lam=stiffness) for draw in draws]
        return np.stack([_curve(spline, times) * power for spline in splines], axis=2)

    through = passed(stiff)
    looser = _curve(make_smoothing_spline(inner, values, lam=stiff * _LOOSER), times) * power
    mean = _curve(fitted, times) * power
    kept = np.mean(np.sum(draws.T * through[seen, 0], axis=0))
    return {
        "mean": mean,
        "passed": through,
        "apart": mean - looser,
        "apart_noise": through - passed(stiff * _LOOSER),
        "squares": float(np.sum((values - mean[seen, 0]) ** 2)),
        "freedom": max(len(inner) - float(kept), 1.0),
        "length": float(stiff**0.25 * unit),
    }


def _curve(spline: BSpline, times: np.ndarray) -> np.ndarray:
    """Values and two derivatives (times, 3)."""
    return np.stack([spline(times, order) for order in range(3)], axis=1)


def _stiffness(spline: BSpline, t: np.ndarray, y: np.ndarray) -> float:
    """The parameter that cross-validation chose: residuals are it times the jumps of the third derivative."""
    third = np.concatenate([[0.0], spline(0.5 * (t[1:] + t[:-1]), 3), [0.0]])
    jumps = np.diff(third)
    return max(float(np.sum((y - spline(t)) * jumps) / max(np.sum(jumps**2), 1e-300)), 1e-12)
