"""Paired comparison: the same runs before and after a change, one by one."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.runs import Records

GROUPED = ("method", "grid", "sigma", "rho", "derivatives")
"""What the runs of one line have in common."""


def paired(before: Path, now: Records, methods: tuple[str, ...]) -> dict[str, pd.DataFrame]:
    """Tables of the runs that are recorded both in a folder and now: the sums, and those that differ.

    Raises:
        ConfigError: the folder has no record of any of these runs.
    """
    old = Records(before, now.benchmark, methods).found
    pairs = [(old[key], record) for key, record in now.found.items() if key in old]
    if not pairs:
        raise ConfigError(f"{str(before)!r} has no record of any of these runs: give their folder of --out.")
    groups: dict[tuple, list[tuple[dict, dict]]] = {}
    for pair in pairs:
        groups.setdefault(tuple(pair[1].get(key) for key in GROUPED), []).append(pair)
    sums = [dict(zip(GROUPED, key, strict=True)) | _summed(group) for key, group in sorted(groups.items())]
    differing = pd.DataFrame(_lines(pairs))
    return {"paired: before and now": pd.DataFrame(sums), "changed: runs with other equations": differing}


def _summed(pairs: list[tuple[dict, dict]]) -> dict:
    def count(name: str) -> str:
        return f"{sum(bool(a.get(name)) for a, _ in pairs)} -> {sum(bool(b.get(name)) for _, b in pairs)}"

    def ledger(record: dict) -> str | None:
        return record.get("ledger", {}).get("digest")

    known = [(a, b) for a, b in pairs if ledger(a) and ledger(b)]
    before, now = (np.array([pair[n]["seconds"] for pair in pairs]) for n in (0, 1))
    return {
        "runs": len(pairs),
        "same equations": sum(_form(a) == _form(b) for a, b in pairs),
        "same ledger": f"{sum(ledger(a) == ledger(b) for a, b in known)} of {len(known)}",
        **{name: count(name) for name in ("exact", "same_function", "reconstruction", "generalisation")},
        "median s": f"{np.median(before):.2f} -> {np.median(now):.2f}",
        "worst s": f"{before.max():.1f} -> {now.max():.1f}",
        "sum s": f"{before.sum():.0f} -> {now.sum():.0f}",
        "ratio (median)": float(np.median(now / np.maximum(before, 1e-3))),
    }


def _lines(pairs: Iterable[tuple[dict, dict]]) -> list[dict]:
    return [
        {
            "method": now["method"],
            "case": now["case"],
            "sigma": now.get("sigma"),
            "derivatives": now.get("derivatives"),
            "seed": now["seed"],
            "exact": f"{int(bool(before.get('exact')))} -> {int(bool(now.get('exact')))}",
            "seconds": f"{before['seconds']:.1f} -> {now['seconds']:.1f}",
            "before": _answer(before),
            "now": _answer(now),
        }
        for before, now in pairs
        if _form(before) != _form(now)
    ]


def _answer(record: dict) -> str:
    return record.get("failed") or "; ".join(record["equations"])


def _form(record: dict) -> object:
    """What was found, but for the digits of constants."""
    return record.get("form") or _answer(record)
