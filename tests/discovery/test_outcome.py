"""The outcome of a search on measured states: what is given back of all that was fitted."""

from itertools import combinations

import jax
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.discovery.config import Settings
from mathonet.discovery.measured import measure
from mathonet.discovery.outcome import MOST_SHOWN, outcome
from mathonet.discovery.route import make_joint
from mathonet.discovery.search import Search
from mathonet.equation.parse import from_text

T = np.linspace(0.0, 3.0, 60)


@pytest.mark.parametrize("rank", [0, MOST_SHOWN - 1, MOST_SHOWN, MOST_SHOWN + 4])
def test_the_chosen_form_is_among_the_candidates_however_far_behind(rank):
    """A steadier system that is preferred need not be among the best."""
    x = (np.exp(-T) + 0.02 * np.random.default_rng(0).normal(size=len(T)))[:, None]
    measured = measure([Trajectory(T, x, names=("x",))])
    settings = Settings(operations=["ident"])
    with jax.enable_x64(True):
        search = Search(measured.samples, settings)
        joint = make_joint(measured, search, None)
        for size in (1, 2, 3):
            for terms in combinations(("x", "0.1", "0.1*x**2", "0.1*x**3", "0.1*x**4"), size):
                joint.fit([from_text(f"-({' + '.join(terms)})", ("x",))])
        best = sorted(joint.seen.values(), key=lambda fit: fit.score)[rank]
        found = outcome(measured, search, joint, best, settings, 0.0)
    scores = [each.fitted.score for each in found.candidates[0]]
    assert scores == sorted(scores)
    assert len(scores) == MOST_SHOWN + (rank >= MOST_SHOWN)
    assert found.chosen[0].fitted.expression.skeleton == best.forms[0].skeleton
    assert found.chosen[0] in found.candidates[0]
    gap = found.trust[0].gap
    assert gap is not None
    assert (gap > 0) == (rank == 0)
