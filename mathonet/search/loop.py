"""The loop of every search: proposers propose, objectives fit and keep, until nothing that is left could win.

On samples there is an objective for every equation, on a measured path there is one for the whole system.
"""

from collections.abc import Callable, Sequence

from mathonet.search.objective import Judged, Proposer


def search(
    objectives: Sequence[Judged],
    proposers: Sequence[Proposer[Judged]],
    begun: Callable[[Proposer[Judged]], None] = lambda proposer: None,
) -> None:
    """Let every proposer propose what may still win, the cheap ones first.

    Args:
        objectives: what forms are judged by; each keeps what it was shown.
        proposers: in the order of what they cost.
        begun: called when a proposer's turn comes; it may end the search by raising `StoppedError`.
    """
    for proposer in proposers:
        wanted = [each for each in objectives if proposer.could_win(each)]
        if not wanted:
            continue
        begun(proposer)
        for objective, proposals in proposer.propose(wanted):
            objective.consider(proposals, proposer.name)
