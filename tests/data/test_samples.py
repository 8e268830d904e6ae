"""Samples: scaled by division only, split without overlap, refused when unusable."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.rounding import rounding_floor
from mathonet.data.samples import Samples, Windows
from mathonet.errors import DataError

RNG = np.random.default_rng(0)
X, B = RNG.normal(size=(20, 2)), RNG.normal(size=(20, 1))


def samples(**changes) -> Samples:
    return Samples(
        **({"inputs": X, "targets": B, "input_names": ("x", "y"), "target_names": ("x",)} | changes)
    )


def test_scaling_is_the_root_mean_square_of_each_column():
    scaling = samples().scaling
    np.testing.assert_allclose(scaling.inputs, np.sqrt(np.mean(X**2, axis=0)), rtol=1e-14)
    np.testing.assert_allclose(scaling.targets, np.sqrt(np.mean(B**2, axis=0)), rtol=1e-14)


@given(st.floats(-29, 29))
def test_scaled_columns_have_size_one_whatever_the_units(exponent):
    unit = 10.0**exponent
    scaling = samples(inputs=X * unit).scaling
    np.testing.assert_allclose(np.mean((X * unit / scaling.inputs) ** 2, axis=0), 1.0, rtol=1e-12)


def test_targets_may_be_further_from_one_than_inputs():
    assert samples(inputs=X * 1e29, targets=B * 1e-99).scaling.targets[0] < 1e-98


def test_column_of_zeros_is_divided_by_one():
    scaling = samples(inputs=X * [[1, 0]], targets=0 * B).scaling
    assert scaling.inputs[1] == 1.0
    assert scaling.targets[0] == 1.0


def test_split_gives_every_row_to_one_side():
    weights = np.arange(20.0)
    train, held = samples(weights=weights).split(0.25, seed=3)
    assert len(held.targets) == 5
    assert sorted([*train.weights, *held.weights]) == list(weights)
    for part in (train, held):
        rows = part.weights.astype(int)
        np.testing.assert_array_equal(part.inputs, X[rows])
        np.testing.assert_array_equal(part.targets, B[rows])


def test_split_depends_on_the_seed_alone():
    first, again, other = (samples().split(0.3, seed)[1].inputs for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("rows", [1, 3])
def test_too_few_rows_are_not_split(rows):
    with pytest.raises(DataError, match=f"Only {rows} row.*at least 4 are needed"):
        samples(inputs=X[:rows], targets=B[:rows]).split(0.1, 0)
    assert len(samples(inputs=X[:4], targets=B[:4]).split(0.1, 0)[0].targets) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"operator": Windows(np.zeros((20, 3), int), np.ones((20, 3)))},
        {"weights": np.eye(20)},
    ],
    ids=["windows", "whitening"],
)
def test_rows_that_share_samples_are_not_split(changes):
    with pytest.raises(DataError, match="split the trajectory"):
        samples(**changes).split(0.2, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"targets": B[:-1]}, "20 rows of predictions but 19"),
        ({"inputs": X[:0], "targets": B[:0]}, "Only 0 rows of data: at least 4"),
        ({"inputs": [["a", "b"]] * 20}, "inputs must be arrays of real numbers"),
        ({"input_names": ("x",)}, "input names"),
        ({"targets": B[:, 0]}, "target names"),
        ({"inputs": np.where(np.arange(40).reshape(20, 2) == 7, np.nan, X)}, "'y' is nan in row 3"),
        (
            {"inputs": X * [[1, 1e-300]]},
            "input 'y' has values of size .e-30.*Rescale.*dividing them by .e-30",
        ),
        ({"inputs": X * [[1e300, 1]]}, r"input 'x' has values of size .e\+.*Rescale"),
        ({"targets": B * 1e-300}, "target 'x' has values of size .e-30.*Rescale"),
        ({"targets": np.where(np.arange(20)[:, None] == 4, np.inf, B)}, "'x' is inf in row 4"),
    ],
)
def test_unusable_samples_are_refused_with_the_place(changes, message):
    with pytest.raises(DataError, match=message):
        samples(**changes)


def test_operator_decides_how_many_targets_there_are():
    operator = Windows(np.zeros((6, 3), int), np.ones((6, 3)))
    assert len(samples(targets=B[:6], operator=operator).targets) == 6
    with pytest.raises(DataError, match="6 rows of predictions but 20"):
        samples(operator=operator)


def test_resolution_is_as_given_or_from_rounding():
    assert samples(floor=np.array([0.5])).resolution == [0.5]
    np.testing.assert_array_equal(samples().resolution, rounding_floor(B, X))
    assert samples(targets=np.round(B, 2)).resolution == pytest.approx(0.01 / np.sqrt(12))


def test_float32_and_lists_become_float64():
    made = samples(inputs=X.astype(np.float32), targets=B.tolist())
    assert made.inputs.dtype == made.targets.dtype == np.float64
    np.testing.assert_array_equal(made.targets, B)
    assert made.resolution > 1e-8
