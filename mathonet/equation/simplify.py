"""Clean-up: discrete moves, each with a refit, kept if the one score does not get worse."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import numpy as np

from mathonet.equation.complexity import complexity
from mathonet.equation.expression import Call, Expression, Factors, Term, TooLargeError, total
from mathonet.equation.moves import double_angles, drops, linearisations, merges, phases
from mathonet.equation.refit import Fitted, Refitter, sharing
from mathonet.fit.linear import monomial

MOST_MOVES = 100
"""Forms tried, after which only drops are."""
TRIAL_STEPS = 15
"""Steps of the fit that judges a move; redundant constants, which moves are there to remove, never settle."""
DEPENDENT = 1e9
"""Factor by which other terms blow up a coefficient's variance from which on it counts as dependent."""
TRACE = 1e-9
MOST_SWAPPED = 5
MARGIN = 4.0
"""How much worse than the present score (in its own units) a predicted drop may be and still be tried."""


def simplify(expression: Expression, refitter: Refitter) -> Fitted:
    """The best form that moves from `expression` lead to.

    Drops are tried in the order of their predicted score (Wald statistic of the coefficient), other moves in
    the order of their kind; the first that makes the score better, or keeps it with a smaller form, is taken,
    until none is left.
    """
    best = refitter.fit(shorten(expression, refitter), TRIAL_STEPS)
    tried = {sharing(best.form), sharing(best.expression)}
    improved = True
    while improved:
        improved = False
        # Drops go on to the end: each leaves less to try.
        allowed = _moves(best, refitter) if len(tried) < MOST_MOVES else _drops(best, refitter)
        for form in allowed:
            key = sharing(form)
            if key in tried:
                continue
            tried.add(key)
            # Many runs end near one form, and clean-up from each passes the same neighbours.
            fitted = refitter.seen.get(key) or refitter.fit(form, TRIAL_STEPS)
            if _better(fitted, best):
                best, improved = fitted, True
                break
    last = refitter.fit(best.expression)
    return last if last.score <= best.score else best


def _better(fitted: Fitted, best: Fitted) -> bool:
    """Whether a move is kept: a better score, or the same with less; an equal form of equal size is a tie."""
    if fitted.score == best.score:
        return complexity(fitted.expression) < complexity(best.expression)
    return fitted.score < best.score


def shorten(expression: Expression, refitter: Refitter) -> Expression:
    """Leave out the outer terms that contribute least, until the form can be fitted."""
    if refitter.fits_in(expression):
        return expression
    strongest = [expression.terms[k] for k in np.argsort(-refitter.sizes(expression), kind="stable")]
    # A form that is cut fits if it is short enough, so the longest that fits is found by halving.
    fits, too_long = 1, len(strongest)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if refitter.fits_in(total(strongest[:middle])):
            fits = middle
        else:
            too_long = middle
    return total(strongest[:fits])


def _moves(best: Fitted, refitter: Refitter) -> Iterator[Expression]:
    """Forms to try from here, the most promising first."""
    expression = best.expression
    yield from _drops(best, refitter)
    for kind in (merges, phases, double_angles):
        yield from _readable(kind(expression))
    yield from _readable(linearisations(expression, refitter.values))
    yield from swaps(expression, refitter.inputs)


def _readable(forms: Iterator[Expression]) -> Iterator[Expression]:
    """The forms up to the first that is too large to write down."""
    try:
        yield from forms
    except (TooLargeError, OverflowError):
        return


