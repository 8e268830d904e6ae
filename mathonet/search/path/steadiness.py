"""Steadiness: of systems that the data hardly tell apart, the one that does well from any likely start.

A fit finds the start that suits its system best. Where the noise leaves the start open, a system may follow
the data from its own start and leave them, or blow up, from one that is as likely: from where its rivals
begin, or from where a smooth curve through the data does.
"""

from collections.abc import Sequence

import numpy as np

from mathonet.fit.path import step_from
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit


def steadiest(joint: PathFit, best: Fit) -> Fit:
    """The best system, or one that is nearly as good and follows the data clearly better from any start.

    Args:
        joint: what was fitted.
        best: the system with the best score.
    """
    tied = [fit for fit in joint.front if fit.score <= best.score + effort.HOPELESS and fit is not best]
    tied = [best, *sorted(tied, key=lambda fit: fit.score)[: effort.MOST_TIED - 1]]
    if len(tied) == 1 or joint.clean or joint.hidden:
        return best
    own = _followed(joint, best, tied)
    winner, most = best, own + effort.CLEARLY_STEADIER
    for fit in tied[1:]:
        needed = effort.STEADIER_PER_SCORE * (fit.score - best.score)
        # Nothing follows more than all of the data.
        if 1.0 - needed > most and (worth := _followed(joint, fit, tied) - needed) > most:
            winner, most = fit, worth
    return winner


def _starts(joint: PathFit, tied: Sequence[Fit], node: int) -> np.ndarray:
    """Likely starts at a node: those of the systems that are tied, and around the smoothed one."""
    smoothed, sides = joint.smoothed[node], np.diag(joint.smoothed_std[node])
    return np.concatenate(
        [[each.path.x[node] for each in tied], [smoothed], smoothed + sides, smoothed - sides]
    )


def _followed(joint: PathFit, fit: Fit, tied: Sequence[Fit]) -> float:
    """Share of the data's variance that a system follows, on average over all likely starts."""
    path = joint.path
    y, seen = path.y[: effort.SEARCH_NODES], path.weights[: effort.SEARCH_NODES] > 0
    about = np.where(seen, y, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    spread = float(np.sum(np.where(seen, y - about, 0.0) ** 2))
    left = np.zeros(len(_starts(joint, tied, 0)))
    x = np.empty((len(left), y.shape[1]))
    with np.errstate(all="ignore"):
        for node in range(len(y)):
            if node == 0 or path.joined[node - 1] == 0:
                checkpoint()
                x = _starts(joint, tied, node)
            else:
                x = step_from(joint.flow(fit.as_fitted), fit.constants, path, node - 1, x)
            left += np.sum(np.where(seen[node], x - y[node], 0.0) ** 2, axis=1)
            if not (left < spread).any():
                return 0.0
        return float(np.mean(np.nan_to_num(np.maximum(1.0 - left / spread, 0.0), nan=0.0)))
