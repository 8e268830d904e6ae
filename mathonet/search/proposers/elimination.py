"""Elimination on the path: all monomials of a degree at once, fitted jointly, down to those that pay."""

from collections.abc import Iterator, Sequence

from mathonet.search.objective import Proposal
from mathonet.search.path.moves import eliminate
from mathonet.search.path.objective import PathObjective


class Elimination:
    """The start where nothing is known yet: no derivative is needed for it."""

    name, turns = "elimination on the path", 1

    def __init__(self, degree: int, last_resort: bool = False) -> None:
        """Set the degree of the monomials, and whether they are tried where they cannot be right."""
        self.degree, self.last_resort = degree, last_resort

    def could_win(self, objective: PathObjective) -> bool:
        """Whether nothing was found, what was found leaves more than noise, or that was weighed anew."""
        if self.last_resort:
            return objective.best is None
        if objective.beyond or objective.exact:
            return False
        return objective.best is None or objective.renewed or self.degree <= 2 or not objective.settled

    def propose(self, objectives: Sequence[PathObjective]) -> Iterator[tuple[PathObjective, list[Proposal]]]:
        """What elimination leaves, from several starts."""
        for objective in objectives:
            objective.renewed = False
            yield objective, eliminate(objective.joint, objective.terms(self.degree))
            if objective.renewed:
                objective.renewed = False
                yield objective, eliminate(objective.joint, objective.terms(self.degree))