def _drops(fitted: Fitted, refitter: Refitter) -> Iterator[Expression]:
    """Drops whose predicted score is close to the present one or better, best first.

    Setting constant i to zero and readjusting the others raises the sum of squares by c_i^2 / (J^T J)^-1_ii.
    """
    if fitted.form != fitted.expression:
        # The normal form after the fit may order its constants differently: take the Jacobian there.
        fitted = refitter.fit(fitted.expression, steps=0)
    inverse = np.diagonal(fitted.inverse)
    rise = np.divide(fitted.values**2, inverse, out=np.zeros_like(inverse), where=inverse > 0)
    # Among dependent terms (a conservation law) any one can go, and rounding hides how little it is missed.
    dependent = inverse * np.diagonal(fitted.normal) > DEPENDENT
    rise[dependent] = 0.0
    predicted = []
    for drop in drops(fitted.form):
        rss = fitted.rss + (0.0 if drop.place is None else rise[drop.place])
        gain = refitter.score(drop.form, rss) - fitted.score
        if gain <= MARGIN or drop.place is None:
            predicted.append((gain, len(predicted), drop))
    predicted.sort(key=lambda item: item[:2])
    useless = {
        id(drop.term)
        for gain, _, drop in predicted
        if gain < 0 and drop.term is not None and not dependent[drop.place]
    }
    if len(useless) > 2:
        # All at once first: that saves many single steps, and the single ones are still there if it fails.
        yield total(term for term in fitted.form.terms if id(term) not in useless)
    yield from (drop.form for _, _, drop in predicted)


def descend(fitted: Fitted, refitter: Refitter) -> list[Fitted]:
    """Ever shorter forms, each without the outer term missed least: the simple side of the Pareto front."""
    path = []
    while len(fitted.expression.terms) > 1:
        shorter = [refitter.fit(drop.form) for drop in drops(fitted.expression) if drop.term is not None]
        fitted = min(shorter, key=lambda each: each.rss)
        path.append(fitted)
    return path


def monomials(inputs: int, degree: int) -> list[Factors]:
    """Every product of inputs up to a degree, the constant first."""
    chosen = (c for size in range(degree + 1) for c in combinations_with_replacement(range(inputs), size))
    return [tuple(sorted(Counter(each).items())) for each in chosen]


def swaps(expression: Expression, inputs: int) -> Iterator[Expression]:
    """Sums of monomials with one or two terms exchanged for another.

    Where a conservation law makes terms dependent, the shortest of many equal forms is not reached by drops.
    """
    if any(expression.calls()) or len(expression.terms) > MOST_SWAPPED:
        return
    present = {term.factors for term in expression.terms}
    absent = [factors for factors in monomials(inputs, _degree(expression)) if factors not in present]
    for count in (2, 1):
        for lost in combinations(expression.terms, count):
            kept = [term for term in expression.terms if term not in lost]
            yield from (total([*kept, Term(TRACE, factors)]) for factors in absent)


def _degree(expression: Expression) -> int:
    """Degree up to which terms are added or exchanged: 2, or 3 where the form has cubic terms."""
    degrees = (sum(power for _, power in term.factors) for term in expression.terms)
    return min(max([2, *degrees]), 3)


def complete(expression: Expression, inputs: int) -> Expression:
    """The expression with every monomial up to its degree that it lacks, for drops to choose from."""
    present = {term.factors for term in expression.terms}
    wanted = monomials(inputs, _degree(expression))
    return total([*expression.terms, *(Term(TRACE, factors) for factors in wanted if factors not in present)])


def misses_a_term(fitted: Fitted, refitter: Refitter) -> bool:
    """Whether some monomial explains enough of the residuals to pay its price (a score test for each).

    Each is projected off the monomials of the form and tried alone: cheap, where a fit of the completed form
    on 100,000 rows costs seconds.
    """
    problem, expression = refitter.problem, fitted.expression
    predicted = refitter.values(expression)
    if problem.operator is not None or problem.weights.ndim != 1:
        return True
    present = [t.factors for t in expression.terms if not any(isinstance(f, Call) for f, _ in t.factors)]
    residuals = refitter.weights * (refitter.wanted - predicted)
    columns = [refitter.weights * monomial(refitter.rows, factors) for factors in present]
    basis = np.linalg.qr(np.stack(columns, axis=1))[0] if columns else np.zeros((len(residuals), 0))
    for factors in monomials(refitter.inputs, _degree(expression)):
        column = refitter.weights * monomial(refitter.rows, factors)
        left = column - basis @ (basis.T @ column)
        size = left @ left
        if factors in present or size <= 1e-12 * (column @ column):
            continue
        longer = total([*expression.terms, Term(TRACE, factors)])
        # Divided before it is squared: sums of very large columns leave the range of numbers.
        along = float(left @ residuals)
        if refitter.score(longer, max(fitted.rss - along / float(size) * along, 0.0)) < fitted.score:
            return True
    return False
