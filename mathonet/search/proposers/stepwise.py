"""Stepwise: terms of any equation added, dropped and exchanged where the joint model promises a gain."""

from collections.abc import Iterator, Sequence

from mathonet.search.objective import Proposal
from mathonet.search.path.moves import neighbours
from mathonet.search.path.objective import PathObjective


class Stepwise:
    """Neighbours of the best system among all monomials of a degree.

    All equations are looked at together: what one lacks may hide in the constants of another.
    """

    name, turns = "stepwise", 3

    def __init__(self, degree: int) -> None:
        """Set the degree of the monomials."""
        self.degree = degree

    def could_win(self, objective: PathObjective) -> bool:
        """Whether there is a path, and something left to be explained on it."""
        if objective.best is None or objective.exact or objective.beyond:
            return False
        return objective.asked.get(self) != objective.structure

    def propose(self, objectives: Sequence[PathObjective]) -> Iterator[tuple[PathObjective, list[Proposal]]]:
        """The systems that promise most."""
        for objective in objectives:
            objective.asked[self] = objective.structure
            assert objective.best is not None
            systems = neighbours(objective.joint, objective.best, objective.terms(self.degree))
            start = objective.best.path.x
            yield objective, [Proposal(forms, start=start) for _, forms in systems]
