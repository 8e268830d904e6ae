"""The loop: proposers in their order, each asked only for what it could win, each judged before the next."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from mathonet.equation.expression import number
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
