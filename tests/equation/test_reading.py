"""Exact reading: network and expression are the same function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.data.samples import Scaling
from mathonet.equation.expression import Expression, TooLargeError, apply, number, power, variable
from mathonet.equation.reading import read, unscale
from mathonet.network.mask import cut_dead_paths, initial_mask
from mathonet.network.mathonet import Architecture, MathONet, build, flatten, unflatten
from mathonet.operations import STANDARD, get, resolve

OPERATIONS = resolve(STANDARD)
SHAPES = {
    "plain": Architecture(2, (3,), OPERATIONS),
    "deep": Architecture(2, (2, 2), OPERATIONS),
    "dense": Architecture(2, (2, 2), OPERATIONS, dense=True),
    "several outputs": Architecture(2, (2,), OPERATIONS, outputs=3),
}
POINTS = np.random.default_rng(2).uniform(-2, 2, size=(20, 2))

evaluate = jax.jit(lambda network, points: jax.vmap(network)(points))
cut = jax.jit(lambda mask: cut_dead_paths(mask))


def pruned_network(architecture: Architecture, seed: int, share: float) -> MathONet:
    rng = np.random.default_rng(seed)
    start = np.asarray(flatten(initial_mask(architecture)))
    mask = cut(unflatten(architecture, jnp.asarray(start & (rng.random(start.size) < share))))
    return unflatten(architecture, jnp.asarray(rng.normal(size=start.size)) * np.asarray(flatten(mask)))


@pytest.mark.parametrize("name", SHAPES)
@given(seed=st.integers(0, 10**6), share=st.floats(0.15, 0.45))
@settings(max_examples=40)
def test_reading_equals_the_network(evaluate_with_error, name, seed, share):
    network = pruned_network(SHAPES[name], seed, share)
    try:
        readings = read(network)
    except TooLargeError:
        assume(False)
    expected = np.asarray(evaluate(network, POINTS))
    assert len(readings) == expected.shape[1]
    for reading, column in zip(readings, expected.T, strict=True):
        value, error = evaluate_with_error(reading, POINTS)
        # Where cancellation or steep operations eat digits, no two orders of summation agree.
        sound = np.isfinite(value) & (error <= 1e-13 * np.abs(value)) & (np.abs(value) < 1e100)
        np.testing.assert_allclose(value[sound], column[sound], rtol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_most_networks_and_samples_are_compared(evaluate_with_error, name):
    compared = total = 0
    for seed in range(30):
        for reading in read(pruned_network(SHAPES[name], seed, 0.25)):
            value, error = evaluate_with_error(reading, POINTS)
            compared += np.sum(np.isfinite(value) & (error <= 1e-13 * np.abs(value)))
            total += value.size if reading.terms else 0
    assert compared > 0.5 * total > 0


def test_reading_of_a_hand_made_network_is_the_formula():
    architecture = Architecture(2, (2,), resolve(["ident", "sin"]))
    network = build(architecture, lambda kind, layer, shape: np.zeros(shape))
    (layer,) = network.layers
    layer.poly[0, 0, 1] = 2.0
    layer.oper[0, 0] = -0.5
    layer.poly[1, 1, 2] = 3.0
    layer.bias[1] = 0.25
    layer.oper[1, 1] = 4.0
    network.output[0] = [1.0, 0.5]
    x, y = variable(0), variable(1)
    expected = (x * y).scale(-1.0) + apply(get("sin"), y.scale(3.0) + number(0.25)).scale(2.0)
    assert read(network) == [expected]


def test_neuron_without_operations_reads_as_nothing():
    network = build(SHAPES["plain"], lambda kind, layer, shape: np.full(shape, float(kind != "oper")))
    assert read(network) == [Expression()]


@pytest.mark.parametrize("name", SHAPES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_unscaling_undoes_the_scaling(evaluate_with_error, name, seed):
    rng = np.random.default_rng(seed)
    readings = read(pruned_network(SHAPES[name], seed, 0.2))
    scaling = Scaling(10 ** rng.uniform(-3, 3, 2), 10 ** rng.uniform(-3, 3, len(readings)))
    for target, reading in enumerate(readings):
        scaled, error = evaluate_with_error(reading, POINTS)
        original, slack = evaluate_with_error(unscale(reading, scaling, target), POINTS * scaling.inputs)
        expected = scaled * scaling.targets[target]
        sound = np.isfinite(scaled) & (error <= 1e-13 * np.abs(scaled)) & (slack <= 1e-13 * np.abs(original))
        np.testing.assert_allclose(original[sound], expected[sound], rtol=1e-12)


def test_unscaling_a_monomial_divides_by_its_inputs_and_multiplies_by_its_target():
    form = variable(0) * power(variable(1), 2)
    original = unscale(form, Scaling(np.array([2.0, 4.0]), np.array([1.0, 64.0])), 1)
    assert original == form.scale(2.0)
