"""The loop of every search: proposers propose, objectives fit and keep, until nothing that is left could win.

On samples there is an objective for every equation, on a measured path there is one for the whole system.
"""

from collections.abc import Callable, Sequence

from mathonet.search.fit import Structure
from mathonet.search.objective import Judged, Objective, Proposer


def search(
    objectives: Sequence[Judged],
    proposers: Sequence[Proposer[Judged]],
    begun: Callable[[Proposer[Judged]], None] = lambda proposer: None,
) -> None:
    """Let every proposer propose what may still win, the cheap ones first, until none could.

    What one has changed is seen by those before it too, which are asked again as often as they may.

    Args:
        objectives: what forms are judged by; each keeps what it was shown.
        proposers: in the order of what they cost.
        begun: called when a proposer's turn comes; it may end the search by raising `StoppedError`.
    """
    turns = [0] * len(proposers)
    place = 0
    while place < len(proposers):
        proposer = proposers[place]
        wanted = [each for each in objectives if turns[place] < proposer.turns and proposer.could_win(each)]
        place += 1
        if not wanted:
            continue
        turns[place - 1] += 1
        begun(proposer)
        before = [_structure(each) for each in wanted]
        for objective, proposals in proposer.propose(wanted):
            objective.consider(proposals, proposer.name)
        if [_structure(each) for each in wanted] != before:
            place = 0


def _structure(objective: Objective) -> Structure | None:
    return None if objective.best is None else objective.best.structure
