"""Subject: what a report is about, read once from a fitted estimator, for every section."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from markupsafe import Markup

from mathonet.data.trajectory import Trajectory
from mathonet.equation import symbolic
from mathonet.equation.equation import EquationSystem
from mathonet.equation.expression import Expression, Term
from mathonet.equation.latex_name import latex_name
from mathonet.equation.reading import unscale
from mathonet.errors import ConfigError
from mathonet.report.names import position_of
from mathonet.report.page import mathml
from mathonet.result.discovery import Discovery
from mathonet.result.followed import Followed, follow
from mathonet.search.known import parse_known

LONGEST = 400
"""Letters of an equation in a table or beside the pointer."""


@dataclass(frozen=True)
class Line:
    """One equation to show.

    Attributes:
        target: name of the state or field.
        left: its left-hand side in MathML, and so on in LaTeX and as text.
        expression: its right-hand side.
        names: of the inputs, as text.
        symbols: the same in MathML.
        simple: sizes of numbers to write as people do; see `Equation.snapped`.
    """

    target: str
    left: Markup
    left_latex: str
    left_text: str
    expression: Expression
    names: tuple[str, ...]
    symbols: tuple[Markup, ...]
    simple: frozenset[float] = frozenset()

    @property
    def math(self) -> Markup:
        """MathML, one element a term; of a long equation a part, with the whole as text to unfold."""
        shown = mathml.equation(self.left, self.expression, self.symbols, mathml.plain(self.simple))
        if not self.long:
            return shown
        fold = Markup('{}<details class="whole"><summary>in full{}</summary><code>{}</code></details>')
        count = len(self.expression.terms)
        return fold.format(shown, f", {count:,} terms" if count > mathml.MOST_TERMS else "", self.text)

    @property
    def long(self) -> bool:
        """Whether it is too long to be set as a law."""
        return mathml.is_cut(self.expression)

    @property
    def text(self) -> str:
        """Plain text."""
        return f"{self.left_text} = {symbolic.text(self.expression, self.names, simple=self.simple)}"

    @property
    def latex(self) -> str:
        """LaTeX."""
        return f"{self.left_latex} = {symbolic.latex(self.expression, self.names, simple=self.simple)}"


@dataclass(frozen=True)
class Subject:
    """A fitted estimator, seen by a report."""

    estimator: Any

    @cached_property
    def discovery(self) -> Discovery:
        """Everything behind the equations.

        Raises:
            ConfigError: the estimator is not fitted.
        """
        found = getattr(self.estimator, "discovery_", None)
        if not isinstance(found, Discovery):
            raise ConfigError(
                "A report needs a fitted Discoverer or FieldDiscoverer, got "
                f"{type(self.estimator).__name__}: call fit(...) first, or load a run."
            )
        return found

    @property
    def field(self) -> Any:
        """The field that was measured; None for trajectories."""
        return getattr(self.estimator, "field_", None)

    @property
    def system(self) -> EquationSystem:
        """The chosen equations."""
        return self.discovery.system

    @cached_property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """What was measured over time, with the times in gaps that smoothing put there; none of a field."""
        if self.discovery.measured is not None:
            return self.discovery.measured.trajectories
        return tuple(getattr(self.estimator, "trajectories_", None) or ())

    @cached_property
    def followed(self) -> Followed | None:
        """The path that the equations take through measured states."""
        return follow(self.discovery)

    @cached_property
    def symbols(self) -> tuple[Markup, ...]:
        """The inputs of the equations in MathML; velocities of a second order are positions with a prime."""
        return tuple(map(self._symbol, self.discovery.samples.input_names))

    def _symbol(self, name: str) -> Markup:
        position = position_of(self.discovery, name)
        return mathml.name(name) if position is None else mathml.rate(position)

    def _rate(self, name: str) -> Markup:
        position = position_of(self.discovery, name)
        return mathml.rate(name) if position is None else mathml.rate(position, 2)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The equations to show; those of fields in derivatives."""
        return tuple(
            self.line(each.target, each.expression) if self.field is None else self._field_line(each.target)
            for each in self.system.equations
        )

    @cached_property
    def simple(self) -> tuple[Line, ...]:
        """The equations with simple numbers, those that look different with them."""
        return tuple(
            replace(self.line(each.target, each.expression), simple=each.simple)
            for number, each in self.discovery.simple().items()
            if number in self.telling
        )

    @cached_property
    def telling(self) -> tuple[int, ...]:
        """Equations that say something: not those of positions whose derivatives are called velocities."""
        measured = self.discovery.measured
        return tuple(range(len(self.system.names))) if measured is None else measured.searched

    def line(self, target: str, expression: Expression) -> Line:
        """Another right-hand side of one of the equations."""
        names = self.discovery.samples.input_names
        if self.field is not None:
            left = mathml.name(f"{target}_t")
            return Line(
                target, left, latex_name(f"{target}_t"), f"{target}_t", expression, names, self.symbols
            )
        left = rf"\dot{{{latex_name(target)}}}"
        return Line(target, self._rate(target), left, f"{target}'", expression, names, self.symbols)

    def _field_line(self, target: str) -> Line:
        """An equation in derivatives: what the estimator reads from its stencil, and the other terms."""
        equation = next(each for each in self.system.equations if each.target == target)
        rows = self.estimator.coefficients_
        rows = rows[rows["target"] == target]
        names = list(equation.inputs)
        own = {symbolic.term_text(term, equation.inputs): term.factors for term in equation.expression.terms}
        terms = []
        for text, value in zip(rows["term"], rows["value"], strict=True):
            if text not in names and text not in own:
                names.append(text)
            factors = ((names.index(text), 1),) if text in names else own[text]
            terms.append(Term(float(value), factors))
        line = self.line(target, Expression(tuple(terms)))
        return replace(line, names=tuple(names), symbols=tuple(map(mathml.name, names)))

    @cached_property
    def known(self) -> Mapping[str, Expression]:
        """Terms that the user knew, by target; they are no part of the candidates."""
        given = getattr(self.estimator, "known", None)
        return parse_known(given, self.system.names, self.discovery.samples.input_names)

    def candidate(self, target: int, number: int) -> Expression:
        """The form of a candidate in the data's units, without what was known."""
        found = self.discovery.candidates[target][number].fitted.expression
        return unscale(found, self.discovery.samples.scaling, target)

    def with_candidate(self, target: int, expression: Expression) -> EquationSystem:
        """The system with another form for one of its equations."""
        name = self.discovery.samples.target_names[target]
        whole = expression + self.known[name] if name in self.known else expression
        equations = [
            replace(each, expression=whole) if each.target == name else each for each in self.system.equations
        ]
        return EquationSystem(tuple(equations), self.system.input_names)

    @cached_property
    def derivatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times (or row numbers), derivatives as measured or smoothed, and those of the equations."""
        discovery = self.discovery
        if discovery.measured is not None:
            inputs, wanted = discovery.measured.inputs, discovery.measured.x_dot
        elif self.trajectories:
            parts = [each.x if each.u is None else np.hstack([each.x, each.u]) for each in self.trajectories]
            inputs = np.concatenate(parts)
            wanted = np.concatenate([each.x_dot for each in self.trajectories if each.x_dot is not None])
        else:
            inputs, wanted = discovery.samples.inputs, discovery.samples.targets
        found = np.stack([each(inputs) for each in self.system.equations], axis=1)
        times = [each.t for each in self.trajectories]
        return np.concatenate(times) if times else np.arange(len(inputs), dtype=float), wanted, found


def cut(equation: str) -> str:
    """An equation as text, without its end where it is very long: some spell hundreds of terms."""
    return equation if len(equation) <= LONGEST else equation[:LONGEST].rsplit(" ", 2)[0] + " …"


def several(count: int, what: str) -> str:
    """`1 sample`, `2 samples`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """`x, y and z`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
