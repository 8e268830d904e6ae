"""Steadiness: of systems that the data cannot tell apart, the one that does well from any likely start.

A fit finds the start that suits its system best. Where the noise leaves the start open, a system may follow
the data from its own start and leave them, or blow up, from one that is as likely: from where its rivals
begin, for one.
"""

from collections.abc import Sequence

import numpy as np

from mathonet.discovery.joint import Joint, JointFit
from mathonet.discovery.trust import DECIDED
from mathonet.fit.path import step_from

TIED = 2.0 * DECIDED
"""Lead in the score up to which systems count as tied."""
MOST_TIED = 12
CLEARLY = 0.05
"""Share of the data's variance that a system must follow more, on average, to be preferred."""


def steadiest(joint: Joint, best: JointFit) -> JointFit:
    """The best system, or one that is tied with it and follows the data clearly better from any start."""
    tied = [fit for fit in joint.seen.values() if fit.score <= best.score + TIED and fit is not best]
    tied = [best, *sorted(tied, key=lambda fit: fit.score)[: MOST_TIED - 1]]
    if len(tied) == 1 or joint.clean or joint.hidden:
        return best
    followed = [_followed(joint, fit, tied) for fit in tied]
    winner = int(np.argmax(followed))
    return tied[winner] if followed[winner] > followed[0] + CLEARLY else best


def _followed(joint: Joint, fit: JointFit, tied: Sequence[JointFit]) -> float:
    """Share of the data's variance that a system follows, on average over the starts of all that are tied."""
    path = joint.path
    seen = path.weights > 0
    ends = np.append(np.flatnonzero(path.joined == 0), len(path.y) - 1)
    left, begin = np.zeros(len(tied)), 0
    for end in ends:
        x = np.stack([each.shot.x[begin] for each in tied])
        for node in range(begin, end + 1):
            off = np.where(seen[node], x - path.y[node], 0.0)
            left += np.sum(off**2, axis=1)
            if node < end:
                with np.errstate(all="ignore"):
                    x = step_from(fit.flow, fit.shot.constants, path, node, x)
        begin = end + 1
    about = np.where(seen, path.y, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    spread = np.sum(np.where(seen, path.y - about, 0.0) ** 2)
    with np.errstate(all="ignore"):
        share = np.maximum(1.0 - left / spread, 0.0)
    return float(np.mean(np.nan_to_num(share, nan=0.0)))
