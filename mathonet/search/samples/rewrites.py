"""Clean-up: discrete moves, each with a refit, kept if the one score does not get worse."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from mathonet.equation.complexity import complexity
from mathonet.equation.expression import Expression, Term, TooLargeError, total
from mathonet.equation.fractions import cancelled
from mathonet.equation.moves import (
    double_angles,
    drops,
    linearisations,
    merges,
    phases,
    tails,
    wholes,
    within,
)
from mathonet.equation.powers import plain_powers, whole_powers
from mathonet.fit.linear import monomial, monomials
from mathonet.operations import get
from mathonet.search import effort
from mathonet.search.fit import Fit, structure
from mathonet.search.projection import directions, normalised, projected_off, taken_off
from mathonet.search.samples.regression import Regression


def simplify(expression: Expression, regression: Regression) -> Fit:
    """The best form that moves from `expression` lead to.

    Drops are tried in the order of their predicted score (Wald statistic of the coefficient), other moves in
    the order of their kind; the first that makes the score better, or keeps it with a smaller form, is taken,
    until none is left.
    """
    best = regression.fit(shorten(expression, regression), effort.JUDGING_STEPS)
    tried = {structure(best.as_fitted), structure(best.forms)}
    improved = True
    while improved:
        improved = False
        # Drops go on to the end: each leaves less to try.
        allowed = _moves(best, regression) if len(tried) < effort.MOST_REWRITES else _drops(best, regression)
        for form in allowed:
            key = structure((form,))
            if key in tried:
                continue
            tried.add(key)
            # Many runs end near one form, and clean-up from each passes the same neighbours.
            fit = regression.front.get((form,)) or regression.fit(form, effort.JUDGING_STEPS)
            if _better(fit, best):
                best, improved = fit, True
                break
    last = regression.fit(best.expression)
    return last if last.score <= best.score else best


def _better(fit: Fit, best: Fit) -> bool:
    """Whether a move is kept: a better score, or the same with less; an equal form of equal size is a tie."""
    if fit.score == best.score:
        return complexity(fit.expression) < complexity(best.expression)
    return fit.score < best.score


def shorten(expression: Expression, regression: Regression) -> Expression:
    """Leave out the outer terms that contribute least, until the form can be fitted."""
    if regression.fits_in(expression):
        return expression
    strongest = [expression.terms[k] for k in np.argsort(-regression.sizes(expression), kind="stable")]
    # A form that is cut fits if it is short enough, so the longest that fits is found by halving.
    fits, too_long = 1, len(strongest)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if regression.fits_in(total(strongest[:middle])):
            fits = middle
        else:
            too_long = middle
    return total(strongest[:fits])


def _moves(best: Fit, regression: Regression) -> Iterator[Expression]:
    """Forms to try from here, the most promising first."""
    expression = best.expression
    yield from _drops(best, regression)
    for kind in (merges, wholes, within(wholes), cancelled, phases, double_angles):
        yield from _readable(kind(expression))
    allowed = {each.name for each in regression.operations}
    if "exp" in allowed:
        yield from _readable(tails(expression, regression.values))
    if "sqrt" in allowed:
        plain = plain_powers(expression, get("sqrt"), regression.values)
        yield from [plain] if plain != expression else []
    if "inv" in allowed:
        yield from _readable(whole_powers(expression, regression.values))
    yield from _readable(linearisations(expression, regression.values))
    yield from swaps(expression, regression.inputs)
    yield from _readable(within(lambda argument: shorter_equals(argument, regression))(expression))


def _readable(forms: Iterator[Expression]) -> Iterator[Expression]:
    """The forms up to the first that is too large to write down."""
    try:
        yield from forms
    except (TooLargeError, OverflowError):
        return


def _drops(fit: Fit, regression: Regression) -> Iterator[Expression]:
    """Drops whose predicted score is close to the present one or better, best first.

    Setting constant i to zero and readjusting the others raises the sum of squares by c_i^2 / (J^T J)^-1_ii.
    """
    if fit.as_fitted != fit.forms:
        # The normal form after the fit may order its constants differently: take the Jacobian there.
        fit = regression.fit(fit.expression, steps=0)
    inverse = np.diagonal(fit.inverse)
    rise = np.divide(fit.constants**2, inverse, out=np.zeros_like(inverse), where=inverse > 0)
    # Among dependent terms (a conservation law) any one can go, and rounding hides how little it is missed.
    dependent = inverse * np.diagonal(fit.information) > effort.ILL_CONDITIONED
    rise[dependent] = 0.0
    predicted = []
    for drop in drops(fit.as_fitted[0]):
        rss = fit.chi2 + (0.0 if drop.place is None else rise[drop.place])
        gain = regression.score(drop.form, rss) - fit.score
        if gain <= effort.PROMISE or drop.place is None:
            predicted.append((gain, len(predicted), drop))
    predicted.sort(key=lambda item: item[:2])
    useless = {
        id(drop.term)
        for gain, _, drop in predicted
        if gain < 0 and drop.term is not None and not dependent[drop.place]
    }
    if len(useless) > 2:
        # All at once first: that saves many single steps, and the single ones are still there if it fails.
        yield total(term for term in fit.as_fitted[0].terms if id(term) not in useless)
    yield from (drop.form for _, _, drop in predicted)


def descend(fit: Fit, regression: Regression) -> list[Fit]:
    """Ever shorter forms, each without the outer term missed least: the simple side of the Pareto front."""
    path = []
    while len(fit.expression.terms) > 1:
        shorter = [regression.fit(drop.form) for drop in drops(fit.expression) if drop.term is not None]
        fit = min(shorter, key=lambda each: each.chi2)
        path.append(fit)
    return path


def swaps(expression: Expression, inputs: int) -> Iterator[Expression]:
    """Sums of monomials with one or two terms exchanged for another.

    Where a conservation law makes terms dependent, the shortest of many equal forms is not reached by drops.
    """
    if any(expression.calls()) or len(expression.terms) > effort.MOST_SWAPPED:
        return
    present = {term.factors for term in expression.terms}
    absent = [factors for factors in monomials(inputs, _degree(expression)) if factors not in present]
    for count in (2, 1):
        for lost in combinations(expression.terms, count):
            kept = [term for term in expression.terms if term not in lost]
            yield from (total([*kept, Term(effort.TRACE, factors)]) for factors in absent)


def shorter_equals(argument: Expression, regression: Regression) -> Iterator[Expression]:
    """Arguments of a call, equal on the samples, with one monomial in the place of two terms or more.

    As `swaps`: with x + y conserved, x^2 + x y is x times a constant, and no drop leads there.
    """
    lost = [term for term in argument.terms if term.factors]
    values = regression.terms(argument)
    if len(lost) < 2 or not np.isfinite(values).all():
        return
    whole, ones = values.sum(axis=1), np.ones(len(values))
    spread = np.linalg.norm(whole - whole.mean())
    for factors in monomials(regression.inputs, effort.LOW_DEGREE - 1):
        if not factors:
            continue
        columns = np.stack([monomial(regression.rows, factors), ones], axis=1)
        line = np.linalg.lstsq(columns, whole)[0]
        if np.linalg.norm(whole - columns @ line) <= effort.CLEAN * spread:
            yield total([Term(float(line[0]), factors), Term(float(line[1]))])


def _degree(expression: Expression) -> int:
    """Degree up to which terms are added or exchanged: 2, or 3 where the form has cubic terms."""
    degrees = (sum(power for _, power in term.factors) for term in expression.terms)
    return min(max([2, *degrees]), 3)


def complete(expression: Expression, inputs: int) -> Expression:
    """The expression with every monomial up to its degree that it lacks, for drops to choose from."""
    present = {term.factors for term in expression.terms}
    wanted = monomials(inputs, _degree(expression))
    return total(
        [*expression.terms, *(Term(effort.TRACE, factors) for factors in wanted if factors not in present)]
    )


def misses_a_term(fit: Fit, regression: Regression) -> bool:
    """Whether some monomial would explain enough of what a form leaves to pay its price.

    Each is projected off the slopes of the form and tried alone: cheap, where a fit of the completed form on
    100,000 rows costs seconds.
    """
    expression, rows = fit.expression, regression.rows
    own = {term.factors for term in expression.terms}
    slopes = regression.weighed(regression.slopes_of(expression, rows))
    basis = directions(normalised(slopes.T).T)
    left = regression.targets - regression.weighed(regression.values(expression)[:, None])[:, 0]
    for factors in monomials(regression.inputs, _degree(expression)):
        if factors in own:
            continue
        column = normalised(regression.weighed(monomial(rows, factors)[:, None]).T).T
        beside = projected_off(column, basis)
        gain = float(taken_off(beside.T @ left, np.sum(beside**2, axis=0))[0])
        longer = total([*expression.terms, Term(effort.TRACE, factors)])
        if regression.score(longer, max(fit.chi2 - gain, 0.0), fit.rounding) < fit.score:
            return True
    return False
