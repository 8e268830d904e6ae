"""save and load: the same estimator again, bit by bit, and an ArchiveError for everything else."""

import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import mathonet
from mathonet import (
    ArchiveError,
    Discoverer,
    FieldDiscoverer,
    MathONetRegressor,
    Operation,
    load,
    operations,
    register,
    systems,
)
from mathonet.archive.savable import plain
from mathonet.archive.stored_formula import formula_from
from mathonet.equation.flow import evaluate
from mathonet.search.known import parse_known

TABLES = ("candidates_", "coefficients_", "trust_", "stencil_", "moments_")


def assert_same(left, right) -> None:
    assert type(left) is type(right)
    for name in TABLES:
        assert hasattr(left, name) == hasattr(right, name)
        if hasattr(left, name):
            pd.testing.assert_frame_equal(getattr(left, name), getattr(right, name), check_exact=True)
    assert left.equations(17) == right.equations(17)
    assert plain(left.get_params()) == plain(right.get_params())


@pytest.fixture(scope="module")
def data():
    return systems.get("lotka-volterra").simulate(derivative_noise=0.02)


@pytest.fixture(scope="module")
def model(data) -> Discoverer:
    return Discoverer(["ident", "sin"], hidden=[2], restarts=4, known={"x": "0.1 * x"}).fit(
        data.x, data.t, x_dot=data.x_dot, names=data.names
    )


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory) -> Path:
    return model.save(tmp_path_factory.mktemp("saved") / "run")


def test_everything_comes_back_bit_by_bit(model, data, saved):
    again = load(saved)
    assert_same(model, again)
    np.testing.assert_array_equal(model.predict(data.x), again.predict(data.x))
    np.testing.assert_array_equal(model.simulate(data.x[0], data.t), again.simulate(data.x[0], data.t))
    for kind in ("linearised", "sampled"):
        left, right = (each.band(data.x, kind=kind) for each in (model, again))
        np.testing.assert_array_equal(left.mean, right.mean)
        np.testing.assert_array_equal(left.std, right.std)
    assert model.sympy() == again.sympy()
    for name in data.names:
        pd.testing.assert_frame_equal(model.discovery_.history(name), again.discovery_.history(name))
    assert again.discovery_.versions == model.discovery_.versions
    assert {"python", "mathonet", "jax"} <= set(again.discovery_.versions)
    np.testing.assert_array_equal(again.trajectories_[0].x_dot, data.x_dot)
    assert again.score(data.x, data.t) == model.score(data.x, data.t)


def test_what_was_loaded_can_be_saved_and_fitted_again(model, data, saved, tmp_path):
    again = load(saved)
    assert_same(load(again.save(tmp_path / "twice")), model)
    again.fit(data.x, data.t, x_dot=data.x_dot, names=data.names)
    assert again.equations() == model.equations()


def test_another_process_predicts_the_same(model, data, saved, tmp_path):
    code = (
        "import sys, numpy as np, mathonet\n"
        "model = mathonet.load(sys.argv[1])\n"
        "np.save(sys.argv[2], model.predict(model.trajectories_[0].x))"
    )
    out = tmp_path / "predicted.npy"
    subprocess.run([sys.executable, "-c", code, str(saved), str(out)], check=True, timeout=120)
    np.testing.assert_array_equal(np.load(out), model.predict(data.x))


def test_states_alone_keep_their_smoothing(data, tmp_path):
    t, x = data.t, data.x.copy()
    x[3, 0] = np.nan
    model = Discoverer(["ident"], known={"y": sympy.Symbol("y") * 0.1}).fit(
        x + 0.01 * np.random.default_rng(0).normal(size=x.shape), t, u=np.sin(t), input_names=["push"]
    )
    again = load(model.save(tmp_path / "run"))
    assert_same_states(model, again)


def assert_same_states(model, again) -> None:
    for name in TABLES[:3]:
        pd.testing.assert_frame_equal(getattr(model, name), getattr(again, name), check_exact=True)
    left, right = model.discovery_.measured, again.discovery_.measured
    assert left.describe() == right.describe()
    for name in ("x", "x_dot", "x_dot_std", "inputs", "sigma"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name))
    assert left.known == right.known


