"""Calls that are looked at in company alone: which there are, of what, and that they mean what they say."""

import numpy as np
import pytest

from mathonet.equation.flow import evaluate
from mathonet.operations import resolve
from mathonet.search.nested import angle_below, nested_calls, times_waves, waves
from mathonet.search.terms import Atom, Catalogue


def catalogue(inputs: int, operations=None, low: float = 1.0, units: float = 1.0) -> Catalogue:
    rng = np.random.default_rng(3)
    rows = low + rng.random((40, inputs))
    return Catalogue(rows, resolve(operations), np.full(inputs, units))


@pytest.mark.parametrize("inputs", [1, 2, 3, 5])
def test_they_are_some_hundreds_and_finite(inputs):
    listed = catalogue(inputs)
    found = list(nested_calls(listed))
    assert 50 < len(found) < 3_000
    for calls in found:
        values = evaluate(Atom((), calls).expression(1.0), listed.rows)
        assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("operations", "called"),
    [
        (["sin"], set()),
        (["inv"], {"inv"}),
        (["exp"], {"exp"}),
        (["sqrt"], {"sqrt"}),
        (["sqrt", "inv"], {"sqrt", "inv"}),
        (["exp", "log"], {"exp", "log"}),
        (["exp", "inv"], {"exp", "inv"}),
        (["sin", "cos", "inv"], {"cos", "inv"}),
    ],
)
def test_only_operations_that_are_allowed_are_called(operations, called):
    found = [Atom((), calls).expression(1.0) for calls in nested_calls(catalogue(2, operations))]
    assert {call.operation.name for form in found for call in form.calls()} == called
    below = any(power < 0 for form in found for term in form.terms for _, power in term.factors)
    assert not below or "inv" in operations


def test_roots_of_sums_of_squares_are_powers_of_one_root():
    listed = catalogue(2, ["sqrt", "inv"])
    powers = set()
    for (call,) in nested_calls(listed):
        form = call.expression()
        if len(call.features) == 2 and call.values[1] == 1.0:
            x, y = listed.rows.T
            distance = np.sqrt(x**2 + y**2)
            power = {("sqrt",): 1, ("sqrt", "ident"): -1, ("inv",): -2, ("inv", "sqrt"): -3}[call.name]
            np.testing.assert_allclose(evaluate(form, listed.rows), distance**power, rtol=1e-12)
            powers.add(power)
    assert powers == {1, -1, -2, -3}


@pytest.mark.parametrize(("units", "listed"), [(0.4, True), (2.0, False)])
def test_what_is_left_of_a_whole_is_raised_where_an_input_is_a_share(units, listed):
    # Inputs between 1 and 2 in units of 0.4 are shares of a whole; in units of 2 they are not.
    found = nested_calls(catalogue(1, ["exp", "log"], units=units))
    rest = [calls for calls in found if len(calls[0].features) == 2 and calls[0].values[-1] == 0.0]
    powers = [calls for calls in rest if "log" in str(calls[0].features)]
    assert bool(powers) == listed


def test_a_share_is_raised_beside_an_input_of_both_signs():
    rows = np.stack([np.linspace(0.1, 0.9, 40), np.linspace(-1.0, 1.0, 40)], axis=1)
    listed = Catalogue(rows, resolve(["exp", "log"]), np.ones(2))
    values = [evaluate(calls[0].expression(), rows) for calls in nested_calls(listed) if len(calls) == 1]
    assert any(np.allclose(each, (1.0 - rows[:, 0]) ** 0.75) for each in values)


@pytest.mark.parametrize("low", [0.0, 3.0, 30.0])
def test_bells_are_one_at_their_middle_wherever_it_is(low):
    listed = catalogue(1, ["exp"], low=low)
    bells = [calls[0] for calls in nested_calls(listed) if len(calls[0].features) == 2]
    assert len(bells) == 16
    for bell in bells:
        middle = -0.5 * bell.values[1] / bell.values[0]
        assert evaluate(bell.expression(), np.array([[middle]]))[0] == pytest.approx(1.0)


def test_inputs_of_both_signs_are_not_raised():
    for calls in nested_calls(catalogue(2, ["exp", "log", "inv"], low=-0.5)):
        form = Atom((), calls).expression(1.0)
        inner = [call for call in form.calls() if call.operation.name == "log"]
        assert all(len(call.argument.terms) > 1 for call in inner)


def test_above_a_wave_below_stand_waves_of_the_same_angle_but_that_one():
    listed = catalogue(2)
    over = [calls for calls in nested_calls(listed) if angle_below(calls) is not None]
    assert {angle_below(calls) for calls in over} == {0, 1}
    parts = list(times_waves(listed, over[0], 0))
    assert parts[0] == over[0]
    # Sine and cosine of the angle and of twice the angle, less the one below.
    assert len(parts) == 1 + 4 - 1
    assert {call.features for _, call in parts[1:]} == {(((0, 1),),)}


def test_waves_are_those_of_angles_in_radians():
    listed = catalogue(1, units=3.0)
    values = [evaluate(wave.expression(), listed.rows) for wave in waves(listed, 0)]
    angle = 3.0 * listed.rows[:, 0]
    np.testing.assert_allclose(values, [np.sin(angle), np.cos(angle)], rtol=1e-12)
