"""The networks benchmark: what each part of their learning is worth.

Networks alone on exact derivatives of systems with calls: as they are, and with one part of their learning
left out, or with another in its place.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.other_learners import minimise_adam, minimise_together, start_anywhere
from mathonet.experiments.bench.recovery.cases import Case, Dynamics
from mathonet.experiments.bench.recovery.methods import OURS
from mathonet.experiments.bench.recovery.run import choose
from mathonet.experiments.bench.recovery.summary import called_exact_wrong
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.learning.restarts import Learner
from mathonet.search.effort import EFFORTS, NETWORK_STEPS, NORMAL, USUAL
from mathonet.search.proposers import networks
from mathonet.search.quotas import Restarts

POINTS = 150
AS_THEY_ARE = "as they are"
TAKEN = sum(share * steps for share, steps in zip(USUAL.kept, NETWORK_STEPS, strict=True)) / sum(
    NETWORK_STEPS
)
"""Share of all steps of all starts that halving takes."""
ALL_FINISHED = replace(
    USUAL, drawn=round(TAKEN * USUAL.drawn), starts=round(TAKEN * USUAL.starts), kept=(1.0, 1.0, 1.0)
)
"""No start ends early: so few are drawn that a round takes as many steps as with halving."""


@dataclass(frozen=True)
class Variant:
    """Parts of learning in the place of the usual ones.

    Attributes:
        change: in words, for the table.
        learner: how restarts begin, and the map step.
        numbers: of sparse group Bayesian learning, those that are others.
        quotas: how many restarts.
    """

    change: str
    learner: Learner = field(default_factory=Learner)
    numbers: dict[str, float] = field(default_factory=dict)
    quotas: Restarts = USUAL


VARIANTS = {
    AS_THEY_ARE: Variant("nothing"),
    "first-order": Variant("Adam, ten times as many steps", Learner(minimise=minimise_adam)),
    "all weights": Variant(
        "Levenberg-Marquardt in all weights; the output solved for between blocks of steps alone",
        Learner(minimise=minimise_together),
    ),
    "no groups": Variant("no penalty on groups, no group is pruned", numbers={"groups": 0.0}),
    "no evidence": Variant("what alpha and size cut stays cut", numbers={"evidence": 0.0}),
    "no halving": Variant("fewer starts, all of them to the end, in as many steps", quotas=ALL_FINISHED),
    "starts anywhere": Variant("weights of deviation 2, whatever the data", Learner(start=start_anywhere)),
}
"""By name."""


def run(
    folder: str | Path,
    seeds: range,
    say: Say,
    systems: Sequence[str] | None = None,
    chosen: Sequence[str] | None = None,
    jobs: int = 1,
) -> Path:
    """Make the runs that are not recorded yet, and write `networks.md` from all that are.

    Args:
        folder: of the records and tables.
        seeds: of the starts.
        say: told of every run.
        systems: nested ones by name, ODEBench's by number; None for all nested ones to tune on.
        chosen: names of variants beside the usual; None for all.
        jobs: number of processes.

    Raises:
        ConfigError: an unknown system or variant, or no number of processes.
    """
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    unknown = [name for name in chosen or () if name not in VARIANTS]
    if unknown:
        raise ConfigError(f"{unknown[0]!r} is no change of learning. There are {', '.join(VARIANTS)}.")
    names = [name for name in VARIANTS if not chosen or name in (AS_THEY_ARE, *chosen)]
    cases = [Case(each, POINTS, derivatives=True) for each in _systems(systems)]
    Path(folder).mkdir(parents=True, exist_ok=True)
    records = Records(Path(folder), "networks", names)
    tasks = [Task(name, case, seed) for name in names for seed in seeds for case in cases]
    perform(tasks, records, jobs, say, work, words)
    return write_tables(folder, "networks", command_line(), {"learning": table(records, tasks)})


def _systems(wanted: Sequence[str] | None) -> list[Dynamics]:
    numbers = [name for name in wanted or () if name.isdigit()]
    others = [name for name in wanted or () if not name.isdigit()]
    nested = choose("nested", others) if others or not numbers else []
    return nested + (choose("odebench", numbers) if numbers else [])


def work(task: Task) -> dict:
    """Make one run and return its record."""
    return recorded(task, _answer)


def _answer(task: Task) -> dict:
    from mathonet.experiments.bench.recovery.ours import answer

    assert isinstance(task.case, Case)
    with applied(VARIANTS[task.method]):
        return answer(task.case, task.seed, OURS["networks"])


@contextmanager
def applied(variant: Variant) -> Iterator[None]:
    """Learn as a variant does."""
    learner, numbers = networks.LEARNER, dict(networks.LEARNING)
    networks.LEARNER = variant.learner
    networks.LEARNING.update(variant.numbers)
    EFFORTS["normal"] = replace(NORMAL, networks=variant.quotas)
    try:
        yield
    finally:
        networks.LEARNER, EFFORTS["normal"] = learner, NORMAL
        networks.LEARNING.update(numbers)


def words(record: dict) -> str:
    """A record in a line."""
    right = record.get("right", [])
    result = record.get("failed") or f"{sum(right)} of {len(right)} equations"
    return f"{record['case']} seed {record['seed']} {record['method']}: {result}, {record['seconds']:.1f} s"


def table(records: Records, tasks: Sequence[Task]) -> pd.DataFrame:
    """A line a variant: equations with the true form, won and lost beside the usual, and seconds."""
    rows = []
    for name in dict.fromkeys(task.method for task in tasks):
        mine = [task for task in tasks if task.method == name]
        found = [records.found[task.key] for task in mine]
        usual = [records.found[replace(task, method=AS_THEY_ARE).key] for task in mine]
        pairs = [pair for a, b in zip(found, usual, strict=True) for pair in _paired(a, b)]
        rows.append(
            {
                "learning": name,
                "change": VARIANTS[name].change,
                "equations": len(pairs),
                "true form": sum(own for own, _ in pairs),
                "won": sum(own and not other for own, other in pairs),
                "lost": sum(other and not own for own, other in pairs),
                "called exact, wrong": sum(called_exact_wrong(each) or 0 for each in found),
                "seconds (median a system)": median(each["seconds"] for each in found),
                "seconds (all)": sum(each["seconds"] for each in found),
            }
        )
    return pd.DataFrame(rows)


def _paired(own: dict, other: dict) -> list[tuple[bool, bool]]:
    """Of every equation whether each has its true form; a run that failed has none."""
    a, b = own.get("right", []), other.get("right", [])
    count = max(len(a), len(b))
    return [(k < len(a) and bool(a[k]), k < len(b) and bool(b[k])) for k in range(count)]