X, Y = sympy.symbols("x y")


@pytest.mark.parametrize(
    "known",
    [
        0.1 * sympy.Abs(X),
        sympy.Float(0.1) + 1.0 / 3.0 * X * Y,
        X ** sympy.Rational(3, 2) / 7,
        sympy.exp(-X) + sympy.sin(2) * Y,
        sympy.E * X - sympy.pi,
        -X / (1 + Y**2),
    ],
    ids=str,
)
def test_known_terms_of_sympy_come_back(model, data, tmp_path, known):
    """The report and another fit read them again."""
    own = clone(model).set_params(known={"x": known})._keep(model.discovery_, model.trajectories_)
    again = load(own.save(tmp_path / "run"))
    left, right = (parse_known(each.known, ("x",), ("x", "y"))["x"] for each in (own, again))
    assert left.skeleton == right.skeleton
    np.testing.assert_allclose(evaluate(left, data.x), evaluate(right, data.x), rtol=1e-15)
    assert_same(load(again.save(tmp_path / "twice")), again)


def test_a_report_is_written_with_known_terms_of_sympy(data, tmp_path):
    model = Discoverer(["ident"], hidden=[1], restarts=2, known={"x": sympy.Abs(X)})
    model.fit(data.x, data.t, x_dot=data.x_dot, names=data.names)
    again = load(model.save(tmp_path / "run"))
    assert again.known == {"x": sympy.Abs(X)}
    assert again.report(tmp_path / "report.html").exists()
    assert again.fit(data.x, data.t, x_dot=data.x_dot, names=data.names).equations() == model.equations()


@pytest.mark.parametrize(
    "tree",
    [
        {},
        [],
        {"symbol": 3},
        {"symbol": "x", "more": 1},
        {"number": float("inf")},
        {"ratio": [1, 0]},
        {"call": "__import__", "arguments": [{"symbol": "x"}]},
        {"call": "sin", "arguments": []},
        {"call": "sin", "arguments": [{"symbol": "x"}, {"symbol": "x"}]},
        {"call": "exp", "arguments": [{"number": 1e300}]},
        {"call": "pow", "arguments": [{"ratio": [10, 1]}, {"ratio": [10**9, 1]}]},
        {"call": "pow", "arguments": [{"symbol": "x"}, {"ratio": [10**9, 1]}]},
        {"call": "pow", "arguments": [{"symbol": "x"}, {"symbol": "x"}]},
    ],
)
def test_formulas_of_another_shape_are_refused(tree):
    with pytest.raises(ArchiveError, match="a formula holds"):
        formula_from(tree)


def test_a_field_comes_back(tmp_path):
    field, rate = systems.fisher_kpp(5.0)
    model = FieldDiscoverer(restarts=4).fit(field.values, field.t, [field.x], u_t=rate)
    again = load(model.save(tmp_path / "field"))
    assert_same(model, again)
    np.testing.assert_array_equal(model.predict(field.values), again.predict(field.values))


@pytest.mark.parametrize("named", [True, False])
def test_a_regressor_comes_back(tmp_path, named):
    X = np.random.default_rng(0).normal(size=(60, 3))
    X = pd.DataFrame(X, columns=["a", "b", "c"]) if named else X
    y = np.asarray(X)[:, 0] * np.asarray(X)[:, 1] + 1.0
    model = MathONetRegressor(["ident"], hidden=[1], restarts=2).fit(X, y)
    again = load(model.save(tmp_path / "table"))
    assert_same(model, again)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
    if named:
        with pytest.raises(ValueError, match="feature names"):
            again.predict(X[["b", "a", "c"]])


@pytest.fixture
def without_own(monkeypatch):
    monkeypatch.setattr(operations, "_registered", dict(operations._registered))


