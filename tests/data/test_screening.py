"""Screening: important inputs stay, whatever their units; what never varies goes."""

import numpy as np

from mathonet.data.screening import MOST_ROWS, informative

RNG = np.random.default_rng(8)
MANY = RNG.uniform(-2.0, 2.0, (200, 30))


def kept(inputs: np.ndarray, target: np.ndarray, most: int, **options) -> list[int]:
    targets = target if target.ndim == 2 else target[:, None]
    return np.flatnonzero(informative(inputs, targets, most, 0, **options)).tolist()


def test_curved_and_crossed_dependences_are_seen():
    assert kept(MANY, 3 * np.sin(2 * MANY[:, 7]) + MANY[:, 21] ** 2, 2) == [7, 21]
    assert kept(MANY, MANY[:, 3] * MANY[:, 5], 2) == [3, 5]


def test_units_do_not_matter():
    rng = np.random.default_rng(8)
    units = 10.0 ** rng.uniform(-50, 50, MANY.shape[1])
    target = MANY[:, 3] * MANY[:, 5]
    assert kept(MANY * units, 1e60 * target, 2) == kept(MANY, target, 2)
    # The larger of two targets does not silence the other.
    both = np.column_stack([1e9 * MANY[:, 3], MANY[:, 5]])
    assert kept(MANY, both, 2) == [3, 5]


def test_inputs_that_never_vary_go():
    fixed = MANY[:, :4].copy()
    fixed[:, 2] = 5.0
    assert kept(fixed, fixed[:, 0], 10) == [0, 1, 3]
    assert kept(np.ones((5, 3)), np.arange(5.0), 10) == [0]


def test_weights_and_many_rows():
    rng = np.random.default_rng(8)
    two = np.where(np.arange(200) < 100, MANY[:, 1], MANY[:, 2])
    assert kept(MANY, two, 1, weights=np.where(np.arange(200) < 100, 1.0, 1e-9)) == [1]
    assert kept(MANY, two, 1, weights=np.where(np.arange(200) < 100, 1e-9, 1.0)) == [2]
    long = rng.normal(size=(2 * MOST_ROWS, 8))
    assert kept(long, long[:, 6] ** 3, 1) == [6]
