"""The loop: proposers in their order, each asked only for what it could win, each judged before the next."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from mathonet.equation.expression import number, power, variable
from mathonet.interruption import StoppedError
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.loop import search
from mathonet.search.objective import Proposal


class Judge:
    """An objective that notes what it is shown; its level rises by the hits of a proposal."""

    def __init__(self, name: str, level: int = 0) -> None:
        self.name, self.level = name, level
        self.front = Front()
        self.shown: list[tuple[str, int]] = []

    @property
    def best(self) -> Fit | None:
        return self.front.best

    def consider(self, proposals: Sequence[Proposal], origin: str) -> None:
        self.shown.append((origin, len(proposals)))
        self.level += sum(each.hits for each in proposals)


class Knows:
    """A proposer that could win up to a level, and proposes so many steps up."""

    turns = 1

    def __init__(self, name: str, up_to: int, steps: int = 1, told: list | None = None) -> None:
        self.name, self.up_to, self.steps = name, up_to, steps
        self.told = [] if told is None else told

    def could_win(self, objective: Judge) -> bool:
        return objective.level < self.up_to

    def propose(self, objectives: Sequence[Judge]) -> Iterator[tuple[Judge, list[Proposal]]]:
        for each in objectives:
            self.told.append((self.name, each.name, each.level))
            yield each, [Proposal((number(1.0),), hits=1)] * self.steps


def run(objectives: list[Judge], proposers: list[Knows], **options: Callable) -> None:
    search(objectives, proposers, **options)


def test_proposers_take_their_turns_in_order_and_see_what_those_before_them_reached():
    told: list = []
    objective = Judge("x")
    run([objective], [Knows("cheap", 9, 2, told), Knows("dear", 9, 3, told), Knows("last", 9, 1, told)])
    assert told == [("cheap", "x", 0), ("dear", "x", 2), ("last", "x", 5)]
    assert objective.shown == [("cheap", 2), ("dear", 3), ("last", 1)]


def test_nothing_is_proposed_to_an_objective_that_could_not_be_won():
    told: list = []
    settled, open_ = Judge("settled", level=5), Judge("open")
    run([settled, open_], [Knows("cheap", 3, 1, told), Knows("dear", 9, 1, told)])
    assert told == [("cheap", "open", 0), ("dear", "settled", 5), ("dear", "open", 1)]
    assert settled.shown == [("dear", 1)]
    assert open_.shown == [("cheap", 1), ("dear", 1)]


def test_a_proposer_that_could_win_nothing_has_no_turn():
    begun: list[str] = []
    never = Knows("never", 0)
    never.propose = lambda objectives: pytest.fail("asked")  # type: ignore[method-assign]
    run([Judge("x")], [never, Knows("some", 1)], begun=lambda proposer: begun.append(proposer.name))
    assert begun == ["some"]


def test_whether_a_proposer_could_win_is_asked_after_those_before_it():
    """What a cheap proposer reached is what a dear one has to beat."""
    told: list = []
    run([Judge("x")], [Knows("cheap", 9, 4, told), Knows("dear", 4, 1, told)])
    assert [name for name, *_ in told] == ["cheap"]


def test_each_proposal_is_judged_before_the_next_is_made():
    """So a proposer may go on from what its last proposals led to."""
    levels = []

    class Climbs(Knows):
        def propose(self, objectives):
            for _ in range(3):
                for each in objectives:
                    levels.append(each.level)
                    yield each, [Proposal((number(1.0),), hits=1)]

    run([Judge("x")], [Climbs("climbs", 9)])
    assert levels == [0, 1, 2]


def test_a_search_that_is_to_stop_keeps_what_it_has():
    first, second = Knows("first", 9), Knows("second", 9)

    def begun(proposer: Knows) -> None:
        if proposer is second:
            raise StoppedError("enough")

    objective = Judge("x")
    with pytest.raises(StoppedError, match="enough"):
        run([objective], [first, second], begun=begun)
    assert objective.shown == [("first", 1)]


def test_without_objectives_or_proposers_nothing_happens():
    run([], [Knows("some", 9)])
    objective = Judge("x")
    run([objective], [])
    assert objective.shown == []


class Climber(Knows):
    """A proposer that begins from what stands, so that it may be asked again."""

    turns = 3

    def propose(self, objectives: Sequence[Judge]) -> Iterator[tuple[Judge, list[Proposal]]]:
        for each in objectives:
            self.told.append((self.name, each.name, each.level))
            each.front.keep(fit_of(each.level + 1))
            yield each, [Proposal((number(1.0),), hits=1)]


def fit_of(level: int) -> Fit:
    """A fit whose structure and score tell its level."""
    form = power(variable(0), level)
    return Fit((form,), (form,), np.ones(1), 1.0, np.eye(1), -float(level), 10.0)


def test_what_begins_from_the_best_is_asked_again_when_that_has_changed():
    told: list = []
    run([Judge("x")], [Climber("near", 2, 1, told), Climber("far", 9, 1, told)])
    # The first climbs as far as it can; after the steps of the second it could be asked again, but not win.
    assert [name for name, _, _ in told] == ["near", "near", "far", "far", "far"]
    assert [level for _, _, level in told] == [0, 1, 2, 3, 4]


def test_a_change_by_a_dear_proposer_is_seen_by_a_cheap_one_first():
    told: list = []
    odd, dear = Climber("odd", 9, 1, told), Knows("dear", 9, 1, told)
    odd.could_win = lambda objective: objective.level % 2 == 1
    dear.propose = lambda objectives: Climber.propose(dear, objectives)
    run([Judge("x")], [odd, dear])
    assert [name for name, _, _ in told] == ["dear", "odd"]


def test_a_proposer_that_changes_nothing_is_not_asked_twice():
    told: list = []
    patient = Knows("patient", 9, 0, told)
    patient.turns = 5
    run([Judge("x")], [patient])
    assert len(told) == 1
