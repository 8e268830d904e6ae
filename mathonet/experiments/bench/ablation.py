"""The ablation benchmark: what each proposer brings, and what half or twice of each quota and threshold does.

Every system that is asked for is searched as usual, then with one proposer left out, and with one number of
`search.effort` halved or doubled. A line of the table says what that changes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.experiments.bench.recovery.run import checked, choose, words
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.search import effort
from mathonet.search.effort import EFFORTS, NORMAL, Effort
from mathonet.search.quotas import Quotas, Restarts

POINTS = 150
SIGMAS = (0.0, 0.02)
USUAL = "normal"
SECONDS = ("LONG", "ALONE")
"""Constants of `search.effort` that say when something is told, or left for later, and choose nothing."""
FACTORS = {"half": 0.5, "twice": 2.0}
COUNTED = ("exact", "generalisation")


@dataclass(frozen=True)
class Variant:
    """An effort in the place of the usual one, and other values of the constants of `search.effort`."""

    effort: Effort = NORMAL
    constants: dict[str, float] = field(default_factory=dict)


def variants() -> dict[str, Variant]:
    """The usual effort, and each way to change it, by name."""
    found = {USUAL: Variant()}
    found |= {f"without {name}": Variant(replace(NORMAL, without=(name,))) for name in effort.PROPOSERS}
    found["without whole blocks"] = _changed(lambda quotas: replace(quotas, blocks=()))
    for word, factor in FACTORS.items():
        found[f"{word} quotas"] = _changed(lambda quotas, factor=factor: quotas.times(factor))
        for name in (each.name for each in fields(Quotas) if isinstance(each.default, int)):
            found[f"{word} {name}"] = _changed(
                lambda quotas, name=name, factor=factor: replace(
                    quotas, **{name: _times(getattr(quotas, name), factor)}
                )
            )
        for name in ("turns", "polynomial_turns"):
            changed = {name: _times(getattr(NORMAL, name), factor)}
            found[f"{word} {name}"] = Variant(replace(NORMAL, **changed))
        networks = NORMAL.networks or Restarts()
        for name in (each.name for each in fields(Restarts)):
            value = getattr(networks, name)
            whole = isinstance(value, int)
            times = _times(value, factor) if whole else tuple(min(share * factor, 1.0) for share in value)
            changed = replace(networks, **{name: times})
            found[f"{word} network {name}"] = Variant(replace(NORMAL, networks=changed))
        for name, value in thresholds().items():
            found[f"{word} {name}"] = Variant(constants={name: _times(value, factor)})
    return found


def thresholds() -> dict[str, float]:
    """The numbers of `search.effort` that choose something, by name."""
    return {
        name: value
        for name, value in vars(effort).items()
        if name.isupper() and name not in SECONDS and isinstance(value, int | float)
    }


def _times(value: float, factor: float) -> float:
    """A number of things stays one, and at least one."""
    return max(int(factor * value), 1) if isinstance(value, int) else factor * value


def _changed(change: Callable[[Quotas], Quotas]) -> Variant:
    """The usual effort with other quotas, for noisy data and for precise ones."""
    return Variant(replace(NORMAL, noisy=change(NORMAL.noisy), precise=change(NORMAL.precise)))


def run(
    folder: str | Path,
    seeds: range,
    say: Say,
    systems: Sequence[str] | None = None,
    sigmas: Sequence[float] | None = None,
    chosen: Sequence[str] | None = None,
    jobs: int = 1,
) -> Path:
    """Make the runs that are not recorded yet, and write `ablation.md` from all that are.

    Args:
        folder: of the records and tables.
        seeds: of the noise.
        say: told of every run.
        systems: of ODEBench, or of our own; None for all of ODEBench.
        sigmas: noises; None for none and 2 %.
        chosen: names of variants, or beginnings of names, such as "without"; None for all.
        jobs: number of processes.

    Raises:
        ConfigError: an unknown system or variant, or no number of processes.
    """
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    checked(None, sigmas, None, False)
    every = [name for name in variants() if not chosen or name.startswith((USUAL, *chosen))]
    if chosen and len(every) == 1:
        raise ConfigError(
            f"No change begins with {' or '.join(map(repr, chosen))}. There are 'without' and the name of a "
            f"proposer ({'; '.join(effort.PROPOSERS)}; whole blocks), 'half' and 'twice' with the name of a "
            "quota or threshold of search/effort.py, as 'half kinds', 'half network starts' or 'twice "
            "HOPELESS', or with 'quotas' for all but those of networks."
        )
    collection = "own" if systems and not all(name.isdigit() for name in systems) else "odebench"
    cases = [
        Case(dynamics, POINTS, sigma)
        for sigma in sigmas or SIGMAS
        for dynamics in choose(collection, systems)
    ]
    Path(folder).mkdir(parents=True, exist_ok=True)
    records = Records(Path(folder), "ablation", every)
    tasks = [Task(name, case, seed) for name in every for seed in seeds for case in cases]
    perform(tasks, records, jobs, say, work, words)
    return write_tables(folder, "ablation", command_line(), {"changes": table(records, tasks)})


def work(task: Task) -> dict:
    """Make one run and return its record."""
    return recorded(task, _answer) | _case(task).measured


def _answer(task: Task) -> dict:
    from mathonet.experiments.bench.recovery.ours import answer

    with applied(variants()[task.method]):
        return answer(_case(task), task.seed)


def _case(task: Task) -> Case:
    assert isinstance(task.case, Case)
    return task.case


@contextmanager
def applied(variant: Variant) -> Iterator[None]:
    """Search with a variant in the place of the usual effort."""
    kept = {name: getattr(effort, name) for name in variant.constants}
    EFFORTS[USUAL] = variant.effort
    _set(variant.constants)
    try:
        yield
    finally:
        EFFORTS[USUAL] = NORMAL
        _set(kept)


def _set(constants: dict[str, float]) -> None:
    for name, value in constants.items():
        setattr(effort, name, value)


def table(records: Records, tasks: Sequence[Task]) -> pd.DataFrame:
    """A line a variant: systems that are found, and how many are won and lost beside the usual effort."""
    rows = []
    for name in dict.fromkeys(task.method for task in tasks):
        row: dict = {"change": name}
        for sigma in dict.fromkeys(_case(task).sigma for task in tasks):
            pairs = [
                (records.found[task.key], records.found[replace(task, method=USUAL).key])
                for task in tasks
                if task.method == name and _case(task).sigma == sigma
            ]
            label = "clean" if sigma == 0 else f"{sigma:.0%}"
            for score in COUNTED:
                own = [(bool(a.get(score)), bool(b.get(score))) for a, b in pairs]
                won, lost = sum(a > b for a, b in own), sum(a < b for a, b in own)
                row[f"{label} {score}"] = f"{sum(a for a, _ in own)} (+{won} -{lost})"
            other = sum(a.get("form") != b.get("form") for a, b in pairs)
            row[f"{label} other"] = other
            row[f"{label} s"] = round(sum(a["seconds"] for a, _ in pairs))
        rows.append(row)
    return pd.DataFrame(rows)
