"""Discovery: the paper's systems exactly, no false terms from noise, and no luck in units or seeds."""

from functools import lru_cache

import jax
import numpy as np
import pytest
import sympy

from mathonet import Samples, systems
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_sympy
from mathonet.errors import ConfigError, DataError
from mathonet.result.discover import Discovery, discover
from mathonet.search.config import Settings
from mathonet.search.objective import EquationProposer

COLUMNS = {"target", "complexity", "error", "evidence", "equation", "chosen"}
PAPER = ["lorenz", "lotka-volterra"]


@lru_cache
def samples_of(name: str, noise: float = 0.0, seed: int = 0, rows: int | None = None) -> Samples:
    data = systems.get(name).simulate(derivative_noise=noise, seed=seed, samples=rows)
    assert data.x_dot is not None
    return Samples(data.x, data.x_dot, data.names, data.names)


@lru_cache
def found(name: str, noise: float = 0.0, seed: int = 0, rows: int | None = None, **options) -> Discovery:
    system = systems.get(name)
    settings = Settings(operations=system.operations, hidden=system.hidden, seed=seed, **options)
    return discover(samples_of(name, noise, seed, rows), settings)


def truths(name: str) -> list[Expression]:
    system = systems.get(name)
    return [from_sympy(equation, system.symbols) for equation in system.equations]


