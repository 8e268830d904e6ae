"""What stands at the end of a search on a path."""

from dataclasses import replace

import jax
import numpy as np

from mathonet.equation.expression import Term, total
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.path.conclusion import conclude
from mathonet.search.path.moves import regress
from mathonet.search.path.objective import PathObjective
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 10.0, 150)


def predators(_, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.4 * x[1] + 0.1 * x[0] * x[1]]


def test_a_law_that_a_loose_floor_shortened_is_asked_by_the_tight_one_again(observe):
    """A search that ended on too many terms, their fit not at its end, is no reason to doubt the law."""
    measured = measure([observe(predators, [10.0, 5.0], T, names=("x", "y"))])
    with jax.enable_x64(True):
        path = PathObjective(measured, SampleSearch(measured.samples, Settings(operations=["ident"])))
        law = ((((0, 1),), ((0, 1), (1, 1))), (((1, 1),), ((0, 1), (1, 1))))
        forms = [total([*(Term(1.0, each) for each in own), Term(1e-3, ((0, 3),))]) for own in law]
        found = path.joint.fit(regress(path.joint, forms))
        assert found is not None
        path.best = replace(found, shot=replace(found.path, chi2=1e3 * path.joint.least))
        assert not path.exact
        floor = path.joint.floor
        last = conclude(path)
    assert path.joint.floor == floor
    assert path.joint.within_floor(last.path.chi2)
    assert [len(form.terms) for form in last.forms] == [2, 2]
