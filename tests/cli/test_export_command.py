"""mathonet export: the equations of a run's folder as source code, or one line that says what to correct."""

import runpy
import subprocess
import sys

import numpy as np
import pytest

from mathonet import Discoverer, cli
from mathonet.archive.run import write_run

TIMES = np.linspace(0, 2, 60)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    x = np.column_stack([np.exp(-TIMES), np.cos(3 * TIMES)])
    slopes = np.column_stack([-x[:, 0], 3 * x[:, 0] * x[:, 1] - 2 * x[:, 1]])
    model = Discoverer(operations=["ident"], hidden=[1], restarts=4, cycles=6)
    model.fit(x, TIMES, slopes, names=["dose (mg)", "lambda"])
    folder = tmp_path_factory.mktemp("runs") / "run"
    write_run(model.saved(), folder)
    return model, x, folder


def test_code_goes_to_standard_output_or_a_file(saved, tmp_path, capsys):
    model, x, folder = saved
    assert cli.main(["export", str(folder), "--to", "numpy"]) == 0
    printed = capsys.readouterr().out
    assert printed == model.export("numpy")
    assert cli.main(["export", str(folder), "--to", "numpy", "--out", str(tmp_path / "f.py")]) == 0
    assert (tmp_path / "f.py").read_text() == printed
    f = runpy.run_path(str(tmp_path / "f.py"))["f"]
    np.testing.assert_allclose(f(0.0, x), model.predict(x), rtol=1e-12, atol=1e-12)


def test_mistakes_are_told_in_a_line(saved, tmp_path, capsys):
    _, _, folder = saved
    assert cli.main(["export", str(tmp_path), "--to", "c"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert cli.main(["export", str(folder), "--to", "c", "--out", str(tmp_path / "no" / "f.c")]) == 2
    assert "could not be written" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        cli.main(["export", str(folder), "--to", "fortran"])


def test_help_does_not_load_the_numerical_stack():
    code = (
        "import sys; from mathonet import cli\n"
        "try: cli.main(['export', '--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'jax', 'numpy', 'sympy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0