def test_operations_of_ones_own_must_be_registered(data, tmp_path, without_own):
    soft = register(Operation("softsign", lambda h: h / (1 + jnp.abs(h)), lambda h: h / (1 + sympy.Abs(h))))
    model = Discoverer(["ident", soft], hidden=[1], restarts=2).fit(data.x, data.t, x_dot=data.x_dot)
    model.save(tmp_path / "run")
    assert load(tmp_path / "run").equations() == model.equations()
    del operations._registered["softsign"]
    with pytest.raises(
        ArchiveError, match=r"your own operation 'softsign', which is not registered.*register"
    ):
        load(tmp_path / "run")
    register(Operation("softsign", lambda h: h / (2 + jnp.abs(h)), lambda h: h / (2 + sympy.Abs(h))))
    with pytest.raises(ArchiveError, match="another function"):
        load(tmp_path / "run")


def test_what_is_not_there_is_told(tmp_path, saved):
    with pytest.raises(ArchiveError, match="There is no folder"):
        load(tmp_path / "nothing")
    with pytest.raises(ArchiveError, match=r"archive\.json is missing"):
        load(tmp_path)
    for name in ("data.npz", "history.npz"):
        copy = tmp_path / name.removesuffix(".npz")
        shutil.copytree(saved, copy)
        (copy / name).unlink()
        with pytest.raises(ArchiveError, match=f"incomplete: .*{name}"):
            load(copy)


def test_reading_moves_nothing(tmp_path, saved, model):
    """A process was killed, or is at work, between the two renames that replace a run."""
    shutil.copytree(saved, tmp_path / ".run-abcdefgh-old")
    assert load(tmp_path / "run").equations() == model.equations()
    assert [each.name for each in tmp_path.iterdir()] == [".run-abcdefgh-old"]


def test_a_run_that_is_replaced_while_it_is_read_is_read_again(tmp_path, saved, model, monkeypatch):
    from mathonet.archive import run as archive

    run, read, calls = Path(shutil.copytree(saved, tmp_path / "run")), archive._arrays, []

    def replaced(place, *others):
        if not calls:
            calls.append(place)
            run.rename(tmp_path / "gone")
            shutil.copytree(saved, run)
            (tmp_path / "gone" / "data.npz").unlink()
            place = tmp_path / "gone" / "data.npz"
        return read(place, *others)

    monkeypatch.setattr(archive, "_arrays", replaced)
    assert load(run).equations() == model.equations()


def test_another_format_is_told(tmp_path, saved):
    copy = Path(shutil.copytree(saved, tmp_path / "run"))
    document = json.loads((copy / "archive.json").read_text())
    (copy / "archive.json").write_text(json.dumps({**document, "format": 2}))
    with pytest.raises(ArchiveError, match=r"format 2, .* reads format 1.*[Uu]pdate"):
        load(copy)


def forged(saved: Path, tmp_path: Path, change) -> Path:
    """An archive whose content was changed by someone who knows how to make the checksum right."""
    from mathonet.archive import run as archive

    copy = Path(shutil.copytree(saved, tmp_path / "forged", dirs_exist_ok=True))
    document = json.loads((copy / "archive.json").read_text())
    change(document["content"])
    document["sha256"] = archive._checksum(archive._canonical(document["content"]))
    (copy / "archive.json").write_text(json.dumps(document))
    return copy


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.update(kind="Exploit"),
        lambda content: content.update(kind=["Discoverer"]),
        lambda content: content.clear(),
        lambda content: content.pop("operations"),
        lambda content: content.update(operations=[1]),
        lambda content: content.update(operations={"sin": 3}),
        lambda content: content.update(operations={"sin": ["a", "b", "c", "d"]}),
        lambda content: content.update(operations={"sin": [10**400] * 4}),
        lambda content: content.update(operations={"sin": [0.0]}),
        lambda content: content.update(parameters={"nonsense": 1}),
        lambda content: content.pop("own"),
        lambda content: content["discovery"]["samples"].update(input_names=["x"]),
        lambda content: content["discovery"]["system"]["equations"][0].update(expression=[]),
        lambda content: content["discovery"]["system"]["equations"][0]["expression"].append("__import__"),
        lambda content: content["discovery"]["pools"][0].update(chosen=10**6),
        lambda content: content["discovery"]["rungs"][0].update(hidden=[0]),
        lambda content: content["discovery"].update(trust=None),
        lambda content: content["discovery"]["settings"].update(operations=["eval"]),
        lambda content: content["own"]["trajectories"].update(count=7),
        lambda content: content["own"]["trajectories"].update(count=0),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(saved, tmp_path, change):
    with pytest.raises(ArchiveError):
        load(forged(saved, tmp_path, change))


