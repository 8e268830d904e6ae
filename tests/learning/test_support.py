"""Newton on the weights that live gives what Newton on all weights gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning.minimise_newton import minimise_newton
from mathonet.learning.penalty import Strength
from mathonet.network.group import membership
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import flatten, initialise


@pytest.mark.parametrize("spare", [0, 3])
def test_the_number_of_places_changes_the_cost_and_not_the_minimum(architecture, make_problem, keys, spare):
    problem, member = make_problem(), jnp.asarray(membership(architecture))
    active = np.array(flatten(initial_mask(architecture)), bool)
    active[::3] = False
    active[-2:] = True  # the outputs
    living = int(active.sum()) + spare
    assert living < active.size
    strength = Strength(jnp.full(active.size, 1e-3), jnp.full(len(member), 1e-3))
    w, steps, mask = flatten(initialise(architecture, keys[0])), jnp.asarray(10), jnp.asarray(active)

    def minimum(places):
        return jax.jit(
            lambda v: minimise_newton(architecture, problem, v, mask, strength, member, steps, places)
        )(w)

    whole, small = minimum(None), minimum(living)
    assert np.all(np.asarray(small.w)[~active] == 0.0)
    np.testing.assert_allclose(small.w, whole.w, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(small.around.rss, whole.around.rss, rtol=1e-8)
    inside = np.ix_(active, active)
    normal = np.asarray(small.around.normal)
    np.testing.assert_allclose(normal[inside], np.asarray(whole.around.normal)[inside], rtol=1e-5, atol=1e-8)
    # Of masked weights nothing is asked: those in spare places are told, the others are zero.
    assert np.count_nonzero(np.diagonal(normal)[~active]) <= spare
    np.testing.assert_allclose(
        np.where(active, small.around.gradient, 0.0), np.where(active, whole.around.gradient, 0.0), atol=1e-7
    )
