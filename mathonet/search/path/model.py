"""Choosing terms on a fitted path: a local model of the sum of squares with every term that might come in.

At a fitted path the sum of squares is, to second order, a quadratic function of the constants of all
equations, those of terms that the system does not have included: their slopes there cost one banded solution
each. The choice that the local model makes is then fitted in earnest.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from mathonet.equation.assembly import constants, with_constants
from mathonet.equation.expression import Expression, Term
from mathonet.equation.flow import Flow
from mathonet.fit.shooting import Shot
from mathonet.search import effort
from mathonet.search.local_model import LocalModel
from mathonet.search.options import Option, Price


@dataclass(frozen=True)
class TermOption(Option):
    """A term that an equation may have."""

    term: Term = field(default=Term(0.0), kw_only=True)


class PathModel:
    """The local model of a fitted path, in terms.

    Attributes:
        options: all terms of all equations.
        local: what any choice among them would do.
    """

    def __init__(
        self, flow: Flow, shot: Shot, price: Callable[[np.ndarray], Price], size: Callable[[Term], float]
    ) -> None:
        """Set the model.

        Args:
            flow: the system with all options as terms.
            shot: fitted path with information and gradient in the constants of `flow`.
            price: the one score, from the sizes of the options' rungs.
            size: log of the size of the rung that holds a term.
        """
        self.options = options_of(flow)
        self.equations = len(flow)
        present = np.zeros(len(shot.gradient))
        outer = [option.place for option in self.options]
        present[outer] = shot.constants[outer]
        sizes = np.array([size(option.term) for option in self.options])
        self.local = LocalModel.of_quadratic(
            self.options, shot.information, shot.gradient, shot.chi2, present, price(sizes)
        )

    def forms(self, kept: Iterable[int], values: np.ndarray | None = None) -> tuple[Expression, ...]:
        """The system of some options; with values, their constants take those."""
        terms: list[list[Term]] = [[] for _ in range(self.equations)]
        for k in kept:
            option = self.options[k]
            terms[option.equation].append(option.term if values is None else _moved(option, values))
        return tuple(Expression(tuple(sorted(each, key=lambda term: term.order))) for each in terms)

    def solved(self, kept: Iterable[int]) -> tuple[Expression, ...]:
        """The system of some options with the constants that the model predicts."""
        return self.forms(kept, self.local.solve(kept)[1])


def _moved(option: TermOption, values: np.ndarray) -> Term:
    """A term with the constants that were solved for; those inside calls take limited steps."""
    coefficient = float(values[option.place]) or effort.TRACE
    term = Term(coefficient, option.term.factors)
    if not option.inner:
        return term
    # Of a term that was not there, what is solved for is the coefficient times the step.
    step = values[list(option.inner)] / (1.0 if option.term.coefficient else coefficient)
    inside = np.asarray(constants(Expression((term,))))[1:]
    step = np.clip(step, -effort.LARGEST_STEP * np.abs(inside), effort.LARGEST_STEP * np.abs(inside))
    moved = with_constants(Expression((term,)), [coefficient, *(inside + step).tolist()])
    return moved.terms[0] if len(moved.terms) == 1 else term


def options_of(flow: Flow) -> list[TermOption]:
    """Every outer term of every equation with the places of its constants."""
    found = []
    for equation, (form, outline, place) in enumerate(
        zip(flow.forms, flow.outlines, flow.places, strict=True)
    ):
        inside: list[tuple[int, ...]] = []
        for _, argument in outline.calls:
            found_in: list[int] = []
            for product in argument:  # in the order of `constants`: what is nested follows its coefficient
                found_in += [] if product.constant is None else [product.constant]
                found_in += [c for call, _ in product.calls for c in inside[call]]
            inside.append(tuple(dict.fromkeys(found_in)))
        for term, product in zip(form.terms, outline.terms, strict=True):
            assert product.constant is not None
            inner = dict.fromkeys(c for call, _ in product.calls for c in inside[call])
            found.append(
                TermOption(
                    equation,
                    place.start + product.constant,
                    tuple(place.start + c for c in inner),
                    term=term,
                )
            )
    return found
