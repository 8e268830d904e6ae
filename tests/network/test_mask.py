"""Masks: what starts masked, and which paths are dead."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mathonet.network.mask import cut_dead_paths, initial_mask
from mathonet.network.mathonet import Architecture, MathONet, build, flatten, unflatten
from mathonet.operations import resolve

cut = jax.jit(cut_dead_paths)
evaluate = jax.jit(lambda network, inputs: jax.vmap(network)(inputs))
INPUTS = np.random.default_rng(5).normal(size=(6, 2))

SILENT = resolve(["ident", "sin", "tanh"])
LOUD = resolve(["ident", "cos", "exp"])
SHAPES = {
    "plain": ((3,), False),
    "deep": ((2, 2), False),
    "dense": ((2, 2), True),
}


def shape(name: str, operations) -> Architecture:
    hidden, dense = SHAPES[name]
    return Architecture(2, hidden, operations, outputs=2, dense=dense)


def size(architecture: Architecture) -> int:
    return len(flatten(initial_mask(architecture)))


def masks(name: str, operations=SILENT) -> st.SearchStrategy[MathONet]:
    architecture = shape(name, operations)
    kept = st.sampled_from([0.3, 0.5, 0.8])
    draw = arrays(float, size(architecture), elements=st.floats(0, 1), fill=st.nothing())
    return st.builds(lambda share, u: unflatten(architecture, jnp.asarray(u < share)), kept, draw)


def weights(architecture: Architecture, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=size(architecture)) * 0.4


def masked(mask: MathONet, seed: int) -> MathONet:
    flat = weights(mask.architecture, seed) * np.asarray(flatten(mask))
    return unflatten(mask.architecture, jnp.asarray(flat))


def blank(architecture: Architecture) -> MathONet:
    return build(architecture, lambda kind, layer, shape: np.zeros(shape, bool))


def test_first_layer_starts_with_each_product_of_inputs_once():
    mask = initial_mask(Architecture(3, (2,), SILENT))
    expected = [[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]
    for neuron in mask.layers[0].poly:
        np.testing.assert_array_equal(neuron, np.array(expected, bool))
    assert mask.layers[0].bias.all()
    assert mask.layers[0].oper.all()
    assert mask.output.all()


def test_later_layers_start_full_unless_dense():
    assert initial_mask(shape("deep", SILENT)).layers[1].poly.all()


def test_dense_layers_start_with_each_product_once():
    poly = initial_mask(shape("dense", SILENT)).layers[1].poly
    both = poly[:, :, :-1] & poly[:, :, :-1].transpose(0, 2, 1)
    np.testing.assert_array_equal(both, np.broadcast_to(np.eye(4, dtype=bool), both.shape))
    assert (poly[:, :, :-1] | poly[:, :, :-1].transpose(0, 2, 1)).all()
    assert poly[:, :, -1].all()


@pytest.mark.parametrize("name", SHAPES)
def test_full_network_has_no_dead_path(name):
    mask = initial_mask(shape(name, LOUD))
    np.testing.assert_array_equal(flatten(cut(mask)), flatten(mask))


@pytest.mark.parametrize("operation", [1, 2], ids=["cos", "exp"])
def test_operation_whose_argument_is_pruned_is_dead(operation):
    mask = blank(shape("plain", LOUD))
    mask.layers[0].oper[0, operation] = True
    mask.output[0, 0] = True
    assert evaluate(masked(mask, 0), INPUTS)[0, 0] != 0.0
    assert not np.any(flatten(cut(mask)))


def test_argument_that_is_a_bias_alone_keeps_its_operation():
    mask = blank(shape("plain", LOUD))
    mask.layers[0].bias[0] = mask.layers[0].oper[0, 1] = mask.output[0, 0] = True
    np.testing.assert_array_equal(flatten(cut(mask)), flatten(mask))


def test_neuron_without_an_operation_is_dead():
    mask = blank(shape("plain", LOUD))
    mask.layers[0].poly[0] = mask.layers[0].bias[0] = mask.output[0, 0] = True
    assert not np.any(flatten(cut(mask)))


@pytest.mark.parametrize("name", SHAPES)
def test_neuron_that_nobody_reads_is_dead(name):
    mask = initial_mask(shape(name, LOUD))
    mask.output[:, -1] = False
    last = cut(mask).layers[-1]
    assert not np.any([last.poly[-1].any(), last.bias[-1], last.oper[-1].any()])
    assert last.oper[0].all()


def test_first_layer_is_dead_if_the_second_does_not_read_it():
    mask = initial_mask(shape("deep", LOUD))
    mask.layers[1].poly[:, 0] = False
    first = cut(mask).layers[0]
    assert not np.any([first.poly[0].any(), first.bias[0], first.oper[0].any()])
    assert first.oper[1].all()


def test_dense_neuron_lives_while_it_is_read_as_a_factor_only():
    mask = initial_mask(shape("dense", LOUD))
    mask.output[:, :2] = False
    mask.layers[1].poly[:, 2] = False
    assert cut(mask).layers[0].oper[0].all()
    mask.layers[1].poly[:, :, 2] = False
    assert not cut(mask).layers[0].oper[0].any()


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data())
@settings(max_examples=40)
def test_cutting_is_idempotent_and_only_masks(name, data):
    mask = data.draw(masks(name))
    once = cut(mask)
    np.testing.assert_array_equal(flatten(cut(once)), flatten(once))
    assert not np.any(np.asarray(flatten(once)) & ~np.asarray(flatten(mask)))


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data(), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_cutting_never_changes_the_output_if_operations_vanish_at_zero(name, data, seed):
    mask = data.draw(masks(name))
    before, after = (evaluate(masked(m, seed), INPUTS) for m in (mask, cut(mask)))
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-13)


def silent_arguments(network: MathONet) -> bool:
    """Whether an operation is applied to an argument that is zero at every sample."""
    architecture = network.architecture
    seen = a = INPUTS
    for number, layer in enumerate(network.layers):
        z = seen if architecture.dense else INPUTS
        s = seen if number == 0 or architecture.dense else a
        z = np.concatenate([z, np.ones((len(z), 1))], axis=1)
        h = np.einsum("kij,nj,ni->nk", layer.poly, z, s) + np.asarray(layer.bias)
        if np.any((h == 0).all(0) & np.asarray(layer.oper).any(1)):
            return True
        values = np.stack([h, np.cos(h), np.exp(np.minimum(h, 700.0))], axis=-1)
        a = np.sum(values * np.asarray(layer.oper), axis=-1)
        seen = np.concatenate([seen, a], axis=1)
    return False


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data(), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_cutting_changes_the_output_only_where_an_argument_was_identically_zero(name, data, seed):
    mask = data.draw(masks(name, LOUD))
    network = masked(mask, seed)
    assume(not silent_arguments(network))
    np.testing.assert_allclose(
        evaluate(masked(cut(mask), seed), INPUTS), evaluate(network, INPUTS), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data(), seed=st.integers(0, 99))
@settings(max_examples=30)
def test_every_surviving_weight_moves_the_output(name, data, seed):
    """A weight lies on a living path if the output depends on it, at the weights or beside them."""
    mask = cut(data.draw(masks(name)))
    slopes = slope_sizes(masked(mask, seed), INPUTS)
    np.testing.assert_array_equal(np.asarray(flatten(slopes)) * np.asarray(flatten(mask)) > 0, flatten(mask))


@jax.jit
def slope_sizes(network: MathONet, inputs: jax.Array) -> MathONet:
    slopes = jax.vmap(jax.jacrev(lambda net, x: net(x)), in_axes=(None, 0))(network, inputs)
    return jax.tree.map(lambda slope: jnp.abs(slope).sum((0, 1)), slopes)
