"""The outcome of a search on measured states: what is given back of all that was fitted."""

from itertools import combinations
from types import SimpleNamespace

import jax
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import apply, number, power, variable
from mathonet.equation.parse import from_text
from mathonet.operations import get
from mathonet.result.outcome import MOST_SHOWN, _without_traces, outcome
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.origins import Origins
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 3.0, 60)


@pytest.mark.parametrize("rank", [0, MOST_SHOWN - 1, MOST_SHOWN, MOST_SHOWN + 4])
def test_the_chosen_form_is_among_the_candidates_however_far_behind(rank):
    """A steadier system that is preferred need not be among the best."""
    x = (np.exp(-T) + 0.02 * np.random.default_rng(0).normal(size=len(T)))[:, None]
    measured = measure([Trajectory(T, x, names=("x",))])
    settings = Settings(operations=["ident"])
    with jax.enable_x64(True):
        search = SampleSearch(measured.samples, settings)
        joint = make_joint(measured, search, None)
        for size in (1, 2, 3):
            for terms in combinations(("x", "0.1", "0.1*x**2", "0.1*x**3", "0.1*x**4"), size):
                joint.fit([from_text(f"-({' + '.join(terms)})", ("x",))])
        best = joint.front.ranked()[rank]
        path = SimpleNamespace(measured=measured, search=search, joint=joint, origins=Origins())
        found = outcome(path, best, settings, 0.0)
    scores = [each.fitted.score for each in found.candidates[0]]
    assert scores == sorted(scores)
    assert len(scores) == MOST_SHOWN + (rank >= MOST_SHOWN)
    assert found.chosen[0].fitted.expression.skeleton == best.forms[0].skeleton
    assert found.chosen[0] in found.candidates[0]
    gap = found.trust[0].gap
    assert gap is not None
    assert (gap > 0) == (rank == 0)


def test_traces_of_terms_that_cancel_go_and_small_terms_stay():
    x, y = variable(0), variable(1)
    rows = np.column_stack([np.linspace(0.1, 40.0, 30), np.linspace(1.0, 2.0, 30)])
    exponential = apply(get("exp"), x)
    # At small x the second term is half of the value, at large x it is nothing.
    for kept in (exponential + y, x + y.scale(1e-9), x):
        assert _without_traces(kept, rows) == kept
    assert _without_traces(x + y.scale(1e-15), rows) == x
    rows[3, 1] = 0.0
    with np.errstate(divide="ignore"):
        quotient = x + power(y, -1) + number(2.0)
        assert _without_traces(quotient, rows) == quotient
