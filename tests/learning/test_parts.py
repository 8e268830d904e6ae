"""A step of many runs in parts: the same numbers whatever the parts, in one compilation."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning.parts import in_parts


@pytest.mark.parametrize("together", [1, 3, 7, 100])
def test_parts_compute_the_first_runs_and_leave_zeros_for_the_others(together):
    def one(factor, x, y):
        return {"sum": factor * x + y.sum(), "row": y}

    x, y = np.arange(1.0, 8.0), np.arange(14.0).reshape(7, 2)
    step = jax.jit(partial(in_parts, one, together))
    for count in (0, 1, 3, 5, 7):
        found = step(jnp.asarray(count), (2.0,), (x, y))
        whole = min(-(-count // min(together, 7)) * min(together, 7), 7)
        assert whole >= count
        np.testing.assert_array_equal(found["sum"][:count], (2 * x + y.sum(1))[:count])
        np.testing.assert_array_equal(found["row"][:count], y[:count])
        np.testing.assert_array_equal(found["sum"][whole:], 0.0)
    assert step._cache_size() == 1


def test_what_a_part_has_alike_is_no_part_of_the_batch():
    """A switch on it is a real one: only its own branch is computed."""

    def one(kind, x):
        return jax.lax.switch(kind, [lambda y: y, lambda y: y * y], x)

    kind, x = np.array([0, 0, 1, 1, 0, 0]), np.arange(1.0, 7.0)

    def step(axes):
        return jax.make_jaxpr(partial(in_parts, one, 2, axes=axes))(jnp.asarray(6), (), (kind, x))

    assert " cond[" in str(step((None, 0)))
    assert " cond[" not in str(step(None))
    found = in_parts(one, 2, jnp.asarray(6), (), (kind, x), axes=(None, 0))
    assert found == pytest.approx([1.0, 2.0, 9.0, 16.0, 5.0, 6.0])