@pytest.mark.parametrize("content", [[], [1], None, "text", 3])
def test_content_of_another_shape_is_refused(saved, tmp_path, content):
    from mathonet.archive import run as archive

    copy = Path(shutil.copytree(saved, tmp_path / "forged"))
    document = json.loads((copy / "archive.json").read_text())
    told = archive._checksum(archive._canonical(content))
    (copy / "archive.json").write_text(json.dumps({**document, "content": content, "sha256": told}))
    with pytest.raises(ArchiveError, match="its content is a"):
        load(copy)


def with_arrays(saved: Path, copy: Path, raw: bytes) -> Path:
    """An archive whose arrays were changed by someone who knows how to make the checksum right."""
    from mathonet.archive import run as archive

    shutil.copytree(saved, copy)
    (copy / "data.npz").write_bytes(raw)
    document = json.loads((copy / "archive.json").read_text())
    document["files"]["data.npz"] = archive._checksum(raw)
    (copy / "archive.json").write_text(json.dumps(document))
    return copy


def packed(name: str, content: bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return raw.getvalue()


def array(shape: tuple[int, ...]) -> bytes:
    """The header of an array that does not follow."""
    raw = io.BytesIO()
    np.lib.format.write_array_header_1_0(raw, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return raw.getvalue()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not a zip file"),
        (b"P", "not a zip file"),
        (array((2,)) + bytes(16), "not a zip file"),
        (packed("samples/inputs.npy", b""), "is damaged"),
        (packed("samples/inputs.npy", array((10**15,))), "no memory|is damaged"),
        (packed("../samples.npy", array((0,))), "none of its parts"),
        (packed("surprise/inputs.npy", array((0,))), "none of its parts"),
    ],
)
def test_arrays_that_were_made_to_do_harm_are_refused(saved, tmp_path, raw, message):
    with pytest.raises(ArchiveError, match=message):
        load(with_arrays(saved, tmp_path / "run", raw))


def test_arrays_larger_than_memory_are_refused_before_they_are_unpacked(saved, tmp_path, monkeypatch):
    from mathonet.archive import stored_arrays

    raw = packed("samples/inputs.npy", array((10**6,)) + bytes(8 * 10**6))
    assert len(raw) < 10**5
    monkeypatch.setattr(stored_arrays, "bytes_of_memory", lambda: 10**6)
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("it was unpacked"))
    with pytest.raises(ArchiveError, match=r"its arrays take 8e\+06 bytes, and this machine has 1e\+06"):
        load(with_arrays(saved, tmp_path / "run", raw))


FILES = ("archive.json", "data.npz", "history.npz", "equations.json", "candidates.csv", "config.json")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(FILES),
    place=st.floats(0, 1, exclude_max=True),
    flip=st.integers(1, 255),
    cut=st.booleans(),
)
def test_a_damaged_archive_is_refused_or_the_same(model, data, saved, tmp_path, name, place, flip, cut):
    copy = Path(shutil.copytree(saved, tmp_path / "copy", dirs_exist_ok=True))
    raw = bytearray((saved / name).read_bytes())
    number = int(place * len(raw))
    if cut:
        del raw[number:]
    else:
        raw[number] ^= flip
    (copy / name).write_bytes(raw)
    try:
        again = load(copy)
    except ArchiveError:
        return
    assert_same(model, again)
    np.testing.assert_array_equal(model.predict(data.x), again.predict(data.x))


def test_load_is_a_public_name():
    assert "load" in mathonet.__all__
    assert mathonet.load is load
