"""MathONetRegressor: scikit-learn's own checks, its tools around it, and formulas that come out exactly."""

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mathonet import Discoverer, MathONetRegressor
from mathonet.errors import ConfigError, DataError
from mathonet.estimators.regressor import distinct_rows

RNG = np.random.default_rng(3)
X = RNG.uniform(-1.5, 1.5, (60, 2))
PRODUCT = 2.0 * X[:, 0] * X[:, 1] - 0.5 * X[:, 1]


def make(**changes) -> MathONetRegressor:
    """The smallest network with few starts, by the map step that compiles fastest."""
    small = {"hidden": [1], "operations": ["ident"], "restarts": 3, "cycles": 8}
    return MathONetRegressor(**(small | {"map_step": "adam", "epochs": 50} | changes))


@pytest.fixture(scope="module")
def fitted() -> MathONetRegressor:
    return make().fit(X, PRODUCT)


# One check fits features of 100 +- 1, which is worth the warning it gets.
@pytest.mark.filterwarnings("ignore:Inputs stay far from zero")
@parametrize_with_checks([make()])
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("ignore:Inputs stay far from zero")
@parametrize_with_checks([MathONetRegressor()])
def test_contract_of_the_default(estimator, check):
    check(estimator)


@pytest.mark.slow
def test_contract_for_arrays_of_other_libraries():
    # SciPy reads this switch when it is imported, so the one check that needs it is skipped above.
    code = """
from sklearn.utils.estimator_checks import estimator_checks_generator
from mathonet import MathONetRegressor
small = MathONetRegressor(hidden=[1], operations=["ident"], restarts=3)
print(sum(check(each) is None for each, check in estimator_checks_generator(small)
          if "array_api" in check.func.__name__))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) >= 1


def test_a_known_formula_is_found_exactly():
    y = 3.0 * np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2
    model = MathONetRegressor(operations=["ident", "sin"], hidden=[2], restarts=10).fit(X, y)
    assert model.equations() == ["y = 1.0000 x1^2 + 3.0000 sin(2.0000 x0)"]
    assert model.trust_["level"].tolist() == ["exact"]
    assert model.score(X, y) == pytest.approx(1.0, abs=1e-12)
    far = np.array([[5.0, -4.0]])
    np.testing.assert_allclose(model.predict(far), 3.0 * np.sin(10.0) + 16.0, rtol=1e-8)


@pytest.mark.slow
def test_the_search_finds_the_same_formula():
    model = MathONetRegressor().fit(X, 3.0 * np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2)
    assert model.equations() == ["y = 1.0000 x1^2 + 3.0000 sin(2.0000 x0)"]


def test_formulas_in_every_notation(fitted):
    assert fitted.equations() == ["y = -0.50000 x1 + 2.0000 x0 x1"]
    assert fitted.equations(3) == ["y = -0.500 x1 + 2.00 x0 x1"]
    assert str(fitted) == fitted.equations()[0]
    x0, x1 = sympy.symbols("x0 x1")
    left = sympy.Poly(fitted.sympy()[0] - (2 * x0 * x1 - x1 / 2), x0, x1)
    assert all(abs(value) < 1e-9 for value in left.coeffs())
    assert fitted.latex(3).splitlines()[1].startswith("y &= -0.500 \\, x_{1}")
    with pytest.raises(ConfigError, match="digits must be a whole number"):
        fitted.equations(0)


def test_tables(fitted):
    assert fitted.candidates_["chosen"].sum() == 1
    assert fitted.coefficients_["term"].tolist() == ["x1", "x0 x1"]
    np.testing.assert_allclose(fitted.coefficients_["value"], [-0.5, 2.0], rtol=1e-8)
    assert fitted.trust_["level"].tolist() == ["exact"]
    assert fitted.n_features_in_ == 2
    assert not hasattr(fitted, "feature_names_in_")


def test_several_targets_and_names_of_data_frames():
    frame = pd.DataFrame(X, columns=["width", "height"])
    targets = pd.DataFrame({"area": X[:, 0] * X[:, 1], "edge": 2 * X[:, 0] + 2 * X[:, 1]})
    model = make().fit(frame, targets)
    assert model.equations(3) == ["area = 1.00 width height", "edge = 2.00 width + 2.00 height"]
    assert model.feature_names_in_.tolist() == ["width", "height"]
    assert model.latex().count("&=") == 2
    np.testing.assert_allclose(model.predict(frame), targets, rtol=1e-8)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["height", "width"]])
    assert make().fit(frame, targets["area"]).equations(3) == ["area = 1.00 width height"]
    assert make().fit(X, targets.to_numpy()).equations(2)[1] == "y1 = 2.0 x0 + 2.0 x1"
    with pytest.raises(DataError, match="repeat the name width"):
        make().fit(frame.set_axis(["width", "width"], axis=1), targets)


def test_weights_choose_the_rows_that_count():
    rng = np.random.default_rng(3)
    wrong = PRODUCT.copy()
    wrong[::3] += rng.normal(size=wrong[::3].shape)
    weights = np.ones(len(X))
    weights[::3] = 0.0
    model = make().fit(X, wrong, sample_weight=weights)
    assert model.equations(3) == ["y = -0.500 x1 + 2.00 x0 x1"]
    assert model.discovery_.samples.weights is None
    # Light rows are not absent, yet the heavy ones decide.
    weights[::3] = 1e-12
    light = make().fit(X, wrong, sample_weight=weights)
    np.testing.assert_allclose(light.predict(X), PRODUCT, atol=1e-6)


def test_rows_may_come_in_any_order_repeated_or_weighted():
    rng = np.random.default_rng(3)
    noisy = PRODUCT + 0.1 * rng.normal(size=len(X))
    counts = rng.integers(0, 4, len(X))
    weighted = make().fit(X, noisy, sample_weight=counts)
    order = rng.permutation(counts.sum())
    repeated = make().fit(X.repeat(counts, axis=0)[order], noisy.repeat(counts)[order])
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))
    assert weighted.equations(17) == repeated.equations(17)


def test_distinct_rows_add_up_the_weights_of_copies():
    inputs, targets, weights = distinct_rows(
        np.array([[2.0], [1.0], [2.0], [2.0], [3.0]]),
        np.array([[0.0], [5.0], [0.0], [1.0], [7.0]]),
        np.array([1.0, 2.0, 0.5, 1.0, 0.0]),
    )
    assert inputs.ravel().tolist() == [1.0, 2.0, 2.0]
    assert targets.ravel().tolist() == [5.0, 0.0, 1.0]
    assert weights.tolist() == [2.0, 1.5, 1.0]


def test_constant_features_and_targets():
    wide = np.column_stack([np.full(len(X), 7.0), X])
    model = make().fit(wide, PRODUCT)
    assert model.equations(3) == ["y = -0.500 x2 + 2.00 x1 x2"]
    assert model.support_.tolist() == [False, True, True]
    np.testing.assert_allclose(model.predict(wide), PRODUCT, rtol=1e-6, atol=1e-9)
    for value in (0.0, 4.0):
        np.testing.assert_allclose(make().fit(X, np.full(len(X), value)).predict(X), value, atol=1e-9)
    nothing = make().fit(np.ones((8, 3)), np.arange(8.0))
    np.testing.assert_allclose(nothing.predict(np.ones((2, 3))), 3.5)


def test_of_many_features_the_search_sees_the_important_ones():
    rng = np.random.default_rng(3)
    many = rng.uniform(-1.5, 1.5, (64, 25))
    y = 2.0 * many[:, 4] * many[:, 17] - 0.5 * many[:, 17]
    model = make(most_features=2).fit(many, y)
    assert model.equations(3) == ["y = -0.500 x17 + 2.00 x4 x17"]
    assert np.flatnonzero(model.support_).tolist() == [4, 17]
    np.testing.assert_allclose(model.predict(many), y, rtol=1e-6, atol=1e-9)
    with pytest.raises(ConfigError, match="most_features must be a whole number of at least 1, got 0"):
        make(most_features=0).fit(X, PRODUCT)


def test_predictions_are_finite_outside_the_domain_of_a_formula():
    positive = np.linspace(0.5, 4.0, 60)[:, None]
    y = 2.0 * np.log(positive[:, 0]) + 1.0
    model = MathONetRegressor(operations=["ident", "log"], hidden=[1], restarts=10).fit(positive, y)
    assert model.trust_["level"].tolist() == ["exact"]
    with pytest.warns(UserWarning, match="'y' has no finite value in 1 of 2 rows"):
        found = model.predict([[-1.0], [1.0]])
    np.testing.assert_allclose(found, [y.mean(), 1.0])


def test_nearly_nothing_to_learn_from_still_predicts():
    rng = np.random.default_rng(3)
    for rows, features in ((4, 1), (4, 2), (5, 2), (6, 1)):
        noise = rng.normal(size=(rows, features + 1))
        model = make().fit(noise[:, :features], noise[:, -1])
        assert np.isfinite(model.predict(noise[:, :features])).all()


def test_refusals():
    with pytest.raises(ValueError, match="3 sample"):
        make().fit(X[:3], PRODUCT[:3])
    with pytest.raises(DataError, match=r"Only 2 rows.*Rows that repeat count once"):
        make().fit(X[[0, 1, 0, 1]], PRODUCT[[0, 1, 0, 1]])
    with pytest.raises(DataError, match="has values of size"):
        make().fit(X * 1e40, PRODUCT)
    with pytest.raises(ConfigError, match="hidden"):
        make(hidden=[0]).fit(X, PRODUCT)
    with pytest.raises(ValueError, match="Negative values"):
        make().fit(X, PRODUCT, sample_weight=-np.ones(len(X)))
    for verb in ("equations", "sympy", "latex"):
        with pytest.raises(NotFittedError):
            getattr(make(), verb)()
    with pytest.raises(NotFittedError):
        make().predict(X)


def test_parameters_and_clones(fitted):
    own = set(MathONetRegressor().get_params()) - {"most_features"}
    assert own <= set(Discoverer().get_params())
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "discovery_")
    assert copy.set_params(seed=1).fit(X, PRODUCT).equations() == fitted.equations()
    assert repr(MathONetRegressor(hidden=[1], epochs=50, most_features=4)) == (
        "MathONetRegressor(epochs=50, hidden=[1], most_features=4)"
    )


def test_a_fitted_copy_travels_after_predictions(fitted):
    wanted = fitted.predict(X)
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    np.testing.assert_array_equal(again.predict(X), wanted)
    assert again.equations() == fitted.equations()


def test_in_a_pipeline_formulas_are_in_scaled_units():
    shifted = X * [3.0, 0.1] + [5.0, 2.0]
    y = shifted[:, 0] * shifted[:, 1]
    model = make_pipeline(StandardScaler(), make()).fit(shifted, y)
    assert model.score(shifted, y) == pytest.approx(1.0, abs=1e-12)
    scale = model[0]
    x0, x1 = sympy.symbols("x0 x1")
    product = (scale.mean_[0] + scale.scale_[0] * x0) * (scale.mean_[1] + scale.scale_[1] * x1)
    left = sympy.Poly(model[1].sympy()[0] - product, x0, x1)
    assert all(abs(value) < 1e-8 for value in left.coeffs())


def test_grid_search_and_cross_validation():
    grid = [
        {"hidden": [[1]]},
        {"hidden": [[2]], "operations": [["ident", "sin"]], "restarts": [10], "map_step": ["newton"]},
    ]
    search = GridSearchCV(make(), grid, cv=3, error_score="raise").fit(X, PRODUCT)
    assert search.best_score_ == pytest.approx(1.0, abs=1e-9)
    assert search.best_estimator_.equations(3) == ["y = -0.500 x1 + 2.00 x0 x1"]
    scores = cross_val_score(make(), X, PRODUCT, cv=4, error_score="raise")
    np.testing.assert_allclose(scores, 1.0, atol=1e-9)


@pytest.mark.slow
def test_processes_side_by_side_give_the_same():
    rng = np.random.default_rng(3)
    noisy = PRODUCT + 0.1 * rng.normal(size=len(X))
    with warnings.catch_warnings():
        # JAX warns wherever a process is forked, loky's resource tracker included.
        warnings.filterwarnings("ignore", message=r"os\.fork\(\)")
        scores = cross_val_score(make(), X, noisy, cv=4, n_jobs=2, error_score="raise")
    np.testing.assert_allclose(scores, cross_val_score(make(), X, noisy, cv=4), rtol=1e-9)
