"""The library: every row means what it says, and its families are the functions that they give back."""

import jax.numpy as jnp
import numpy as np
import pytest
import sympy

from mathonet import operations
from mathonet.equation.expression import Call, Expression
from mathonet.equation.flow import evaluate
from mathonet.operations import Operation, resolve
from mathonet.search.library import ANY, CONSTANTS, Family, Kind, Library, kinds, needed, one_sign

RNG = np.random.default_rng(7)
SHARES = RNG.uniform(0.15, 0.85, (30, 2))
"""Positive inputs below one, for which every kind has a family."""
SIGNED = RNG.uniform(-2.0, 2.5, (40, 2))
EVERY = ["ident", "sin", "cos", "tan", "exp", "log", "inv", "sqrt", "tanh", "abs"]


def families(rows: np.ndarray, names: list[str] | None = None, precise: bool = True, units=None):
    units = np.ones(rows.shape[1]) if units is None else units
    return list(Library(rows, resolve(names or EVERY), units, precise).families())


def called(form: Expression) -> set[str]:
    return {call.operation.name for call in form.calls()}


def some_points(family: Family) -> list[int]:
    """The first and the last point of a grid, and two between."""
    return sorted({0, len(family.grid) // 3, 2 * len(family.grid) // 3, len(family.grid) - 1})


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.form)
def test_a_row_says_why_it_is_there_and_has_a_grid_for_each_of_its_constants(kind: Kind):
    assert len(kind.why) > 5
    assert kind.inputs >= 1
    assert kind.times >= 0
    # `uses` parses the formula.
    assert set(kind.grid) == {name for name in CONSTANTS if kind.uses(name)}
    for values in kind.grid.values():
        assert len(values) == len(set(values)) > 0
        assert all(np.isfinite(values))


def test_no_row_is_there_twice():
    forms = [(kind.form, tuple(kind.grid.items())) for kind in kinds()]
    assert len(set(forms)) == len(forms)


def test_every_row_has_a_family_somewhere():
    found = {family.kind.form for rows in (SHARES, SIGNED) for family in families(rows)}
    own = {kind.form for kind in kinds() if f"{ANY}(" in kind.form}
    assert found | own == {kind.form for kind in kinds()}


@pytest.mark.parametrize("rows", [SHARES, SIGNED], ids=["shares", "both signs"])
@pytest.mark.parametrize("units", [1.0, 0.3])
def test_a_family_has_the_values_of_the_expressions_that_it_gives_back(rows, units):
    for family in families(rows, units=np.full(2, units)):
        stacked = (family.values, *family.beside)
        for point in some_points(family):
            forms = family.calls(point)
            assert len(forms) == len(stacked)
            for form, values in zip(forms, stacked, strict=True):
                wanted = evaluate(form, rows)
                close = 1e-9 * max(np.abs(wanted).max(), 1e-300)
                np.testing.assert_allclose(
                    values[point], wanted, rtol=1e-9, atol=close, err_msg=family.kind.form
                )


def _arguments(form: Expression):
    """What is divided by, and what logarithms and roots are taken of."""
    for term in form.terms:
        for factor, power in term.factors:
            if isinstance(factor, Call):
                yield from _arguments(factor.argument)
                if factor.operation.name in ("log", "sqrt", "inv"):
                    yield factor.argument
            if power < 0:
                yield Expression((type(term)(1.0, ((factor, 1),)),))


def test_nothing_passes_through_a_singularity():
    for family in families(SIGNED):
        assert np.isfinite(family.values).all()
        for point in some_points(family):
            for form in family.calls(point):
                for argument in _arguments(form):
                    assert one_sign(evaluate(argument, SIGNED)), family.kind.form


def test_sizes_are_taken_of_what_changes_sign():
    """The size of a positive argument is that argument: no call at all."""
    assert not [family for family in families(SHARES) if family.kind.form == "abs(x)"]
    found = [family for family in families(SIGNED) if "abs" in family.kind.form]
    assert found
    for family in found:
        for point in range(len(family.grid)):
            for call in family.calls(point)[0].calls():
                assert not one_sign(evaluate(call.argument, SIGNED))


@pytest.mark.parametrize(
    "names", [["sin"], ["sin", "cos"], ["inv"], ["exp"], ["sqrt"], ["sqrt", "inv"], ["exp", "log"], ["tanh"]]
)
def test_operations_that_were_not_asked_for_do_not_occur(names):
    found = families(SHARES, ["ident", *names])
    assert found
    used: set[str] = set()
    for family in found:
        for form in family.calls(0):
            used |= needed(form)
    assert used == set(names)


def test_without_operations_there_is_nothing():
    assert families(SHARES, ["ident"]) == []


def test_noise_never_meets_kinds_for_precise_data():
    assert not any(family.kind.precise for family in families(SHARES, precise=False))
    assert any(family.kind.precise for family in families(SHARES))


@pytest.mark.parametrize("inputs", [1, 2, 3, 5, 8, 9, 12])
def test_the_library_stays_small(inputs):
    """Of many inputs only the kinds that are meant for so many are looked at."""
    rows = 1.0 + np.random.default_rng(inputs).random((20, inputs))
    found = families(rows, precise=False)
    assert all(family.kind.inputs >= inputs for family in found)
    assert sum(len(family.grid) for family in found) < 12_000


def test_constants_stand_in_their_places():
    (family,) = [each for each in families(SHARES[:, :1]) if each.kind.form == "tanh(a*x + b)"]
    size = np.sqrt(np.mean(SHARES[:, 0] ** 2))
    for point, (a, b, _) in enumerate(family.grid):
        np.testing.assert_allclose(family.values[point], np.tanh(a * SHARES[:, 0] / size + b), rtol=1e-12)


def test_angles_are_in_the_datas_own_units():
    (family,) = [
        each for each in families(SIGNED[:, :1], units=np.array([3.0])) if each.kind.form == "sin(a*X)"
    ]
    for point, (a, *_) in enumerate(family.grid):
        np.testing.assert_allclose(
            family.values[point], np.sin(3.0 * a * SIGNED[:, 0]), rtol=1e-9, atol=1e-12
        )


def test_the_users_own_operation_takes_the_place_of_any(monkeypatch):
    monkeypatch.setattr(operations, "_registered", dict(operations._registered))
    operations.register(Operation("slow_cos", lambda h: jnp.cos(h / 2), lambda h: sympy.cos(h / 2)))
    found = families(SIGNED, ["ident", "sin", "slow_cos"])
    mine = [family for family in found if "slow_cos" in called(family.calls(0)[0])]
    assert {family.kind.form for family in mine} == {kind.form for kind in kinds() if f"{ANY}(" in kind.form}
    for family in mine:
        assert called(family.calls(0)[0]) == {"slow_cos"}
        argument = next(iter(family.calls(0)[0].calls())).argument
        values = evaluate(argument, SIGNED)
        np.testing.assert_allclose(family.values[0], np.cos(values / 2), rtol=1e-9, atol=1e-12)
    others = [family for family in found if family not in mine]
    assert {name for family in others for name in called(family.calls(0)[0])} == {"sin"}
