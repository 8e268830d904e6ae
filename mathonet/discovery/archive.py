"""The folder a run leaves (equations.json, candidates.csv, config.json, history.npz), whole or not at all."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mathonet.discovery.config import Settings
from mathonet.discovery.discover import Discovery
from mathonet.equation.tree import to_tree
from mathonet.errors import ArchiveError

FORMAT = 1
MARK = "equations.json"


def check_folder(folder: str | Path) -> Path:
    """Refuse a folder that holds something other than an earlier run, before any work is done."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise ArchiveError(f"{path} is a file. Choose another folder for the results.")
    if path.is_dir() and any(path.iterdir()) and not (path / MARK).is_file():
        raise ArchiveError(
            f"The folder {path} is not empty and holds no earlier run ({MARK} is missing). "
            "Choose another folder, so that nothing of yours is replaced."
        )
    parent = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
    if not os.access(parent, os.W_OK):
        raise ArchiveError(f"No permission to write in {parent}. Choose another folder for the results.")
    return path


def write_run(discovery: Discovery, folder: str | Path) -> Path:
    """Write a discovery; an earlier run in the same folder is replaced in one step."""
    path = check_folder(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        (new / MARK).write_text(json.dumps(_equations(discovery), indent=2, allow_nan=False) + "\n")
        (new / "config.json").write_text(json.dumps(_config(discovery.settings), indent=2) + "\n")
        discovery.table().to_csv(new / "candidates.csv", index=False)
        np.savez_compressed(new / "history.npz", allow_pickle=False, **_history(discovery))
        new.chmod(0o755)
        old = path.with_name(f"{new.name}-old")
        if path.exists():
            path.rename(old)
        new.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return path


def _equations(discovery: Discovery) -> dict[str, Any]:
    equations = []
    for equation, gap in zip(discovery.system.equations, discovery.gaps, strict=True):
        table = equation.coefficients().drop(columns="target")
        equations.append(
            {
                "target": equation.target,
                "text": equation.text(),
                "latex": equation.latex(),
                "expression": to_tree(equation.expression, equation.inputs),
                "coefficients": table.to_dict("records"),
                "evidence_gap": gap,
            }
        )
    return {
        "format": FORMAT,
        "equations": equations,
        "noise": [equation.sigma for equation in discovery.system.equations],
        "seed": discovery.settings.seed,
        "seconds": round(discovery.seconds, 3),
    }


def _config(settings: Settings) -> dict[str, Any]:
    learning = settings.learning
    return {
        "operations": [operation.name for operation in settings.resolved()],
        **{
            name: getattr(settings, name)
            for name in (
                *("hidden", "dense", "joint", "lambdas", "restarts", "cycles"),
                *("selection", "validation", "rows", "seed", "numbers"),
            )
        },
        "learning": {name: getattr(learning, name) for name in learning.__dataclass_fields__},
    }


def _history(discovery: Discovery) -> dict[str, np.ndarray]:
    """Every cycle of every run: the fields of `Record`, one array a rung with axes (cycles, runs, ...)."""
    arrays = {}
    for number, (name, runs) in enumerate(discovery.sweeps.items()):
        key = f"rung{number}"
        arrays[f"{key}/name"] = np.asarray(name)
        for field in ("target", "lam", "restart"):
            arrays[f"{key}/{field}"] = getattr(runs, field)
        for field in ("w", "active", "alpha", "alpha_group", "zeta", "energy", "validation", "status"):
            arrays[f"{key}/{field}"] = np.stack([getattr(record, field) for record in runs.history])
        arrays[f"{key}/lambda"] = np.stack([record.lam for record in runs.history])
    return arrays
