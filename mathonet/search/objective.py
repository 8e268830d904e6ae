"""What a search is made of: objectives that judge forms, and proposers that know ways to them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.errors import ConfigError
from mathonet.search.effort import PROPOSERS
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.samples.regression import Regression


class Proposal(NamedTuple):
    """Forms with constants to start from: of one equation, or of a whole system.

    Attributes:
        forms: one expression an equation.
        hits: runs of networks that led to them.
        chi2: what they leave, if the proposer knows.
        clean: whether elimination has been there already, so that no term could go.
        start: states of a path to begin from; None for the smoothed ones.
    """

    forms: tuple[Expression, ...]
    hits: int = 0
    chi2: float | None = None
    clean: bool = False
    start: np.ndarray | None = None


class Limit(NamedTuple):
    """The score that a form must be below to be of use, and the least sum of squares that any could leave."""

    score: float
    chi2: float


class Objective(Protocol):
    """Fits forms, cleans them up, and keeps them in a front."""

    @property
    def front(self) -> Front:
        """What was kept."""
        ...

    @property
    def best(self) -> Fit | None:
        """The best of it."""
        ...

    def consider(self, proposals: Sequence[Proposal], origin: str) -> None:
        """Fit what is proposed, with what lies near, and keep it."""
        ...


Judged = TypeVar("Judged", bound=Objective)


class Proposer(Protocol[Judged]):
    """One way to forms that may be the law."""

    @property
    def turns(self) -> int:
        """How often it may be asked, where what stands has changed since; 1 if that tells it nothing new."""
        ...

    @property
    def name(self) -> str:
        """How it is called in tables and reports."""
        ...

    def could_win(self, objective: Judged, /) -> bool:
        """Whether anything it could propose may be better than what stands."""
        ...

    def propose(self, objectives: Sequence[Judged], /) -> Iterator[tuple[Judged, list[Proposal]]]:
        """Forms for some objectives."""
        ...


class EquationProposer(ABC):
    """A proposer that looks at one equation at a time, as a regression: on samples, or along a path."""

    name: str

    @abstractmethod
    def forms(self, regression: Regression, limit: Limit | None = None) -> Iterable[Expression | Fit]:
        """Forms of an equation, fitted there or with constants to start from.

        Args:
            regression: has the samples, fits forms, and knows their score.
            limit: what a form must reach to be of use; None for anything.
        """

    def fits(self, regression: Regression, limit: Limit | None = None) -> list[Fit]:
        """The forms, fitted.

        Raises:
            ConfigError: something else was proposed.
        """
        found, forms = [], self.forms(regression, limit)
        if not isinstance(forms, Iterable):
            raise ConfigError(f"The proposer {self.name!r} gave {forms!r}: `forms` must give or yield forms.")
        for each in forms:
            if not isinstance(each, Fit | Expression):
                raise ConfigError(
                    f"The proposer {self.name!r} proposed {each!r}: `forms` must give Expressions, or what "
                    "`regression.fit` makes of them."
                )
            found.append(each if isinstance(each, Fit) else regression.fit(each))
        return found


def named_proposers(given: object) -> tuple[str, ...] | None:
    """The names of the search's own proposers that a user gave; None, which means all, for none."""
    return tuple(each for each in _listed(given) if isinstance(each, str)) or None


def check_proposers(given: object) -> tuple[EquationProposer, ...]:
    """The proposers of a user's own.

    Raises:
        ConfigError: something else was given, names of the search's own aside.
    """
    found = []
    for each in _listed(given):
        if isinstance(each, str):
            continue
        if not isinstance(each, EquationProposer):
            raise ConfigError(
                f"proposers must be a list of names, of {list(PROPOSERS)}, or of EquationProposer objects; "
                f"got {each!r}. Derive a class from mathonet.search.objective.EquationProposer and give an "
                "object of it."
            )
        if not isinstance(getattr(each, "name", None), str):
            raise ConfigError(f"A proposer needs a `name` for tables; {type(each).__name__} has none.")
        if each.name in PROPOSERS:
            raise ConfigError(
                f"The search has a proposer {each.name!r} of its own: give yours another `name`."
            )
        found.append(each)
    return tuple(found)


def _listed(given: object) -> list[object]:
    """What was given as a list; one name is a list of one.

    Raises:
        ConfigError: it is empty, or can be gone through once only.
    """
    if isinstance(given, Iterator):
        raise ConfigError(f"proposers must be a list, got {given!r}.")
    if given is None:
        return []
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if not found:
        raise ConfigError(
            "proposers is empty, which leaves nothing to search with. Leave it out for all of them, or name "
            f"some of {list(PROPOSERS)}."
        )
    return found
