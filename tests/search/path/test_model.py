"""The quadratic model of a fitted path: exact where the problem is linear, honest where options depend."""

from dataclasses import replace

import numpy as np
import pytest

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression, Term
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.fit.path import ANNEAL, RK4, Path, stage_times
from mathonet.fit.shooting import Shot, shoot
from mathonet.operations import resolve
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit, price_of_size
from mathonet.search.path.model import PathModel
from mathonet.search.path.moves import laid_beside, path_model

NAMES = ("x", "y", "u", "v")
"""Two states and two inputs."""
T = np.linspace(0, 8, 81)


def form(text: str) -> Expression:
    return from_text(text, NAMES)


def inputs_at(t: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(1.3 * t), np.cos(0.8 * t) + 0.3 * t / 8], axis=-1)


def integral(text: str) -> np.ndarray:
    """A function of the inputs alone, integrated over time: each interval by the steps of the fit."""
    _, weights, times = RK4
    at = T[:-1, None] + np.diff(T)[:, None] * times
    rows = np.concatenate([np.zeros((at.size, 2)), inputs_at(at.ravel())], axis=1)
    values = evaluate(form(text), rows).reshape(at.shape) @ weights
    return np.concatenate([[0.0], np.cumsum(np.diff(T) * values)])


def make_joint(truth: tuple[str, str], sigma: float = 0.02, seed: int = 0) -> PathFit:
    """Measured states that inputs alone drive: residuals are linear in the states and in the coefficients."""
    exact = np.stack([1.0 + integral(truth[0]), integral(truth[1]) - 2.0], axis=1)
    y = exact + sigma * np.random.default_rng(seed).normal(size=exact.shape)
    at = T[:-1, None] + np.diff(T)[:, None] * stage_times(RK4, 1)
    path = Path(
        y,
        np.full(y.shape, 1 / sigma),
        np.full(2, sigma),
        np.diff(T),
        np.ones(80),
        inputs_at(at),
        np.arange(2),
        RK4,
        1,
    )
    rows = np.concatenate([y, inputs_at(T)], axis=1)
    nothing = (Expression(), Expression())
    return PathFit(path, exact, 4, resolve(None), np.ones(2), nothing, (0, 1), rows, 0 * y, 1 + 0 * y, 0 * y)


TRUTH = ("2*u - 0.7*v^2", "0.5*v + u*v")
EXTRA = ("1", "u", "v", "u^2", "u*v", "v^2")
BESIDE = [[form(text).terms[0] for text in EXTRA]] * 2


def fitted(joint: PathFit, *texts: str) -> Fit:
    found = joint.fit([form(text) for text in texts], steps=30)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def joint() -> PathFit:
    return make_joint(TRUTH)


@pytest.fixture(scope="module")
def truth(joint) -> Fit:
    return fitted(joint, *TRUTH)


@pytest.fixture(scope="module")
def model(joint, truth) -> tuple[PathModel, frozenset]:
    """The model at the truth, with a library beside it."""
    return path_model(joint, truth, BESIDE)


@pytest.fixture
def unpriced(model, monkeypatch) -> tuple[PathModel, frozenset]:
    """The same, where coefficients cost nothing: single moves take what they cost from the present ones."""
    path, own = model
    monkeypatch.setattr(path.local, "price", replace(path.local.price, coefficients=None))
    return path, own


def refitted(joint: PathFit, model: PathModel, kept: frozenset) -> float:
    found = joint.fit(model.solved(kept), steps=30)
    assert found is not None
    return found.path.chi2


def named(model: PathModel, kept) -> set[tuple[int, tuple]]:
    return {(model.options[k].equation, model.options[k].term.factors) for k in kept}


def places(*texts: str) -> set[tuple[int, tuple]]:
    return {(number, term.factors) for number, text in enumerate(texts) for term in form(text).terms}


def test_options_are_all_terms_of_all_equations(model, truth):
    path, own = model
    assert len(path.options) == 12
    assert named(path, own) == places(*TRUTH)
    assert [option.place for option in path.options] == list(range(12))
    assert path.forms(own) == truth.forms


