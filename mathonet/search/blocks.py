"""Polynomials: whole blocks of monomials, from which elimination and exchanges leave those that pay.

A polynomial's coefficients are a linear problem. So all monomials up to a degree are taken at once, those
that are missed least are eliminated, and single terms are then dropped, added and exchanged as long as the
score gets better, from several starts.
"""

import math
from collections.abc import Sequence

import numpy as np

from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Call, Expression, Factors, Term, total
from mathonet.equation.flow import Flow
from mathonet.fit.linear import distinct_monomials, factors_of, monomial, monomials
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.local_model import Kept, LocalModel
from mathonet.search.options import Price
from mathonet.search.path.model import TermOption, options_of
from mathonet.search.projection import normalised
from mathonet.search.samples.regression import Regression


def polynomial_forms(regression: Regression, degree: int) -> list[Expression]:
    """The best sums of monomials up to a degree; none where the samples cannot tell so many apart."""
    every = _affordable(regression, degree)
    if not every:
        return []
    model = block_model(regression, every)
    return [_form(model, kept, every) for _, kept in model.choices(())]


def left_by_all(regression: Regression) -> float:
    """The sum of squares that any polynomial leaves: all monomials, up to a degree that there is room for.

    None is left, for all one knows, where there is no room for products.
    """
    inputs = regression.inputs
    degree = max(
        d for d in range(2, effort.HIGHEST_DEGREE + 1) if d == 2 or math.comb(inputs + d, d) <= effort.ROOM
    )
    every = _affordable(regression, degree) or _affordable(regression, 2)
    return block_model(regression, every).rest if every else 0.0


def forms_with_calls(regression: Regression, fit: Fit) -> list[Expression]:
    """The best sums of monomials, and of those times the calls of a form, whose constants stay as they are.

    Where a conservation law makes terms dependent, many long forms are equal to one short form, and no
    single term may be dropped on the way to it.
    """
    inputs = regression.inputs
    degree = 3 if inputs <= effort.FEW_INPUTS else 2
    calls = dict.fromkeys(
        factor for term in fit.expression.terms for factor in term.factors if isinstance(factor[0], Call)
    )
    own = {term.factors for term in fit.expression.terms}
    every = [Term(1.0, each) for each in monomials(inputs, degree)]
    for call in calls:
        for each in monomials(inputs, degree - 1):
            every += (Expression((Term(1.0, each),)) * Expression((Term(1.0, (call,)),))).terms
    terms = [*fit.expression.terms, *(each for each in every if each.factors not in own)]
    if len(terms) > min(effort.MOST_COLUMNS, effort.CONSTANTS_SHARE * regression.count):
        return []
    terms = [Term(1.0, each.factors) for each in terms]
    model = _model(regression, terms, regression.terms(Expression(tuple(terms))))
    return [
        total(Term(float(values[k]), terms[k].factors) for k in sorted(kept) if values[k])
        for _, kept in model.choices(range(len(own)))
        for values in (model.solve(kept)[1],)
    ]


def polynomial_terms(regression: Regression, chi2: float, most: int) -> int | None:
    """Terms of a polynomial, degree by degree, that leaves no more than this; None if more would be needed.

    Args:
        regression: has the samples.
        chi2: what may be left.
        most: terms up to which it is looked for.
    """
    low, high = regression.rows.min(axis=0), regression.rows.max(axis=0)
    # Of inputs around zero: polynomials of a degree are the same, and their columns far less alike.
    rows = (2.0 * regression.rows - low - high) / np.where(high > low, high - low, 1.0)
    left, basis, count = regression.targets, np.zeros((len(regression.targets), most)), 0
    products: list[tuple[int, ...]] = [()]
    while products:
        new = []
        for product in products:
            column = monomial(rows, factors_of(product))
            column = normalised(regression.weighed(column[:, None]).T).T[:, 0]
            for _ in range(2):
                column = column - basis[:, :count] @ (basis[:, :count].T @ column)
            length = np.linalg.norm(column)
            if length < effort.OWN_SHARE:
                continue
            if count == most:
                return None
            basis[:, count] = column / length
            left = left - basis[:, count] * (basis[:, count] @ left)
            count += 1
            if left @ left <= chi2:
                return count
            new.append(product)
        # What the data cannot tell from lower products they cannot tell times an input either.
        products = sorted({tuple(sorted((*each, place))) for each in new for place in range(rows.shape[1])})
    return None


def _affordable(regression: Regression, degree: int) -> list[Factors]:
    """All monomials up to a degree that differ on the samples; none where these are too few for them."""
    # Counted before they are listed: of many inputs there are millions.
    if math.comb(regression.inputs + degree, degree) > effort.LISTED * effort.MOST_COLUMNS:
        return []
    every = distinct_monomials(regression.rows, monomials(regression.inputs, degree))
    return every if len(every) <= min(effort.MOST_COLUMNS, effort.CONSTANTS_SHARE * regression.count) else []


def could_win(regression: Regression, degree: int, best: Fit) -> bool:
    """Whether a form of two terms, one of this degree, would win if it fitted as well as the best one."""
    shortest = Expression((Term(1.0, ((0, degree),)), Term(1.0)))
    return regression.score(shortest, best.chi2) < best.score


def _form(model: LocalModel, kept: Kept, every: list[Factors]) -> Expression:
    _, values = model.solve(kept)
    terms = [Term(float(values[k]), every[k]) for k in sorted(kept) if values[k] != 0.0]
    return Expression(tuple(sorted(terms, key=lambda term: term.order)))


def block_model(regression: Regression, every: list[Factors]) -> LocalModel:
    """The model of a sum of monomials on the samples of a regression."""
    with np.errstate(all="ignore"):
        columns = np.stack([monomial(regression.rows, each) for each in every], axis=1)
    return _model(regression, [Term(1.0, each) for each in every], columns)


def terms_model(regression: Regression, terms: Sequence[Term], rounding: float = 0.0) -> LocalModel:
    """The model of a sum of terms near the constants that they have inside their calls.

    Args:
        regression: has the samples.
        terms: what may be kept; a call that several have is the same in all of them.
        rounding: error of the sum of all terms.
    """
    form = Expression(tuple(terms))
    flow = Flow((form,), regression.inputs, regression.faces)
    return _model(regression, terms, regression.slopes_of(form, regression.rows), rounding, options_of(flow))


def _model(
    regression: Regression,
    terms: Sequence[Term],
    columns: np.ndarray,
    rounding: float = 0.0,
    options: Sequence[TermOption] | None = None,
) -> LocalModel:
    with np.errstate(all="ignore"):
        weighed = regression.weighed(columns)
    sizes = [
        log_size(Expression((each,)), regression.inputs, len(regression.operations), regression.choices)
        for each in terms
    ]
    pricing = regression.pricing
    price = Price(pricing.count, max(pricing.floor, rounding), np.array(sizes), pricing.rest)
    return LocalModel.of_columns(weighed, regression.targets, price, options)
