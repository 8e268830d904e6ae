"""A learned stencil: where its weights may live, and its moments."""

import jax
import numpy as np
import pytest

from mathonet.network.mathonet import flatten, initialise, unflatten
from mathonet.network.stencil import moment_matrix, stencil_architecture, stencil_mask
from mathonet.operations import resolve


def test_stencil_neuron_is_linear_in_neighbours_and_the_others_see_the_centre_only():
    architecture = stencil_architecture(1, 1, 2, resolve(["ident", "sin"]))
    mask = flatten(stencil_mask(architecture, 1, 1))
    network = unflatten(architecture, flatten(initialise(architecture, jax.random.key(0))) * mask)
    jacobian = jax.jacrev(lambda v: network(v)[0])
    here, there = np.array([0.3, -0.2, 0.7]), np.array([1.3, -0.2, -0.4])
    np.testing.assert_allclose(
        np.asarray(jacobian(here))[[0, 2]], np.asarray(jacobian(there))[[0, 2]], rtol=1e-12
    )
    assert not np.isclose(np.asarray(jacobian(here))[1], np.asarray(jacobian(np.array([0.3, 0.9, 0.7])))[1])


def test_fields_have_kernels_of_their_own():
    architecture = stencil_architecture(2, 2, 3, resolve(["ident", "cos"]))
    poly = stencil_mask(architecture, 2, 2).layers[0].poly
    assert np.asarray(poly[0]).sum() == np.asarray(poly[0, :5, -1]).sum() == 5
    assert np.asarray(poly[1]).sum() == np.asarray(poly[1, 5:, -1]).sum() == 5


@pytest.mark.parametrize(
    ("kernel", "moments"),
    [([1, -2, 1], [0, 0, 2]), ([-0.5, 0, 0.5], [0, 1, 0]), ([6.25, -11.5, 6.25], [1, 0, 12.5])],
)
def test_moments_of_known_kernels(kernel, moments):
    found = moment_matrix(1, 1.0, 3) @ np.asarray(kernel, float)
    np.testing.assert_allclose(found, moments, atol=1e-12)


def test_the_paper_s_stencil_hides_growth_in_its_zeroth_moment():
    kernel = 3.2424 * np.array([1.9276, -2.2245, 1.9276]) - np.array([0, 1.5765 * 2.7195, 0])
    zeroth, first, second = moment_matrix(1, 1.0, 3) @ kernel
    assert zeroth == pytest.approx(1.0, abs=2e-3)
    assert first == pytest.approx(0.0, abs=1e-12)
    assert second / 2 == pytest.approx(6.25, abs=1e-3)
