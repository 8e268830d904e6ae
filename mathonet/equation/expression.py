"""Expressions in one normal form: a sum of terms, a term being a coefficient times powers of factors.

A factor is an input (its number) or a call of an operation on another expression. Sums and products are
always expanded, so equal forms look alike, every constant has a place, and reading hundreds of networks takes
milliseconds (a general computer algebra takes seconds; SymPy sees only what is shown to the user).
Every rule here is an exact identity wherever the operations' guards are inactive.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import jax.numpy as jnp

from mathonet.operations import Operation, get, parity
from mathonet.precision import double_precision

MOST_TERMS = 4000


class TooLargeError(ArithmeticError):
    """An expression that expands to more terms than anyone could read."""


@dataclass(frozen=True)
class Call:
    """An operation applied to an expression.

    Attributes:
        operation: what is applied.
        argument: what it is applied to.
        sign: +1 or -1 where the argument is known to have that sign throughout the data, so that log|h| can
            be written log(h) or log(-h); 0 if unknown. A remark for the reader: it takes no part in
            comparisons, and algebra forgets it.
    """

    operation: Operation
    argument: "Expression"
    sign: int = field(default=0, compare=False)

    @cached_property
    def _hash(self) -> int:
        return hash((self.operation.name, self.argument))

    def __hash__(self) -> int:
        """Kept, since calls are looked up often and hold whole trees."""
        return self._hash

    @cached_property
    def constants(self) -> tuple[float, ...]:
        """Every number in the argument."""
        return tuple(c for term in self.argument.terms for c in (term.coefficient, *_inner(term)))

    @cached_property
    def skeleton(self) -> tuple:
        """The structure without its constants; sorts after all inputs."""
        return (1, self.operation.name, self.argument.skeleton)


Factor = int | Call
Factors = tuple[tuple[Factor, int], ...]


def skeleton(factor: Factor) -> tuple:
    """Structure of a factor without constants, sortable."""
    return (0, factor) if isinstance(factor, int) else factor.skeleton


def _constants(factor: Factor) -> tuple[float, ...]:
    return () if isinstance(factor, int) else factor.constants


def _inner(term: "Term") -> tuple[float, ...]:
    return tuple(c for factor, _ in term.factors for c in _constants(factor))


def _factor_order(item: tuple[Factor, int]) -> tuple:
    return (skeleton(item[0]), _constants(item[0]), item[1])


@dataclass(frozen=True)
class Term:
    """coefficient * product of factor^power, powers whole and not zero."""

    coefficient: float
    factors: Factors = ()

    @cached_property
    def skeleton(self) -> tuple:
        """The structure without its constants; simple terms sort first, the constant last."""
        degree = sum(abs(p) for _, p in self.factors)
        calls = sum(not isinstance(f, int) for f, _ in self.factors)
        return (not self.factors, calls, degree, tuple((skeleton(f), p) for f, p in self.factors))

    @cached_property
    def order(self) -> tuple:
        """Sorting key: structure first, constants only to break ties."""
        return (self.skeleton, _inner(self))


@dataclass(frozen=True)
class Expression:
    """A sum of terms, sorted, no two with the same factors."""

    terms: tuple[Term, ...] = ()

    @cached_property
    def skeleton(self) -> tuple:
        """The structure without its constants: equal for equal forms."""
        return tuple(term.skeleton for term in self.terms)

    def __add__(self, other: "Expression") -> "Expression":
        """Sum."""
        return total([*self.terms, *other.terms])

    def __mul__(self, other: "Expression") -> "Expression":
        """Expanded product."""
        if len(self.terms) * len(other.terms) > MOST_TERMS:
            raise TooLargeError(
                f"A product of {len(self.terms)} by {len(other.terms)} terms is too large to read."
            )
        return total(_product(a, b) for a in self.terms for b in other.terms)

    def scale(self, number: float) -> "Expression":
        """This expression times a number."""
        scaled = (Term(term.coefficient * number, term.factors) for term in self.terms)
        return Expression(tuple(term for term in scaled if term.coefficient != 0.0))

    @property
    def constant(self) -> float:
        """Coefficient of the constant term."""
        return sum(term.coefficient for term in self.terms if not term.factors)

    def uses(self, place: int) -> bool:
        """Whether an input is anywhere in it."""
        return any(depends(factor, place) for term in self.terms for factor, _ in term.factors)

    def calls(self) -> Iterator[Call]:
        """Every call in the expression, innermost last, each once a place."""
        for term in self.terms:
            for factor, _ in term.factors:
                if isinstance(factor, Call):
                    yield factor
                    yield from factor.argument.calls()

    def substitute(self, inputs: Callable[[int], "Expression"]) -> "Expression":
        """Put expressions in the place of the inputs and bring the result to normal form."""
        return self.rebuild(inputs, lambda call: apply(call.operation, call.argument.substitute(inputs)))

    def rebuild(
        self, inputs: Callable[[int], "Expression"], calls: Callable[[Call], "Expression"]
    ) -> "Expression":
        """Put expressions in the place of the inputs and of the outermost calls."""
        parts = []
        for term in self.terms:
            part = Expression((Term(term.coefficient),))
            for factor, exponent in term.factors:
                base = inputs(factor) if isinstance(factor, int) else calls(factor)
                single = base.terms[0] if len(base.terms) == 1 else None
                if single is not None and (exponent > 0 or len(single.factors) == 1):
                    # By far the most frequent case: nothing to expand.
                    raised = tuple((f, p * exponent) for f, p in single.factors)
                    by = Term(_whole_power(single.coefficient, exponent), raised)
                    part = Expression(tuple(_product(each, by) for each in part.terms))
                else:
                    part = part * power(base, exponent)
            parts.extend(part.terms)
        return total(parts)


def number(value: float) -> Expression:
    """A constant."""
    return total([Term(float(value))])


ROUNDING = 2e-15
"""What is left of two like terms, as a share of them, where they cancel."""


def variable(index: int) -> Expression:
    """An input."""
    return Expression((Term(1.0, ((index, 1),)),))


def total(terms: Iterable[Term]) -> Expression:
    """Sum of terms: like terms merged, zeros dropped, those that cancel but for rounding too, sorted."""
    merged: dict[Factors, Term] = {}
    for term in terms:
        like = merged.get(term.factors)
        if like is None:
            # A term that stays as it is keeps its sorting key, which is dear for deep calls.
            merged[term.factors] = term
            continue
        added = like.coefficient + term.coefficient
        # What is no number is not cancelled: a fit of it has to fail.
        cancelled = abs(added) <= ROUNDING * abs(term.coefficient) < math.inf
        merged[term.factors] = Term(0.0 if cancelled else added, term.factors)
    if len(merged) > MOST_TERMS:
        raise TooLargeError(f"An expression of {len(merged)} terms is too large to read.")
    kept = [term for term in merged.values() if term.coefficient != 0.0]
    return Expression(tuple(sorted(kept, key=lambda term: term.order)))


def _product(a: Term, b: Term) -> Term:
    powers: dict[Factor, int] = dict(a.factors)
    for factor, exponent in b.factors:
        powers[factor] = powers.get(factor, 0) + exponent
    exponentials = [f for f in powers if isinstance(f, Call) and f.operation.name == "exp"]
    if len(exponentials) > 1 or any(powers[f] not in (0, 1) for f in exponentials):
        # exp(g)^m exp(h)^n = exp(m g + n h): one place for the constants.
        exponent = Expression()
        for f in exponentials:
            exponent = exponent + f.argument.scale(powers.pop(f))
        if exponent.terms:
            powers[Call(get("exp"), exponent)] = 1
    kept = [(factor, exponent) for factor, exponent in powers.items() if exponent != 0]
    return Term(a.coefficient * b.coefficient, tuple(sorted(kept, key=_factor_order)))


def _whole_power(value: float, exponent: int) -> float:
    """A whole power that overflows to infinity, as products do; Python's own raises."""
    result = math.prod([value] * abs(exponent))
    return result if exponent > 0 else (1.0 / result if result else math.inf)


