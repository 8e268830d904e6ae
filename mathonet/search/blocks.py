"""Polynomials: whole blocks of monomials, from which elimination and exchanges leave those that pay.

A polynomial's coefficients are a linear problem. So all monomials up to a degree are taken at once, those
that are missed least are eliminated, and single terms are then dropped, added and exchanged as long as the
score gets better, from several starts.
"""

import math
from collections.abc import Sequence

import numpy as np

from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression, Factors, Term
from mathonet.equation.flow import Flow
from mathonet.fit.linear import distinct_monomials, monomial, monomials
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.local_model import Kept, LocalModel
from mathonet.search.options import Price
from mathonet.search.path.model import TermOption, options_of
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
