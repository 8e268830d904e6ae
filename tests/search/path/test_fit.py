"""PathFit: what a system costs on a path."""

import jax
import numpy as np
import pytest

from mathonet.equation.parse import from_text
from mathonet.fit.path import ANNEAL
from mathonet.search import effort
from mathonet.search.front import Front
from mathonet.search.path.fit import PathFit
from mathonet.search.path.moves import regress

T = np.linspace(0.0, 12.0, 120)
NAMES = ("x", "y")


@pytest.fixture(scope="module")
def joint(observe, joint_of) -> PathFit:
    def predators(_, x):
        return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]]

    return joint_of(observe(predators, [3.0, 1.5], T, 0.03), operations=["ident"])


@pytest.mark.parametrize(("factor", "cheap"), [(1.0, True), (20.0, False)])
def test_large_coefficients_have_a_price(joint, factor, cheap):
    """Cauchy's law for every coefficient: nothing for those near one, and the same under another floor."""
    with jax.enable_x64(True):
        truth = joint.fit(regress(joint, [from_text(text, NAMES) for text in ("x + x*y", "y + x*y")]))
        assert truth is not None
        joint.front = Front()
        fit = joint.fit([form.scale(factor) for form in truth.forms], truth.path.x, ANNEAL[-1:], steps=0)
    assert fit is not None
    coefficients = np.array([term.coefficient for form in fit.forms for term in form.terms])
    price = fit.score - joint.score(fit.as_fitted, fit.chi2)
    assert price == pytest.approx(2.0 * np.log1p((coefficients / effort.LARGE) ** 2).sum())
    assert (price < 1.0) == cheap
    judged = joint.loosened(0.5).front.get(fit.forms)
    assert judged is not None
    assert judged.score == pytest.approx(fit.score)
