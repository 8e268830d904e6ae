"""Steadiness: of systems that the data hardly tell apart, the one that does well from any likely start.

A fit finds the start that suits its system best. Where the noise leaves the start open, a system may follow
the data from its own start and leave them, or blow up, from one that is as likely: from where its rivals
begin, or from where a smooth curve through the data does.
"""

from collections.abc import Sequence

import numpy as np

from mathonet.discovery.joint import Joint, JointFit
from mathonet.fit.path import step_from

TIED = 10.0
"""Lead in the score up to which a system may be passed over for a steadier one."""
MOST_TIED = 15
CLEARLY = 0.05
"""Share of the data's variance that a system must follow more, on average, to be preferred."""
PER_SCORE = 0.015
"""What it must follow more besides, for every unit of the score that it is behind."""


def steadiest(joint: Joint, best: JointFit, deviations: np.ndarray) -> JointFit:
    """The best system, or one that is nearly as good and follows the data clearly better from any start.

    Args:
        joint: what was fitted.
        best: the system with the best score.
        deviations: how sure the smoothed states are at every node of the path.
    """
    tied = [fit for fit in joint.seen.values() if fit.score <= best.score + TIED and fit is not best]
    tied = [best, *sorted(tied, key=lambda fit: fit.score)[: MOST_TIED - 1]]
    if len(tied) == 1 or joint.clean or joint.hidden:
        return best
    behind = np.array([fit.score - best.score for fit in tied])
    worth = np.array([_followed(joint, fit, tied, deviations) for fit in tied]) - PER_SCORE * behind
    winner = int(np.argmax(worth))
    return tied[winner] if worth[winner] > worth[0] + CLEARLY else best


def _starts(joint: Joint, tied: Sequence[JointFit], deviations: np.ndarray, node: int) -> np.ndarray:
    """Likely starts at a node: those of the systems that are tied, and around the smoothed one."""
    smoothed, sides = joint.smoothed[node], np.diag(deviations[node])
    return np.concatenate(
        [[each.shot.x[node] for each in tied], [smoothed], smoothed + sides, smoothed - sides]
    )


def _followed(joint: Joint, fit: JointFit, tied: Sequence[JointFit], deviations: np.ndarray) -> float:
    """Share of the data's variance that a system follows, on average over all likely starts."""
    path = joint.path
    seen = path.weights > 0
    left, begin = 0.0, 0
    for end in np.append(np.flatnonzero(path.joined == 0), len(path.y) - 1):
        x = _starts(joint, tied, deviations, begin)
        for node in range(begin, end + 1):
            off = np.where(seen[node], x - path.y[node], 0.0)
            left = left + np.sum(off**2, axis=1)
            if node < end:
                with np.errstate(all="ignore"):
                    x = step_from(fit.flow, fit.shot.constants, path, node, x)
        begin = end + 1
    about = np.where(seen, path.y, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    spread = np.sum(np.where(seen, path.y - about, 0.0) ** 2)
    with np.errstate(all="ignore"):
        share = np.maximum(1.0 - left / spread, 0.0)
    return float(np.mean(np.nan_to_num(share, nan=0.0)))
