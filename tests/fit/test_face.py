"""The NumPy faces are the JAX faces: values, slopes and guards."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.fit.face import NUMPY, Faces
from mathonet.operations import Operation, get, names

ORDINARY = np.concatenate([np.linspace(-9.7, 9.7, 200), [0.3, -0.3]])
EDGES = np.array([0.0, 1e-200, -1e-200, 1e-90, 1e90, -1e90, 1e200, -1e200, 699.0, 701.0, 1e5])


def jax_pair(operation: Operation, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    with jax.enable_x64(True):
        column = jnp.asarray(h)
        value, slope = jax.jvp(operation.evaluate, (column,), (jnp.ones_like(column),))
        return np.asarray(value), np.asarray(slope)


def test_every_built_in_operation_has_a_numpy_face():
    assert set(NUMPY) <= set(names())
    assert {
        "ident",
        "sin",
        "cos",
        "tan",
        "exp",
        "log",
        "sqrt",
        "square",
        "cube",
        "inv",
        "tanh",
        "abs",
    } == set(NUMPY)


@pytest.mark.parametrize("name", sorted(NUMPY))
def test_numpy_face_equals_the_jax_face(name):
    for points in (ORDINARY, EDGES):
        with np.errstate(all="ignore"):
            found = NUMPY[name](points)
        for ours, theirs in zip(found, jax_pair(get(name), points), strict=True):
            assert np.isfinite(ours).all()
            np.testing.assert_allclose(ours, theirs, rtol=2e-13, atol=1e-15)


def test_own_operation_is_called_through_its_jax_face():
    own = Operation("hill", lambda h: h * h / (1.0 + h * h), lambda h: h**2 / (1 + h**2))
    with jax.enable_x64(True):
        value, slope = Faces((get("sin"), own))("hill", ORDINARY)
    np.testing.assert_allclose(value, ORDINARY**2 / (1 + ORDINARY**2), rtol=1e-13)
    np.testing.assert_allclose(slope, 2 * ORDINARY / (1 + ORDINARY**2) ** 2, rtol=1e-12, atol=1e-15)
