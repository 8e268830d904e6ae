"""Methods of the recovery benchmarks: which run, what they ask, and what the tables say of them."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import cumulative_simpson
from scipy.ndimage import gaussian_filter1d

from mathonet import cli
from mathonet.cli import commands
from mathonet.cli.arguments import RECOVERY_METHODS
from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.errors import ConfigError
from mathonet.estimators.discoverer import Discoverer
from mathonet.experiments.bench.recovery import ours as recovery_ours
from mathonet.experiments.bench.recovery import run as recovery
from mathonet.experiments.bench.recovery.cases import Case, Dynamics
from mathonet.experiments.bench.recovery.known_systems import nested, odebench
from mathonet.experiments.bench.recovery.methods import METHODS, OURS
from mathonet.experiments.bench.recovery.run import tables
from mathonet.experiments.bench.runs import Records, Task

ODEBENCH, NESTED = odebench(), nested()


def made(task, **more):
    method, name, seed, digest = task.key
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": "abc"}
    record |= task.case.measured | {"exact": True, "errors": [0.01], "seconds": 2.0, "trust": ["good"]}
    return record | {"equations": ["x0' = 1.0000 x0"]} | more


def asked(monkeypatch, tmp_path, *arguments):
    """The methods of the runs that a command makes."""
    calls = []
    monkeypatch.setattr(recovery, "work", lambda task: calls.append(task.method) or made(task))
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    monkeypatch.setattr(recovery.importlib.util, "find_spec", lambda name: name)
    few = ["--seeds", "1", "--grids", "150", "--sigmas", "0", "--rhos", "0", "--out", str(tmp_path)]
    assert cli.main(["bench", *arguments, *few]) == 0
    return calls


@pytest.mark.parametrize("benchmark", ["odebench", "nested"])
def test_methods_are_those_that_are_asked_for(benchmark, tmp_path, monkeypatch, capsys):
    system = ["--systems", {"odebench": ODEBENCH, "nested": NESTED}[benchmark][0].name]
    for arguments, methods in [
        ([], ["ours", "pysindy"]),
        (["--no-peers"], ["ours"]),
        (["--methods", "networks", "blocks"], ["blocks", "networks"]),
        (["--methods", "blocks", "ours", "--no-peers"], ["ours", "blocks"]),
    ]:
        folder = tmp_path / "-".join(["folder", *arguments])
        assert asked(monkeypatch, folder, benchmark, *system, *arguments) == methods
        summary = pd.read_csv(folder / f"{benchmark}-summary.csv", comment="#")
        assert summary["method"].tolist() == methods
        assert {path.name for path in folder.glob("*.jsonl")} == {f"{benchmark}-{m}.jsonl" for m in methods}
    capsys.readouterr()
    with pytest.raises(SystemExit):
        cli.main(["bench", benchmark, "--methods", "guesses"])
    assert "invalid choice: 'guesses'" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="'guesses' is no method of ours"):
        recovery.run(benchmark, tmp_path, range(1), pytest.fail, methods=["guesses"])


def test_the_command_line_knows_every_method_of_ours():
    assert tuple(OURS) == RECOVERY_METHODS


def test_methods_are_compared_each_with_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(recovery, "work", made)
    (old := tmp_path / "old").mkdir()
    (new := tmp_path / "new").mkdir()

    def run(folder, **more):
        return recovery.run(
            "odebench", folder, range(1), lambda text: None, ["2"], [150], [0.0], [0.0], peers=False, **more
        )

    run(old, methods=["ours", "blocks"])
    path = run(new, against=old, methods=["blocks", "ours"])
    compared = pd.read_csv(path.parent / "odebench-paired-paired.csv", comment="#")
    assert compared["method"].tolist() == ["blocks", "ours"]
    with pytest.raises(ConfigError, match="has no record of any run"):
        run(new, against=old, methods=["networks"])


def test_a_method_asks_its_proposers(monkeypatch):
    options = []

    class AskedError(RuntimeError):
        pass

    class Named:
        def __init__(self, **given):
            options.append(given)

        def fit(self, *data, **named):
            raise AskedError

    monkeypatch.setattr(recovery_ours, "Discoverer", Named)
    for method in OURS:
        record = recovery.work(Task(method, Case(ODEBENCH[0], 150), 3))
        assert (record["method"], record["failed"]) == (method, "AskedError: ")
    blocks = ["polynomials", "elimination on the path", "stepwise", "sums with calls"]
    assert options == [
        {"seed": 3},
        {"seed": 3, "proposers": blocks},
        {"seed": 3, "proposers": ["networks"]},
    ]


def test_a_run_of_ours_has_the_key_that_it_had():
    """Records of 0.3 still count: that of system 2, clean, 150 points."""
    case = Case(ODEBENCH[1], 150)
    assert Task("ours", case, 0).key == ("ours", "2", 0, 3000531886)


def test_equations_are_counted_and_those_that_are_wrongly_called_exact(tmp_path):
    records = Records(tmp_path, "odebench", METHODS)
    case = Case(ODEBENCH[23], 150)
    records.add(made(Task("blocks", case, 0), right=[True, True], trust=["exact", "exact"]))
    records.add(made(Task("blocks", case, 1), right=[True, False], trust=["good", "exact"]))
    # The equation of one state was not found: its level is that of the other.
    one = {"right": [False, True], "trust": ["exact"], "answered": [False, True]}
    records.add(made(Task("blocks", case, 2), exact=False, **one))
    failed = {"failed": "ValueError: no such thing", "equations": [], "errors": []}
    records.add(made(Task("blocks", case, 3), exact=False, **failed))
    records.add(made(Task("networks", case, 0), right=[True, False], trust=["exact"]))
    # Earlier records do not tell which equations are right.
    records.add(made(Task("ours", case, 0)))
    records.add(made(Task("ours", case, 1), right=[True, True], trust=["exact", "exact"]))
    parts = {title.split(":")[0]: table for title, table in tables(ODEBENCH, records).items()}
    lines = parts["summary"].set_index("method")
    assert lines.loc["blocks", ["exact_equations", "called_exact_wrong"]].tolist() == [1.0, 1.0]
    assert lines.loc["networks", "exact_equations"] == 1.0
    missing = [
        ("networks", "called_exact_wrong"),
        ("ours", "called_exact_wrong"),
        ("ours", "exact_equations"),
    ]
    assert all(np.isnan(lines.loc[place]) for place in missing)
    (line,) = parts["150-0-0"].to_dict("records")
    assert (line["exact"], line["blocks exact"], line["networks exact"]) == ("2 of 2", "2 of 4", "1 of 1")
    assert (line["trust"], line["blocks trust"], line["networks tied"]) == ("good", "exact exact", 0)


def test_a_form_of_some_states_driven_by_the_others_is_one_of_all():
    form = from_text("0.3*y*x^2 - z", ("y", "z", "x"))
    found = recovery_ours._in_terms_of(("x", "y", "z"), form, ("y", "z", "x"))
    assert found == from_text("0.3*y*x^2 - z", ("x", "y", "z"))
    assert recovery_ours._in_terms_of(("y", "z", "x"), form, ("y", "z", "x")) is form


class Wandering(Case):
    """A velocity that follows nothing, and the position that it makes."""

    def data(self, seed):
        rng = np.random.default_rng(seed)
        t = np.linspace(0.0, 20.0, 4001)
        velocity = gaussian_filter1d(rng.standard_normal(len(t)), 300)
        velocity /= velocity.std()
        x = np.column_stack([velocity, cumulative_simpson(velocity, x=t, initial=0)])[::20]
        return Trajectory(t[::20], x + 0.01 * x.std(axis=0) * rng.standard_normal(x.shape), names=self.names)


@pytest.mark.slow
def test_an_equation_beside_a_state_without_one_is_scored_as_what_it_says(monkeypatch):
    monkeypatch.setattr(recovery_ours, "Discoverer", partial(Discoverer, operations=["ident"]))
    starts = ((1.0, 0.0), (2.0, 0.5))
    case = Wandering(Dynamics("wandering", ("v", "p"), ("-0.3*v", "v"), starts, 20.0), 200)
    record = recovery.work(Task("ours", case, 0))
    assert record["answered"] == [False, True]
    assert record["right"] == [False, True]
    assert record["equations"][0].startswith("p' = ")