def errors(discovery: Discovery, wanted: list[Expression]) -> np.ndarray:
    """Largest relative error of a constant of each equation, once the forms are known to be the true ones."""
    pairs = list(zip(discovery.system.equations, wanted, strict=True))
    for equation, truth in pairs:
        assert equation.expression.skeleton == truth.skeleton, equation.text()
    return np.array(
        [np.max(np.abs(np.divide(constants(e.expression), constants(truth)) - 1)) for e, truth in pairs]
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", PAPER)
def test_clean_systems_are_found_exactly(name, seed):
    discovery = found(name, seed=seed)
    assert errors(discovery, truths(name)).max() < 1e-8
    assert all(gap is not None and gap > 100 for gap in discovery.gaps)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", PAPER)
def test_clean_systems_are_found_exactly_by_every_seed(name):
    for seed in range(3, 20):
        assert errors(found(name, seed=seed), truths(name)).max() < 1e-8


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", PAPER)
def test_one_percent_noise_keeps_exactly_the_true_terms(name, seed):
    discovery = found(name, noise=0.01, seed=seed)
    assert errors(discovery, truths(name)).max() < 0.1


@pytest.mark.parametrize("name", PAPER)
def test_intervals_hold_the_truth_about_as_often_as_they_say(name):
    inside, total = 0, 0
    for seed in (0, 1):
        for equation, truth in zip(
            found(name, noise=0.01, seed=seed).system.equations, truths(name), strict=True
        ):
            table = equation.coefficients()
            wanted = np.asarray(constants(truth))
            inside += int(((table["low"] <= wanted) & (wanted <= table["high"])).sum())
            total += len(wanted)
    assert inside >= 0.75 * total


def test_noise_is_estimated():
    discovery, samples = found("lotka-volterra", noise=0.01, seed=0), samples_of("lotka-volterra", 0.01)
    clean = samples_of("lotka-volterra")
    for target, equation in enumerate(discovery.system.equations):
        noise = np.std(samples.targets[:, target] - clean.targets[:, target])
        assert equation.sigma == pytest.approx(noise, rel=0.1)


def test_one_network_for_all_equations_finds_the_same():
    discovery = found("lotka-volterra", joint=True)
    assert errors(discovery, truths("lotka-volterra")).max() < 1e-8
    (runs,) = discovery.sweeps.values()
    assert runs.architecture.outputs == 2


def test_choice_by_validation_finds_the_same():
    discovery = found("lotka-volterra", selection="validation")
    assert errors(discovery, truths("lotka-volterra")).max() < 1e-8
    noisy = found("lotka-volterra", noise=0.01, selection="validation")
    for pool, chosen in zip(noisy.candidates, noisy.chosen, strict=True):
        least = min(each.validation for each in pool)
        assert chosen.validation <= 1.05 * least


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize("name", PAPER)
def test_candidate_table_marks_one_choice_a_target(name, noise):
    discovery = found(name, noise=noise, seed=0) if noise else found(name, seed=0)
    table = discovery.table()
    assert set(table.columns) >= COLUMNS
    assert table.groupby("target")["chosen"].sum().eq(1).all()
    assert set(table["target"]) == set(systems.get(name).states)
    assert np.isfinite(table[["complexity", "error", "evidence"]].to_numpy(float)).all()
    chosen = table[table["chosen"]]
    for equation, text in zip(discovery.system.equations, chosen["equation"], strict=True):
        assert len(equation.expression.terms) == len(from_text_terms(text))
    best = table.loc[table.groupby("target")["evidence"].idxmax()]
    assert best["chosen"].all()
    assert (table["pareto"] & table["chosen"]).sum() == len(chosen)


def from_text_terms(text: str) -> list[str]:
    return text.replace(" - ", " + ").split(" + ")


def test_candidates_hold_shorter_forms_that_fit_worse():
    table = found("lorenz", noise=0.01, seed=0).table()
    front = table[table["pareto"] & (table["target"] == "y")].sort_values("complexity")
    assert len(front) >= 3
    assert (np.diff(front["error"]) < 0).all()


def test_same_seed_gives_the_same_result():
    first = found("lotka-volterra", noise=0.01, seed=0)
    settings = first.settings
    again = discover(samples_of("lotka-volterra", 0.01), settings)
    assert again.table().equals(first.table())
    for a, b in zip(again.system.equations, first.system.equations, strict=True):
        assert a.expression == b.expression
        np.testing.assert_array_equal(a.covariance, b.covariance)
    assert again.gaps == first.gaps


@pytest.mark.parametrize("factors", [(1e11, 1.0, 1e-11), (1e-11, 1e11, 1e11)])
def test_units_of_the_columns_do_not_matter(factors):
    samples, system = samples_of("lorenz"), systems.get("lorenz")
    scale = np.array(factors)
    scaled = Samples(samples.inputs * scale, samples.targets * scale, system.states, system.states)
    discovery = discover(scaled, found("lorenz", seed=0).settings)
    back = {s: s / sympy.Float(f) for s, f in zip(system.symbols, factors, strict=True)}
    wanted = [
        from_sympy(sympy.expand(factor * equation.subs(back, simultaneous=True)), system.symbols)
        for factor, equation in zip(factors, system.equations, strict=True)
    ]
    assert errors(discovery, wanted).max() < 1e-8


def test_long_data_are_searched_in_part_and_fitted_as_a_whole():
    """Lorenz' x' = 10 y - 10 x is linear, so that the fit on all rows has one known answer."""
    samples, system = samples_of("lorenz", 0.01, 0, 300), systems.get("lorenz")
    discovery = discover(samples, operations=system.operations, hidden=system.hidden, rows=100)
    equation = discovery.system.equations[0]
    expected, *_ = np.linalg.lstsq(samples.inputs[:, :2], samples.targets[:, 0])
    np.testing.assert_allclose(constants(equation.expression), expected, rtol=1e-9)
    assert equation.freedom == 300 - 2
    assert all(candidate.fitted.count == 300 for pool in discovery.candidates for candidate in pool)
    assert discovery.table().groupby("target")["chosen"].sum().eq(1).all()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_more_than_a_thousand_rows_are_found_exactly():
    discovery = found("lorenz", rows=1500)
    assert errors(discovery, truths("lorenz")).max() < 1e-8
    assert discovery.system.equations[0].freedom == 1500 - 2


def test_the_search_stops_at_the_first_proposer_that_is_exact():
    told: list[str] = []
    samples = samples_of("lotka-volterra")
    discovery = discover(
        samples, operations=["ident", "sin"], progress=lambda rung, report: told.append(rung)
    )
    assert list(dict.fromkeys(told)) == ["polynomials"]
    assert not discovery.sweeps
    assert errors(discovery, truths("lotka-volterra")).max() < 1e-8


def test_progress_tells_of_the_beginning_and_of_every_cycle():
    told = []
    discover(
        samples_of("lotka-volterra"),
        found("lotka-volterra", seed=0).settings,
        progress=lambda rung, report: told.append((rung, getattr(report, "cycle", None))),
    )
    cycles = len(found("lotka-volterra", seed=0).sweeps["given"].history)
    assert told == [("given", None), *(("given", cycle + 1) for cycle in range(cycles))]


def test_a_derivative_that_is_zero_throughout_gives_zero():
    samples = samples_of("lotka-volterra")
    targets = samples.targets.copy()
    targets[:, 1] = 0.0
    discovery = discover(
        Samples(samples.inputs, targets, ("x", "y"), ("x", "y")), found("lotka-volterra", seed=0).settings
    )
    assert discovery.system.equations[0].expression.skeleton == truths("lotka-volterra")[0].skeleton
    np.testing.assert_array_equal(discovery.system.predict(samples.inputs)[:, 1], 0.0)


def test_results_are_numpy_float64_and_the_callers_jax_is_left_alone():
    with jax.enable_x64(False):
        discovery = discover(samples_of("lotka-volterra", seed=5), found("lotka-volterra", seed=0).settings)
        assert jax.numpy.ones(1).dtype == np.float32
    assert errors(discovery, truths("lotka-volterra")).max() < 1e-8
    for sweep in discovery.sweeps.values():
        assert all(
            isinstance(record.w, np.ndarray) and record.w.dtype == np.float64 for record in sweep.history
        )
    assert discovery.system.predict(np.ones((2, 2))).dtype == np.float64


def test_unknown_operation_is_refused_before_any_work():
    with pytest.raises(ConfigError, match="Did you mean 'sin'"):
        discover(samples_of("lotka-volterra"), operations=["sine"])


def test_proposers_are_named_to_discover_as_well():
    class Asking(EquationProposer):
        name = "asking"

        def forms(self, regression, limit=None):
            asked.append(regression)
            return []

    asked: list = []
    told: list[str] = []
    x = np.linspace(0.5, 2.0, 40)[:, None]
    samples = Samples(x, np.exp(0.3 * x), ("x",), ("x",))
    discovery = discover(
        samples,
        operations=["ident", "exp"],
        proposers=["polynomials", Asking()],
        progress=lambda rung, report: told.append(rung),
    )
    assert discovery.settings.proposers == ("polynomials",)
    assert asked
    assert set(told) == {"polynomials", "asking"}
    with pytest.raises(ConfigError, match="no proposer 'nets'"):
        discover(samples, proposers=["nets"])


def test_what_is_no_samples_and_proposers_that_are_none_are_refused():
    x = np.linspace(-1.0, 1.0, 40)[:, None]
    with pytest.raises(DataError, match=r"takes Samples, got ndarray.*Samples\(inputs"):
        discover(x, hidden=(2,))
    with pytest.raises(ConfigError, match=r"proposers is empty.*'networks'"):
        discover(Samples(x, x, ("x",), ("y",)), proposers=[])


def test_a_discovery_is_printed_as_its_equations_and_their_trust():
    x = np.linspace(-1.0, 1.0, 40)[:, None]
    assert str(discover(Samples(x, 2.0 * x, ("x",), ("x",)))) == "x' = 2.0000 x   (exact)"