def power(base: Expression, exponent: int) -> Expression:
    """A whole power; negative ones only of a single term, else as a call of inv."""
    if exponent < 0:
        return power(apply(get("inv"), base), -exponent)
    result = number(1.0)
    for _ in range(exponent):
        result = result * base
    return result


HOMOGENEOUS = frozenset({"inv", "sqrt", "abs", "log"})
"""Operations that take a factor of their argument outside, so that the leading coefficient inside is 1."""


def apply(operation: Operation, argument: Expression) -> Expression:
    """An operation applied to an expression, in normal form."""
    name = operation.name
    if name == "ident":
        return argument
    if all(not term.factors for term in argument.terms):
        return number(_value(operation, argument.constant))
    if name in ("square", "cube"):
        return power(argument, 2 if name == "square" else 3)
    if name in HOMOGENEOUS:
        return _homogeneous(operation, argument)
    if name == "exp" and argument.constant and abs(argument.constant) < 300.0:
        varying = argument + number(-argument.constant)
        return _call(operation, varying).scale(math.exp(argument.constant))
    negative = argument.terms[0].coefficient < 0
    if negative and (sign := parity(operation)):
        return _call(operation, argument.scale(-1.0)).scale(float(sign))
    return _call(operation, argument)


def _homogeneous(operation: Operation, argument: Expression) -> Expression:
    lead, factors = argument.terms[0].coefficient, argument.terms[0].factors
    # Divided, not multiplied by 1/lead, so that the leading coefficient is exactly 1 (49 * (1/49) is not).
    argument = total(Term(term.coefficient / lead, term.factors) for term in argument.terms)
    if operation.name == "inv":
        if len(argument.terms) > 1:
            shared = _shared(argument)
            if not shared.factors:
                return _call(operation, argument).scale(1.0 / lead)
            outside = Expression((shared,))
            return outside * apply(operation, outside * argument.scale(lead))
        inverse = Term(1.0 / lead, tuple((f, -p) for f, p in factors))
        return total([_product(inverse, Term(1.0))])
    if operation.name == "log":
        if len(argument.terms) > 1 or (len(factors) == 1 and abs(factors[0][1]) == 1):
            return number(math.log(abs(lead))) + _logarithm(operation, argument)
        # log|x^2 y| = 2 log|x| + log|y|
        logs = [_logarithm(operation, Expression((Term(1.0, ((f, 1),)),))).scale(p) for f, p in factors]
        return total([Term(math.log(abs(lead))), *(term for log in logs for term in log.terms)])
    if operation.name == "sqrt":
        return _root(operation, argument).scale(math.sqrt(abs(lead)))
    return _call(operation, argument).scale(abs(lead))


