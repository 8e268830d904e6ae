"""Settings: what a reader needs to repeat a run."""

from typing import Any

from mathonet.report.page.subject import Subject, several
from mathonet.result.discovery import Discovery


def settings(subject: Subject) -> list[tuple[str, str]]:
    """What was asked for and what it came to."""
    discovery, asked = subject.discovery, subject.estimator.get_params(deep=False)
    own = discovery.settings
    rows = [
        ("operations", ", ".join(operation.name for operation in own.resolved())),
        ("network", _network(discovery)),
        ("choice", "the one score" if own.selection == "score" else "validation error, as in the paper"),
    ]
    if runs := sum(len(sweep.target) for sweep in discovery.sweeps.values()):
        rows += [
            ("runs", several(runs, "run")),
            ("first lambdas", ", ".join(f"{value:g}" for value in own.lambdas)),
            ("most cycles", str(own.cycles)),
            ("map step", own.learning.map_step),
        ]
    rows.append(("seed", str(own.seed)))
    told = {"operations", "hidden", "seed", "lambdas", "selection", "map_step"}
    if discovery.measured is None:
        told |= {"order", "smoothing"}
    for name, value in asked.items():
        if value not in (None, False, "default") and name not in told:
            rows.append((name, _shown(value)))
    rows.append(("time taken", f"{discovery.seconds:.1f} s"))
    return [(name, value) for name, value in rows if value]


def _network(discovery: Discovery) -> str:
    """The one that was asked for, or those that an earlier version went through; else none is named."""
    hidden = discovery.settings.hidden
    return ", ".join(discovery.sweeps) if hidden is None else f"hidden layers {list(hidden)}"


def _shown(value: Any) -> str:
    return (
        ", ".join(f"{key}: {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
    )
