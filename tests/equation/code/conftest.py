"""Systems to export, and the exported code run in its own language."""

import ctypes
import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np
import pytest

from mathonet.equation.code.export import export
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.expression import Expression


def make_system(expressions: list[Expression], names: list[str], input_names: list[str]) -> EquationSystem:
    inputs = (*names, *input_names)
    made = (
        Equation(name, inputs, expression, np.zeros((0, 0)), 1.0, 1.0)
        for name, expression in zip(names, expressions, strict=True)
    )
    return EquationSystem(tuple(made), tuple(input_names))


def python_rows(system: EquationSystem, folder: Path, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
    f = _loaded(system, "python", folder)["f"]
    drive = [None] * len(x) if u is None else u.tolist()
    return np.array([f(0.0, row, v) for row, v in zip(x.tolist(), drive, strict=True)])


def numpy_rows(system: EquationSystem, folder: Path, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
    return _loaded(system, "numpy", folder)["f"](0.0, x, u)


def jax_rows(system: EquationSystem, folder: Path, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
    # Not compiled: a hundred compilations would say nothing more. One test compiles.
    return np.array(_loaded(system, "jax", folder)["f"](0.0, x, u))


def c_rows(system: EquationSystem, folder: Path, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    count = len(list(folder.glob("*.so")))
    file, library = folder / f"f{count}.c", folder / f"f{count}.so"
    export(system, "c", file)
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-ffp-contract=off"]
    subprocess.run(
        [compiler, *flags, "-shared", "-fPIC", str(file), "-o", str(library), "-lm"],
        check=True,
        capture_output=True,
        text=True,
    )
    f = ctypes.CDLL(str(library)).f
    pointer = ctypes.POINTER(ctypes.c_double)
    f.argtypes, f.restype = [ctypes.c_double, pointer, pointer, pointer], None
    found = np.full((len(x), len(system.names)), -77.0)
    for row, state in enumerate(np.ascontiguousarray(x)):
        drive = None if u is None else np.ascontiguousarray(u[row]).ctypes.data_as(pointer)
        f(0.0, state.ctypes.data_as(pointer), drive, found[row].ctypes.data_as(pointer))
    return found


def octave_rows(system: EquationSystem, folder: Path, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
    octave = shutil.which("octave-cli")
    if octave is None:
        pytest.skip("no Octave")
    export(system, "matlab", folder / "f.m")
    np.savetxt(folder / "x.txt", x.T, "%.17g")
    np.savetxt(folder / "u.txt", np.zeros((1, len(x))) if u is None else u.T, "%.17g")
    script = "x = load('x.txt'); u = load('u.txt'); y = f(0, x, u); printf('%.17g\\n', y);"
    ran = subprocess.run(
        [octave, "--no-gui", "--norc", "--eval", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return np.array([float(line) for line in ran.stdout.split()]).reshape(len(x), len(system.names))


def _loaded(system: EquationSystem, language: str, folder: Path) -> dict:
    file = folder / f"{language}.py"
    export(system, language, file)
    return runpy.run_path(str(file))


Rows = Callable[[EquationSystem, Path, np.ndarray, np.ndarray | None], np.ndarray]
RUNNERS: dict[str, Rows] = {
    "python": python_rows,
    "numpy": numpy_rows,
    "jax": jax_rows,
    "c": c_rows,
    "matlab": octave_rows,
}


@pytest.fixture(scope="session", params=RUNNERS)
def rows_of(request) -> Rows:
    """The derivatives that exported code gives, one language after the other."""
    return RUNNERS[request.param]


@pytest.fixture(scope="session")
def make():
    return make_system


@pytest.fixture(scope="session")
def load_python():
    return _loaded


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield
