"""Noise: how the deviation of what was measured goes with the value, told from residuals by likelihood."""

import numpy as np

MARGIN = 4.0
"""Nats by which noise that grows with the value must be likelier than constant noise."""
_SHARES = (0.3, 0.1, 0.03)
"""Where a channel crosses zero, proportional noise keeps that of this share of its root mean square."""


def log_likelihood(left: np.ndarray, sigma: np.ndarray) -> float:
    """Log density of residuals of given deviations, without its constant."""
    return -0.5 * float(np.sum((left / sigma) ** 2)) - float(np.sum(np.log(sigma)))


def proportional_share(left: np.ndarray, level: np.ndarray, margin: float = MARGIN) -> float | None:
    """The likeliest share, if residuals speak for noise that grows with the level.

    Args:
        left: residuals.
        level: values in units of their root mean square.
        margin: nats by which they must.
    """
    count = len(left)

    def likelihood(relative: np.ndarray) -> float:
        return -0.5 * count * float(np.log(np.mean((left / relative) ** 2))) - float(np.sum(np.log(relative)))

    even = likelihood(np.ones(count))
    gain, share = max((likelihood(np.hypot(level, share)) - even, share) for share in _SHARES)
    return share if gain > margin else None
