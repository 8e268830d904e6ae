"""The history of a run, cycle by cycle, and the model that each cycle's networks make."""

import numpy as np
import pytest
import sympy

from mathonet import Samples, discover, systems
from mathonet.data.samples import Scaling
from mathonet.equation.reading import read, unscale
from mathonet.equation.symbolic import to_sympy
from mathonet.errors import DataError
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import Architecture, Layer, MathONet, flatten, unflatten
from mathonet.operations import resolve
from mathonet.result.history import (
    CycleModel,
    best_run,
    cycle_models,
    start_terms,
    weight_labels,
    weight_table,
)


def learn(**options):
    system = systems.get("lotka-volterra")
    data = system.simulate()
    samples = Samples(data.x, data.x_dot, data.names, data.names)
    return data, discover(samples, operations=system.operations, hidden=system.hidden, restarts=6, **options)


@pytest.fixture(scope="module")
def learned():
    return learn()


def test_history_tells_every_cycle_down_to_the_true_terms(learned):
    _, found = learned
    table = found.history("x")
    sweep = found.sweeps["given"]
    assert list(table["cycle"]) == list(range(1, len(sweep.history) + 1))
    assert (np.diff(table["weights"]) <= 0).all()
    assert table["terms"].iloc[0] > 2
    assert table["terms"].iloc[-1] == table["expanded"].iloc[-1] == 2
    assert (table["expanded"] >= table["terms"]).all()
    assert table["validation"].iloc[-1] < 1e-3 * table["validation"].iloc[0]
    assert "x y" in table["equation"].iloc[-1]


def test_sparsity_is_the_share_of_weights_that_are_pruned(learned):
    _, found = learned
    # Two neurons of 3 products, 2 linear weights and a bias, 3 operations, and their outputs.
    np.testing.assert_allclose(20 * (1 - found.history("x")["sparsity"]), found.history("x")["weights"])


def test_terms_at_the_start_are_the_papers():
    architecture = Architecture(2, (2,), resolve(["ident", "sin", "cos"]), outputs=2)
    assert [start_terms(architecture, output) for output in range(2)] == [(10, 70)] * 2


@pytest.mark.parametrize("joint", [False, True])
def test_a_cycles_model_is_its_networks_in_the_datas_units(learned, joint):
    data, found = learn(joint=True) if joint else learned
    sweep = found.sweeps["given"]
    models = cycle_models(sweep, found.samples)
    assert [model.cycle for model in models] == list(range(1, len(sweep.history) + 1))
    symbols = sympy.symbols("x y")
    for state in range(2):
        network = sweep.network(best_run(sweep, 0 if joint else state), 0)
        form = unscale(read(network)[state if joint else 0], found.samples.scaling, state)
        expected = sympy.lambdify(symbols, to_sympy(form, symbols))(*data.x.T)
        np.testing.assert_allclose(models[0].predict(data.x)[:, state], expected, rtol=1e-9, atol=1e-9)
    simulated = models[-1].simulate(data.x[0], data.t[:100])
    np.testing.assert_allclose(simulated, data.x[:100], atol=1e-3)


@pytest.mark.parametrize(
    ("label", "factors"),
    [
        ("P(y, 2) x", ((0, 1), (1, 1))),
        ("P(y, 1) y", ((1, 2),)),
        ("P(x, 2) 1", ((0, 1),)),
        ("b(1)", ()),
    ],
)
def test_labels_of_weights_follow_their_order(label, factors):
    """One weight of 2 alone, before OperNets and outputs of ones."""
    architecture = Architecture(2, (2,), resolve(["ident"]))
    labels = weight_labels(architecture, ("x", "y"))
    ones = ("A(1) ident", "A(2) ident", "output a1", "output a2")
    weights = np.array([2.0 if name == label else float(name in ones) for name in labels])
    (term,) = read(unflatten(architecture, weights))[0].terms
    assert (term.coefficient, term.factors) == (2.0, factors)


@pytest.mark.parametrize("dense", [False, True])
def test_deep_networks_and_several_outputs_have_a_label_a_weight(dense):
    architecture = Architecture(2, (2, 3), resolve(["ident", "sin"]), outputs=2, dense=dense)
    labels = weight_labels(architecture, ("x", "y"))
    assert len(set(labels)) == len(labels) == flatten(initial_mask(architecture)).size
    assert "P(a2, 5) y" in labels
    assert ("P(x, 5) a1" in labels) == dense
    assert labels[-1] == "output 2 a5"


def test_weights_that_stand_are_told_for_every_cycle(learned):
    _, found = learned
    sweep = found.sweeps["given"]
    run = best_run(sweep, 0)
    table = weight_table(sweep, run, ("x", "y"))
    counts = table.groupby("cycle").size()
    assert list(counts) == list(found.history("x")["weights"])
    last = table[table["cycle"] == counts.index[-1]]
    assert (last["value"] != 0).all()


def exploding() -> CycleModel:
    architecture = Architecture(1, (1,), resolve(["ident"]))
    layer = Layer(np.array([[[1.0, 0.0]]]), np.zeros(1), np.ones((1, 1)))
    network = MathONet((layer,), np.ones((1, 1)), architecture)
    scaling = Scaling(np.ones(1), np.ones(1))
    return CycleModel(
        1, ("x",), architecture, np.asarray(flatten(network))[None], np.zeros(1, int), scaling, np.full(1, 10)
    )


def test_a_blow_up_is_cut_where_it_leaves_the_bound():
    t = np.linspace(0.0, 2.0, 201)
    x = exploding().simulate([1.0], t)
    assert len(x) == 91  # x' = x^2 from 1 is 1/(1 - t), which is 10 at t = 0.9
    np.testing.assert_allclose(x[:, 0], 1 / (1 - t[:91]), rtol=1e-6)


def test_a_start_of_another_size_is_refused():
    with pytest.raises(DataError, match="1 numbers to start from"):
        exploding().simulate([1.0, 2.0], [0.0, 1.0])


def test_control_inputs_leave_nothing_to_simulate(learned):
    data, found = learned
    driven = Samples(np.column_stack([data.x, data.t]), data.x_dot, ("x", "y", "u"), data.names)
    with pytest.raises(DataError, match="'u'"):
        cycle_models(found.sweeps["given"], driven)
