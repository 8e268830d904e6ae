"""The network in the data's units is the same function, with numbers one can read."""

import numpy as np
import pytest

from mathonet.report.figures.graph import graph, shown_run


@pytest.mark.parametrize(("name", "cycle"), [("lorenz", 0), ("joint", -1), ("deep", -1)])
def test_both_units_are_one_function(request, name, cycle):
    shown = shown_run(request.getfixturevalue(name), 0)
    ours, trained = (graph(shown, cycle, units).weights for units in ("data", "network"))
    samples = shown.discovery.samples
    targets = samples.scaling.targets if trained.architecture.outputs > 1 else samples.scaling.targets[:1]
    for x in samples.inputs[:2]:
        np.testing.assert_allclose(ours(x), trained(x / samples.scaling.inputs) * targets, rtol=1e-9)


def test_leading_weights_are_one_and_constants_those_of_the_equation(lorenz):
    network = graph(shown_run(lorenz, "z")).weights
    assert network.output[0, 2] == pytest.approx(1.0)
    assert network.layers[0].oper[2, 0] == pytest.approx(1.0)
    assert network.layers[0].poly[2, 0, 1] == pytest.approx(1.0)
    assert network.layers[0].poly[2, 2, 3] == pytest.approx(-8 / 3)


def test_reading_is_in_the_datas_units(lorenz):
    expression = shown_run(lorenz, 0).expression(-1)
    assert expression is not None
    assert [term.coefficient for term in expression.terms] == pytest.approx([-8 / 3, 1.0])


def test_what_was_pruned_stays_zero(deep):
    drawn = graph(shown_run(deep, 0))
    for weights, living in zip(drawn.weights.layers, drawn.living.layers, strict=True):
        for part in ("poly", "bias", "oper"):
            values, mask = np.asarray(getattr(weights, part)), np.asarray(getattr(living, part))
            assert (values[~mask] == 0).all()
            assert (values[mask] != 0).all()
