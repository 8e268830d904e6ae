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


def overlapping(rows: int = 30, stride: int = 2, width: int = 6) -> Samples:
    rng = np.random.default_rng(1)
    index = stride * np.arange(rows)[:, None] + np.arange(width)
    covariance = np.maximum(0.0, 1.0 - np.abs(np.subtract.outer(np.arange(rows), np.arange(rows))) / 3.0)
    return Samples(
        rng.normal(size=(index.max() + 1, 2)),
        rng.normal(size=(rows, 1)),
        ("x", "y"),
        ("x",),
        Windows(index, rng.normal(size=index.shape)),
        np.linalg.inv(np.linalg.cholesky(covariance)),
    )


def applied(part: Samples) -> np.ndarray:
    assert part.operator is not None
    return np.einsum("rw,rwk->rk", part.operator.value, part.inputs[part.operator.index])


def test_rows_of_an_operator_keep_their_samples_and_no_others():
    whole, rows = overlapping(), np.array([3, 4, 20])
    part = whole.take(rows)
    np.testing.assert_array_equal(applied(part), applied(whole)[rows])
    np.testing.assert_array_equal(part.targets, whole.targets[rows])
    assert len(part.inputs) == 8 + 6


def test_whitening_of_some_rows_whitens_their_covariance():
    whole, rows = overlapping(), np.array([3, 4, 6, 20])
    covariance = np.linalg.inv(whole.weights.T @ whole.weights)[np.ix_(rows, rows)]
    whitening = whole.take(rows).weights
    np.testing.assert_allclose(whitening @ covariance @ whitening.T, np.eye(4), atol=1e-12)


def test_whitening_without_an_inverse_is_refused():
    with pytest.raises(DataError, match="no inverse"):
        samples(weights=np.zeros((20, 20))).take(np.arange(3))


@pytest.mark.parametrize("seed", range(5))
def test_parts_of_a_weak_form_share_no_sample(seed):
    whole = overlapping()
    train, held = whole.split(0.1, seed)
    assert len(held.targets) == 3
    assert not set(train.inputs[:, 0]) & set(held.inputs[:, 0])
    # Two rows on either side see samples of the block that is held out.
    assert len(train.targets) >= 30 - 3 - 4
    first = np.flatnonzero(whole.targets[:, 0] == held.targets[0, 0])[0]
    np.testing.assert_array_equal(held.targets, whole.targets[first : first + 3])


def test_short_weak_form_holds_out_its_end_or_is_refused():
    train, held = overlapping(rows=8, stride=1, width=4).split(0.1, 0)
    assert len(train.targets) == 8 - 2 - 3
    assert len(held.targets) == 2
    with pytest.raises(DataError, match="overlap, so none can be held out"):
        overlapping(rows=5, stride=1, width=5).split(0.1, 0)


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
