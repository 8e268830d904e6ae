"""The networks benchmark: parts of their learning are left out one at a time, and set beside the usual."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.errors import ConfigError
from mathonet.experiments.bench import networks as bench
from mathonet.experiments.bench.other_learners import minimise_adam, minimise_together, start_anywhere
from mathonet.experiments.bench.runs import Records, Task
from mathonet.learning.projected import DAMPING_START, Rows, unpenalised
from mathonet.learning.pruning import Numbers, living, prune
from mathonet.network.supergraph import Shape, build
from mathonet.operations import resolve
from mathonet.search.effort import EFFORTS, NETWORK_STEPS, NORMAL, USUAL
from mathonet.search.proposers import networks

OPERATIONS = resolve(["sin", "exp"])
SHAPE = Shape(inputs=1, calls=1, arguments=2, outputs=4)
X = np.linspace(0.2, 3.0, 40)


@pytest.fixture
def wide():
    with jax.enable_x64(True):
        yield


def graph():
    made = build(SHAPE, [0], [[(), (1,)]], [(), (1,), (2,), (1, 2)])
    assert made is not None
    return made


def rows() -> Rows:
    law = 0.4 - 1.2 * X + 0.8 * np.sin(1.7 * X + 0.3)
    parts = (np.stack([np.ones_like(X), X]), np.ones_like(X), law)
    return Rows(*map(jnp.asarray, parts), jnp.asarray(40.0))


@pytest.mark.parametrize(("minimise", "left"), [(minimise_adam, 1e-6), (minimise_together, 1e-16)])
@pytest.mark.usefixtures("wide")
def test_other_map_steps_lead_to_the_same_minimum(minimise, left):
    start, damping = jnp.asarray([[0.25, 1.65]]), jnp.asarray(DAMPING_START)
    penalty = unpenalised(graph(), 1e-15)
    w, there, _ = minimise(graph(), OPERATIONS, start, damping, rows(), penalty, 60)
    assert float(there.rss) < left
    assert np.asarray(w[0]) == pytest.approx([0.3, 1.7], abs=1e-2)


@pytest.mark.usefixtures("wide")
def test_starts_anywhere_are_masked_and_sparse():
    keys = jax.random.split(jax.random.key(0), 500)
    w = np.asarray(jax.vmap(lambda key: start_anywhere(graph(), OPERATIONS, rows().z, key))(keys))
    assert np.mean(w != 0.0) == pytest.approx(0.6, abs=0.06)
    assert np.std(w[w != 0.0]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.usefixtures("wide")
def test_without_the_evidence_every_cut_is_kept():
    """A kappa that cuts too much costs the law where the evidence has no say."""
    numbers = Numbers(1e-3, 0.1, 3.0, 1e-5, 1e-26, 12.0, 40.0, 1.0)
    start = jnp.asarray([[0.25, 1.65]])
    judged, cut = (
        prune(graph(), OPERATIONS, start, rows(), numbers._replace(evidence=evidence))
        for evidence in (1.0, 0.0)
    )
    assert float(judged.rss) < 1e-16
    assert float(cut.rss) > 1e-3
    assert float(living(cut.graph).sum()) < float(living(judged.graph).sum())


def test_a_variant_is_applied_and_taken_back():
    before = dict(networks.LEARNING)
    with bench.applied(bench.VARIANTS["no groups"]):
        assert before | {"groups": 0.0} == networks.LEARNING
    with bench.applied(bench.VARIANTS["first-order"]):
        assert networks.LEARNER.minimise is minimise_adam
    with bench.applied(bench.VARIANTS["no halving"]):
        changed = EFFORTS["normal"].networks
        assert changed is not None
        assert len(set(changed.each(50))) == 1
    assert before == networks.LEARNING
    assert EFFORTS["normal"] is NORMAL


def test_equations_won_and_lost_are_counted_beside_the_usual(tmp_path):
    def record(method: str, right: list[bool], trust: str) -> dict:
        task = Task(method, "a", 0)
        told = {"answered": [True] * len(right), "trust": [trust] * len(right), "seconds": 2.0}
        return (
            dict(zip(("method", "case", "seed", "definition"), task.key, strict=True))
            | told
            | {"right": right}
        )

    records = Records(tmp_path, "networks", [])
    records.add(record(bench.AS_THEY_ARE, [True, False, True], "good"))
    records.add(record("no groups", [False, True, True], "exact"))
    tasks = [Task(name, "a", 0) for name in (bench.AS_THEY_ARE, "no groups")]
    usual, changed = bench.table(records, tasks).to_dict("records")
    assert (usual["true form"], usual["won"], usual["lost"]) == (2, 0, 0)
    assert (changed["true form"], changed["won"], changed["lost"]) == (2, 1, 1)
    assert (usual["called exact, wrong"], changed["called exact, wrong"]) == (0, 1)


def test_a_run_is_recorded_and_tabled(tmp_path):
    path = bench.run(tmp_path, range(1), lambda _: None, ["2"], ["no groups"])
    lines = path.read_text().splitlines()
    assert any(line.startswith("| as they are | nothing | 1 | 1 | 0 | 0 | 0 |") for line in lines)
    assert any(line.startswith("| no groups |") for line in lines)
    assert not any("first-order" in line for line in lines)


def test_what_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"no change of learning\. There are as they are, first-order"):
        bench.run(tmp_path, range(1), lambda _: None, ["2"], ["nonsense"])
    with pytest.raises(ConfigError, match="--jobs"):
        bench.run(tmp_path, range(1), lambda _: None, jobs=0)
    with pytest.raises(ConfigError, match="'nonsense' is no system"):
        bench.run(tmp_path, range(1), lambda _: None, ["nonsense"])


def test_without_halving_a_round_takes_as_many_steps():
    for graphs in (3, 20, 200, 1000):
        steps = [
            sum(count * each for count, each in zip(quotas.each(graphs)[1:], NETWORK_STEPS, strict=True))
            for quotas in (USUAL, bench.ALL_FINISHED)
        ]
        assert 0.8 < steps[1] / steps[0] < 1.25
