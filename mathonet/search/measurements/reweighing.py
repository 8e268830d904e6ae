"""Reweighing: the noise of measured states, taken anew from what a fitted system leaves of them.

Data that bend sharply between samples look noisy to any smoother, and noise between coarse ones like motion;
not so to their equations.
"""

import numpy as np

from mathonet.data.smoothing.noise import MARGIN, log_likelihood, proportional_share
from mathonet.fit.residuals import MISFIT, leaves_noise
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.measurements.measured import Measured
from mathonet.search.path.fit import PathFit


def reweighed(joint: PathFit, fit: Fit, measured: Measured, units: np.ndarray) -> Measured | None:
    """What was measured with the noise that a system leaves, where smoothing saw another; None if nowhere.

    More noise is taken only where what is left looks like noise. Weights that the user gave stay.

    Args:
        joint: what the system was fitted by.
        fit: the system.
        measured: what the path of the joint fit goes through, all or some of it.
        units: from the units of the path to those of the data, one a state.
    """
    path, found = joint.path, measured
    if joint.clean or any(each.weights is not None for each in measured.trajectories):
        return None
    # Constants belong to all states, of which those taken as exact do not count as data.
    used = len(fit.path.constants) * path.told.sum() / len(path.told)
    free = max(path.freedom - used, 1.0) / path.count
    for state in np.flatnonzero(path.told).tolist():
        seen = path.weights[:, state] > 0
        left, values = (path.y - fit.path.x)[seen, state], fit.path.x[seen, state]
        sigma, misfit = 1.0 / path.weights[seen, state], joint.misfit(fit, state)
        if not left.any() or (misfit > 1.0 and (misfit > MISFIT or not leaves_noise(left / sigma, None))):
            continue
        root = float(np.sqrt(np.mean(values**2)))
        share = proportional_share(left, values / root)
        relative = _relative(values, root, share)
        factor = float(np.sqrt(np.mean((left / relative) ** 2) / free))
        # Outliers too small to be named mislead smoothing, whose curve they bend, more than the path.
        told = (
            MARGIN
            if any(each.name == measured.states[state] for each in measured.outliers)
            else effort.NOISE_TOLD
        )
        if log_likelihood(left, factor * relative) > log_likelihood(left, sigma) + told:
            # Where smoothing saw another noise, it saw other values as well.
            whole = len(fit.path.x) == len(measured.x)
            every = fit.path.x[:, state] if whole else measured.x[:, state] / units[state]
            taken = factor * float(units[state]) * _relative(every, root, share)
            found = found.weighed(state, taken, "constant" if share is None else "proportional")
    return None if found is measured else found


def _relative(values: np.ndarray, root: float, share: float | None) -> np.ndarray:
    """Deviations of the noise in units of that of a value `root`."""
    return np.ones(len(values)) if share is None else np.hypot(values / root, share)
