"""Remarks on what was measured: swings of one state, drifts, jumps."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.choice import Choice
from mathonet.data.files.remarks import drifts, remark_on, turns
from mathonet.data.trajectory import Trajectory

T = np.linspace(0, 20, 400)
NOISE = 0.05 * np.random.default_rng(0).standard_normal(400)


@pytest.mark.parametrize(
    ("x", "order", "said"),
    [
        (np.sin(T), 1, "second order"),
        (np.sin(T) + NOISE, 1, "second order"),
        ((np.sin(T) > 0).astype(float), 1, "moves in jumps"),
    ],
)
def test_what_one_state_alone_cannot_do_is_told(x, order, said):
    with pytest.warns(Choice, match=said):
        remark_on([Trajectory(T, x)], order)


@pytest.mark.parametrize(
    ("x", "order"), [(np.exp(-T) + NOISE, 1), (np.sin(T), 2), (1 / (1 + np.exp(5 - T)), 1), (NOISE, 2)]
)
def test_what_it_can_is_not(x, order):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        remark_on([Trajectory(T, x)], order)


def test_a_drift_suggests_that_the_law_depends_on_time():
    x = np.column_stack([np.sin(3 * T) + 0.1 * T, np.cos(3 * T)])
    with pytest.warns(Choice, match="'x' drifts while it swings.*name 't' with the option 'inputs'"):
        remark_on([Trajectory(T, x)], 1)
    assert not drifts(T, x[:, 1])


@given(st.floats(0.1, 10.0), st.floats(-5.0, 5.0))
def test_turns_do_not_depend_on_units(scale, offset):
    assert turns(scale * np.sin(T) + offset) == turns(np.sin(T)) == 6