def test_predictions_are_exact_for_linear_problems(joint, model, truth):
    """For any choice of terms the predicted sum of squares, and so the score, is what a fit reaches."""
    path, own = model
    rng = np.random.default_rng(1)
    for size in (0, 1, 3, 6, 12):
        kept = frozenset(rng.permutation(12)[:size].tolist())
        predicted, values = path.local.solve(kept)
        reached = refitted(joint, path, kept)
        assert predicted == pytest.approx(reached, rel=1e-4)
        forms = path.forms(kept, values)
        wanted = joint.score(forms, reached) + price_of_size(forms)
        assert path.local.score(kept) == pytest.approx(wanted, abs=0.05)
    assert path.local.solve(own)[0] == pytest.approx(truth.path.chi2, rel=1e-6)


def test_the_score_of_a_fit_is_the_one_it_is_compared_by(model, truth):
    """Large coefficients cost the same in a fit and in the predictions beside it."""
    path, own = model
    assert path.local.score(own) == pytest.approx(truth.score, abs=1e-3)


def test_predictions_are_exact_from_anywhere(joint, truth):
    """At the best path of constants that are not the best ones the gradient counts as well."""
    off = replace(truth, forms=tuple(each.scale(1.2) for each in truth.forms))
    forms, places_of_own = laid_beside(off, BESIDE)
    flow, own = joint.flow(forms), frozenset(places_of_own)
    shot = shoot(flow, flow.constants, joint.path, truth.path.x, ANNEAL[-1:], active=np.arange(0))
    assert shot is not None
    path = PathModel(flow, shot, joint.prices, joint.size)
    assert shot.chi2 > 50 * truth.path.chi2
    assert path.local.solve(own)[0] == pytest.approx(truth.path.chi2, rel=1e-4)
    for kept in (own - {min(own)}, own | {3}, frozenset()):
        reached = refitted(joint, path, kept)
        assert path.local.solve(kept)[0] == pytest.approx(reached, rel=1e-4)


def test_neighbours_are_all_single_drops_and_additions(unpriced):
    path, own = unpriced
    found = path.local.moves(own)
    assert len(found) == 12
    assert {len(kept) for _, kept in found} == {3, 5}
    for score, kept in found:
        assert score == pytest.approx(path.local.score(kept), abs=1e-3)
    assert len(path.local.moves(own, add=False)) == 4
    assert min(score for score, _ in found) > path.local.score(own)


def test_exchanges_stay_in_their_equation(unpriced):
    path, own = unpriced
    found = [each for each in path.local.moves(own, add=False, exchange=True) if len(each[1]) == len(own)]
    assert len(found) == 4 * 4
    for score, kept in found:
        assert score == pytest.approx(path.local.score(kept), abs=1e-2)
        assert [path.options[k].equation for k in kept].count(0) == 2
        assert len(kept & own) == 3


@pytest.mark.parametrize(
    "start",
    [
        TRUTH,
        ("u", "v"),
        ("1 + v", "u^2"),
        ("1 + u + v + u^2 + u*v + v^2", "1 + u + v + u^2 + u*v + v^2"),
        ("0*u", "0*u"),
    ],
    ids=["the truth", "too few", "others", "all", "none"],
)
def test_moves_lead_to_the_truth_from_anywhere(joint, start):
    fit = joint.fit([form(text) for text in start], steps=30)
    assert fit is not None
    path, own = path_model(joint, fit, BESIDE)
    score, kept = path.local.step(own)
    assert named(path, kept) == places(*TRUTH)
    assert score == pytest.approx(path.local.score(kept), abs=1.0)
    found = joint.fit(path.solved(kept), steps=30)
    assert found is not None
    for got, wanted in zip(found.forms, TRUTH, strict=True):
        assert got.skeleton == form(wanted).skeleton
        np.testing.assert_allclose(constants(got), constants(form(wanted)), atol=0.05)


def test_clean_data_do_not_cancel():
    """Sums of squares 14 orders below those of the parts: predictions keep their digits."""
    joint = make_joint(TRUTH, sigma=1e-8)
    fit = fitted(joint, *TRUTH)
    assert 100 < fit.path.chi2 < 230
    path, own = path_model(joint, fit, BESIDE)
    assert path.local.solve(own)[0] == pytest.approx(fit.path.chi2, abs=0.01)
    for score, kept in path.local.moves(own):
        predicted = path.local.solve(kept)[0]
        if len(kept) > len(own):
            # Another coefficient gains what one of noise does.
            assert fit.path.chi2 - 20 < predicted <= fit.path.chi2 + 0.01
            assert score > path.local.score(own)
        else:
            assert predicted > 1e8
    assert path.local.step(own)[1] == own