def _root(operation: Operation, argument: Expression) -> Expression:
    """The square root; that of an even power of one input needs none: sqrt(x^2) is |x|."""
    if len(argument.terms) == 1 and len(argument.terms[0].factors) == 1:
        ((base, exponent),) = argument.terms[0].factors
        if isinstance(base, int) and exponent > 0 and exponent % 2 == 0:
            half = exponent // 2
            size = number(1.0) if half % 2 == 0 else apply(get("abs"), variable(base))
            return size * power(variable(base), half - half % 2) if half > 1 else size
    return _call(operation, argument)


def _shared(argument: Expression) -> Term:
    """One over the inputs that all terms have: x^2/(x + a x^2) is x/(1 + a x)."""
    powers = [dict(term.factors) for term in argument.terms]
    least = {each: min(of.get(each, 0) for of in powers) for each in powers[0] if isinstance(each, int)}
    return Term(1.0, tuple((each, -power) for each, power in least.items() if power > 0))


def _logarithm(log: Operation, argument: Expression) -> Expression:
    (base, exponent), *others = argument.terms[0].factors
    if len(argument.terms) == 1 and not others and exponent == -1:
        return _logarithm(log, Expression((Term(1.0, ((base, 1),)),))).scale(-1.0)
    if len(argument.terms) == 1 and not others and isinstance(base, Call):
        if base.operation.name == "exp":
            return base.argument
        if base.operation.name == "inv":
            return _logarithm(log, base.argument).scale(-1.0)
    return _call(log, argument)


def _call(operation: Operation, argument: Expression) -> Expression:
    return Expression((Term(1.0, ((Call(operation, argument), 1),)),))


@double_precision
def _value(operation: Operation, argument: float) -> float:
    return float(operation.evaluate(jnp.asarray(argument, jnp.float64)))


def depends(factor: Factor, place: int) -> bool:
    """Whether a factor is an input, or a call of it."""
    return factor.argument.uses(place) if isinstance(factor, Call) else factor == place
