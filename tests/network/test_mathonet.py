"""The super-graph computes what its formula says."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.errors import ConfigError
from mathonet.network.mathonet import Architecture, build, flatten, initialise, unflatten
from mathonet.operations import resolve

X = np.array([0.7, -1.3])


def polynet(weights: np.ndarray, z: list[float]) -> float:
    return weights[-1] + sum(weights[j] * z[j] for j in range(len(z)))


def opernet(weights: np.ndarray, h: float) -> float:
    return weights[0] * h + weights[1] * np.sin(h) + weights[2] * np.cos(h) + weights[3] * np.exp(h)


def neuron(layer, k: int, sources: list[float], factors: list[float]) -> float:
    poly, bias, oper = (np.asarray(part[k]) for part in (layer.poly, layer.bias, layer.oper))
    h = sum(polynet(poly[i], factors) * source for i, source in enumerate(sources)) + bias
    return opernet(oper, h)


def test_one_layer_is_the_formula_written_out(plain, random_network):
    network = random_network(plain)
    x = list(X)
    a = [neuron(network.layers[0], k, x, x) for k in range(3)]
    np.testing.assert_allclose(network(jnp.asarray(X)), np.asarray(network.output) @ a, rtol=1e-13)


def test_two_layers_multiply_the_first_layers_outputs_by_polynomials_of_the_inputs(deep, random_network):
    network = random_network(deep)
    x = list(X)
    first = [neuron(network.layers[0], k, x, x) for k in range(3)]
    second = [neuron(network.layers[1], k, first, x) for k in range(2)]
    np.testing.assert_allclose(network(jnp.asarray(X)), np.asarray(network.output) @ second, rtol=1e-13)


def test_dense_layers_see_inputs_and_all_earlier_outputs_as_factors_and_as_summands(dense, random_network):
    network = random_network(dense)
    x = list(X)
    first = [neuron(network.layers[0], k, x, x) for k in range(2)]
    second = [neuron(network.layers[1], k, x + first, x + first) for k in range(2)]
    expected = np.asarray(network.output) @ np.array(first + second)
    np.testing.assert_allclose(network(jnp.asarray(X)), expected, rtol=1e-13)


def test_dense_network_holds_a_product_of_two_operations(dense):
    network = build(dense, lambda kind, layer, shape: np.zeros(shape))
    first, second = network.layers
    first.poly[0, 0, -1] = first.poly[1, 1, -1] = 1.0
    first.oper[0, 1] = first.oper[1, 2] = 1.0
    second.poly[0, 2, 3] = second.oper[0, 0] = 1.0
    network.output[0, 2] = 1.0
    np.testing.assert_allclose(network(jnp.asarray(X)), [np.sin(X[0]) * np.cos(X[1]), 0.0], rtol=1e-14)


def test_pruned_operations_give_zero_and_not_their_value_at_zero(plain):
    pruned = build(plain, lambda kind, layer, shape: jnp.full(shape, float(kind != "oper")))
    assert pruned(jnp.asarray(X)) == 0.0


def test_flatten_and_unflatten_are_inverse(architecture, random_network):
    network = random_network(architecture)
    again = unflatten(architecture, flatten(network))
    assert jax.tree.structure(again) == jax.tree.structure(network)
    for old, new in zip(jax.tree.leaves(network), jax.tree.leaves(again), strict=True):
        np.testing.assert_array_equal(old, new)


def test_flatten_keeps_numpy_and_its_order(architecture, random_network):
    network = random_network(architecture)
    flat = flatten(jax.tree.map(np.asarray, network))
    assert isinstance(flat, np.ndarray)
    np.testing.assert_array_equal(flat, flatten(network))


def test_unflatten_can_first_be_called_inside_a_trace():
    fresh = Architecture(1, (1,), resolve(["tanh"]))
    inside = jax.jit(lambda w: unflatten(fresh, w)(jnp.ones(1)))(jnp.ones(5))
    np.testing.assert_allclose(unflatten(fresh, jnp.ones(5))(jnp.ones(1)), inside)


def test_initial_weights_depend_on_the_key_alone(architecture):
    draw = jax.jit(lambda key: flatten(initialise(architecture, key)))
    first, again, other = (draw(jax.random.key(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.any(np.asarray(first) == np.asarray(other))
    assert np.isfinite(first).all()


@pytest.mark.parametrize(
    "changes",
    [
        {"inputs": 0},
        {"outputs": 0},
        {"hidden": ()},
        {"hidden": (3, 0)},
        {"hidden": (-1,)},
        {"hidden": (1.5,)},
        {"operations": ()},
    ],
)
def test_shapes_that_are_no_network_are_refused(changes):
    good = {"inputs": 2, "hidden": (3,), "operations": resolve(["ident"]), "outputs": 1}
    with pytest.raises(ConfigError):
        Architecture(**(good | changes))


@pytest.mark.parametrize("hidden", [(3,), (2, 3)])
def test_starts_drawn_at_once_are_those_of_one_draw_an_array(hidden):
    architecture = Architecture(2, hidden, resolve(["ident", "sin", "cos"]), dense=len(hidden) > 1)
    keys = iter(jax.random.split(jax.random.key(5), 4 * len(hidden) + 1))

    def fill(kind, layer, shape):
        fan = {"poly": shape[-1] * shape[-2] if kind == "poly" else 1, "bias": 4, "oper": 1, "output": 1}[
            kind
        ]
        value = jax.random.normal(next(keys), shape) / jnp.sqrt(fan)
        if kind == "oper":
            leads = jax.random.randint(next(keys), (shape[0], 1), 0, shape[1]) == jnp.arange(shape[1])
            value = value * jnp.where(leads, 1.0, 0.2)
        return value

    expected = flatten(build(architecture, fill))
    found = flatten(initialise(architecture, jax.random.key(5)))
    np.testing.assert_allclose(found, expected, rtol=1e-6)