def test_dependent_options_gain_nothing_beside_each_other():
    """u and a copy of it: one is as good as the other, both are no better."""
    joint = make_joint(TRUTH)
    joint.path.drive[:, :, 1] = joint.path.drive[:, :, 0]
    exact = np.stack([1.0 + 2 * integral("u"), integral("u") - 2.0], axis=1)
    joint.path.y[:] = exact + 0.02 * np.random.default_rng(0).normal(size=exact.shape)
    fit = fitted(joint, "u", "u")
    path, own = path_model(joint, fit, [[form("v").terms[0]]] * 2)
    others = [k for k in range(4) if k not in own]
    assert path.local.gains(own, np.array(others)).tolist() == [0.0, 0.0]
    score, kept = path.local.step(frozenset(range(4)))
    assert len(kept) == 2
    assert {path.options[k].equation for k in kept} == {0, 1}
    assert np.isfinite(score)
    assert np.isfinite(path.local.solve(range(4))[1]).all()


def test_an_option_without_effect_or_without_numbers_stays_out():
    """A column of zeros, and one that is not finite, are no options."""
    shot = Shot(
        np.array([1.0, 0.0, 0.0]), np.zeros((2, 1)), 10.0, 10.0, np.diag([4.0, 0.0, np.inf]), np.zeros(3)
    )
    joint = make_joint(TRUTH)
    flow = joint.flow(
        [Expression((*form("u").terms, Term(0.0, ((3, 1),)), Term(0.0, ((3, 2),)))), Expression()]
    )
    path = PathModel(flow, shot, joint.prices, joint.size)
    assert path.local.solve([0])[0] == pytest.approx(10.0)
    assert path.local.step(frozenset([0]))[1] == frozenset([0])
    np.testing.assert_allclose(path.local.gains(frozenset([0]), np.array([1, 2])), 0.0)


def test_a_prediction_never_promises_everything(model):
    """However good the model says a system would be, a share of the sum of squares stays."""
    path, own = model
    shot = Shot(np.zeros(12), np.zeros((2, 2)), 5.0, 5.0, np.eye(12), np.full(12, 1e3))
    joint = make_joint(TRUTH)
    flow = joint.flow(laid_beside(fitted(joint, *TRUTH), BESIDE)[0])
    bold = PathModel(flow, shot, joint.prices, joint.size)
    assert 0 < bold.local.solve(own)[0] < 0.1
    assert np.isfinite(bold.local.score(own))
    assert len(path.options) == len(bold.options)


def laid(joint: PathFit, forms: list[Expression]) -> tuple[PathModel, np.ndarray]:
    """A model that moves each constant by another step: -0.01, -0.02, ..."""
    flow = joint.flow(forms)
    count = len(flow.constants)
    shot = Shot(flow.constants, np.zeros((2, 2)), 10.0, 10.0, np.eye(count), 0.01 * np.arange(1, count + 1))
    return PathModel(flow, shot, joint.prices, joint.size), flow.constants


@pytest.mark.parametrize(
    "text",
    [
        "2*u + 1.5*sin(0.7*v)",
        "2*tanh(0.3*cos(0.8*u) + 0.5)",
        "exp(0.4*u)*sin(0.7*v + 0.2) + 3*sin(0.7*v + 0.2)",
        "2*log(u + 1.7*v + 3)*u",
    ],
)
def test_solved_constants_come_back_in_their_places(joint, text):
    """Coefficients and constants inside calls, nested and shared ones included, each take their own value."""
    path, before = laid(joint, [form(text), Expression()])
    every = range(len(path.options))
    moved = path.forms(every, path.local.solve(every)[1])
    assert moved[0].skeleton == form(text).skeleton
    np.testing.assert_allclose(constants(moved[0]), before - 0.01 * np.arange(1, len(before) + 1), rtol=1e-9)


def test_what_an_option_promises_does_not_depend_on_its_company(joint, truth):
    """A call alone and times an input stand side by side as probes do; each has constants of its own."""
    alone, sibling = form("sin(0.9*v)").terms[0], form("u*sin(0.9*v)").terms[0]
    found = []
    for company in ([sibling], [alone, sibling], [sibling, alone]):
        path, own = path_model(joint, truth, [company, []])
        place = next(
            k
            for k, option in enumerate(path.options)
            if k not in own and option.term.factors == sibling.factors
        )
        found.append(float(path.local.gains(own, np.array([place]))[0]))
    assert found[0] > 0
    assert found[1:] == pytest.approx([found[0]] * 2, rel=1e-6)
