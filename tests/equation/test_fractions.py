"""Roots that numerator and denominator share are cancelled, and others are not."""

import numpy as np
import pytest

from mathonet.equation.expression import Expression, apply, number, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.fractions import cancelled
from mathonet.operations import get

X, Y = variable(0), variable(1)
ROWS = np.random.default_rng(0).uniform(0.2, 1.5, (30, 2))


def over(numerator: Expression, denominator: Expression) -> Expression:
    return numerator * apply(get("inv"), denominator)


@pytest.mark.parametrize("factor", [number(1.0), Y, apply(get("sin"), Y)])
def test_a_shared_root_is_cancelled(factor):
    # x (x - 3) / ((x + 2) (x - 3))
    form = Y + over(X * X + X.scale(-3.0), X * X + X.scale(-1.0) + number(-6.0)) * factor
    (found,) = cancelled(form)
    assert found.skeleton == (Y + over(X, X + number(2.0)) * factor).skeleton
    np.testing.assert_allclose(evaluate(found, ROWS), evaluate(form, ROWS), rtol=1e-12)


@pytest.mark.parametrize(
    "form",
    [
        over(X, X * X + number(-4.0)),
        over(X * X + X.scale(-3.0), X * X + number(9.0)),
        over(X * X + X.scale(-3.0), X + number(-3.0)),
        over(X * X + X.scale(-3.0), over(number(1.0), X * X + X.scale(-1.0) + number(-6.0))),
        over(X * X + X.scale(-3.0), X * Y + number(-9.0)),
        over(apply(get("inv"), X) + number(-1 / 3), X * X + number(-9.0)),
        over(X + number(-3.0), X * X + apply(get("inv"), X).scale(-27.0)),
        over(X * X + X.scale(-3.0), X * X + number(-9.0)) + over(Y, X * X + number(-9.0)),
    ],
)
def test_what_shares_no_root_stays(form):
    assert list(cancelled(form)) == []
