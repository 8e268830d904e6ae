"""python -m tests.fuzz: carry out cases, count how they end, shrink and keep those that must not end so."""

import argparse
import itertools
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.layers import LAYERS, jobs
from tests.fuzz.oracle import HANG, OUTCOMES, Outcome
from tests.fuzz.pool import PATIENCE, Job, Trials, carry_out, case_of, one
from tests.fuzz.shrink import MOST, shrink

KEPT = Path(__file__).parent / "kept"
Failures = dict[tuple[str, str, str], list[tuple[Job, Outcome]]]
"""Those of one layer, kind and mark, which have one cause."""


def main() -> int:
    """Fuzz as asked; 1 if a case ended as none may."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument("--seed", type=int, default=0, help="(default: 0)")
    asked.add_argument("--layer", action="append", choices=list(LAYERS), help="(default: all four)")
    asked.add_argument("--cases", type=int, help="how many, over all layers (default: 1000)")
    asked.add_argument("--seconds", type=float, help="go on for this time instead")
    asked.add_argument("--case", type=int, help="carry out this one of a layer, and say what it is")
    asked.add_argument("--processes", type=int, default=2, help="(default: 2)")
    asked.add_argument(
        "--keep",
        nargs="?",
        type=Path,
        const=KEPT,
        metavar="FOLDER",
        help="shrink failures and leave them here (default: tests/fuzz/kept)",
    )
    options = asked.parse_args()
    # Whoever ends this ends its workers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    cache = Path(tempfile.gettempdir()) / f"mathonet-fuzz-cache-{os.getuid()}"
    os.environ.setdefault("XDG_CACHE_HOME", str(cache))
    layers = options.layer or list(LAYERS)
    if options.case is not None:
        return _repeat((layers[0], options.seed, options.case))
    return _fuzz(options, layers)


def _repeat(job: Job) -> int:
    """Show one case and how it ends."""
    case, outcome = case_of(job), one(job)
    _say(f"{case.text()}\n{outcome.kind}: {outcome.words}")
    return int(outcome.failed)


def _fuzz(options: argparse.Namespace, layers: list[str]) -> int:
    began = time.monotonic()
    every = jobs(layers, options.seed)
    if options.seconds is None:
        every = itertools.islice(every, options.cases or 1000)
    else:
        every = _until(every, began + options.seconds)
    counts: Counter[tuple[str, str]] = Counter()
    failures: Failures = {}
    late = []
    for job, outcome in carry_out(every, options.processes):
        if outcome.kind == HANG:
            late.append((job, outcome))
        else:
            _count(job, outcome, counts, failures)
    for job, outcome in late:
        # A machine with other things to do is slow; what hangs does so alone too.
        if (case_of(job).layer, HANG, outcome.mark) not in failures:
            outcome = one(job, patience=2 * PATIENCE)
        _count(job, outcome, counts, failures)
    _say(f"\n{_table(counts, layers)}\n{sum(counts.values())} cases, {time.monotonic() - began:.0f} s")
    for (layer, kind, mark), known in sorted(failures.items(), key=lambda each: -len(each[1])):
        job, outcome = known[0]
        _say(f"\n{len(known)} x {layer} {kind}: {mark}\n  {outcome.words}")
        _say(f"  python -m tests.fuzz --layer {layer} --seed {options.seed} --case {job[2]}")
        if others := [str(other[2]) for other, _ in known[1:9] if not isinstance(other, Case)]:
            _say(f"  and {', '.join(others)}")
        if options.keep is not None:
            _keep(job, outcome, options.keep)
    return int(bool(failures))


def _count(job: Job, outcome: Outcome, counts: Counter[tuple[str, str]], failures: Failures) -> None:
    assert not isinstance(job, Case)
    counts[job[0], outcome.kind] += 1
    if outcome.failed:
        known = failures.setdefault((job[0], outcome.kind, outcome.mark), [])
        known.append((job, outcome))
        if len(known) == 1:
            _say(f"{outcome.kind} {job[0]} {job[2]}: {outcome.words}")


def _until(every: Iterator[Job], end: float) -> Iterator[Job]:
    return itertools.takewhile(lambda _: time.monotonic() < end, every)


def _table(counts: Counter[tuple[str, str]], layers: list[str]) -> str:
    lines = [f"{'':14}" + "".join(f"{kind:>11}" for kind in OUTCOMES)]
    for layer in layers:
        lines.append(f"{layer:14}" + "".join(f"{counts[layer, kind]:11}" for kind in OUTCOMES))
    return "\n".join(lines)


def _keep(job: Job, outcome: Outcome, folder: Path) -> None:
    """Shrink a failure and leave it where the tests find it."""

    trials = Trials()

    def fails(other: Case) -> bool:
        found = trials(other)
        return (found.kind, found.mark) == (outcome.kind, outcome.mark)

    case = case_of(job)
    if not fails(case):
        _say("  passes when it is carried out alone: not kept")
        return
    small = shrink(case, fails, 5 if outcome.kind == HANG else MOST)
    trials.end()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{small.name}.json"
    path.write_text(replace(small, note=f"{small.note}; was {outcome.kind}: {outcome.mark}").text())
    _say(f"  kept as {path}")


def _say(text: str) -> None:
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
