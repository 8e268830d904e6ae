"""The folder a run leaves (equations.json, candidates.csv, config.json, history.npz), whole or not at all."""

import json
import math
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from mathonet.discovery.config import Settings
from mathonet.discovery.discover import Discovery
from mathonet.discovery.folder import MARK, check_folder, put
from mathonet.equation.tree import to_tree
from mathonet.errors import ArchiveError

FORMAT = 1


def write_run(discovery: Discovery, folder: str | Path) -> Path:
    """Write a discovery; an earlier run in the same folder is replaced in one step.

    Raises:
        ArchiveError: the folder is not ours to replace, or cannot be written; then nothing has changed.
    """
    path = check_folder(folder)
    place = path.resolve()
    made = [parent for parent in place.parents if not parent.exists()]
    new: Path | None = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        _write(discovery, new)
        put(new, place)
    except BaseException as error:
        if new is not None:
            shutil.rmtree(new, ignore_errors=True)
        for parent in made:
            with suppress(OSError):
                parent.rmdir()
        if isinstance(error, OSError):
            raise ArchiveError(f"The results could not be written to {path}: {error}.") from error
        raise
    return path


def _write(discovery: Discovery, folder: Path) -> None:
    for name, content in ((MARK, _equations(discovery)), ("config.json", _config(discovery.settings))):
        (folder / name).write_text(json.dumps(content, indent=2, allow_nan=False) + "\n")
    discovery.table().to_csv(folder / "candidates.csv", index=False)
    np.savez_compressed(folder / "history.npz", allow_pickle=False, **_history(discovery))


def _equations(discovery: Discovery) -> dict[str, Any]:
    equations = []
    for equation, trust in zip(discovery.system.equations, discovery.trust, strict=True):
        rows = equation.coefficients().drop(columns="target").to_dict("records")
        equations.append(
            {
                "target": equation.target,
                "text": equation.text(),
                "latex": equation.latex(),
                "expression": to_tree(equation.expression, equation.inputs),
                "coefficients": [{key: _number(v) for key, v in row.items()} for row in rows],
                "evidence_gap": _number(trust.gap),
                "trust": {
                    "level": trust.level,
                    "explained": _number(trust.explained),
                    "residual_correlation": _number(trust.correlation),
                    "words": list(trust.words),
                },
            }
        )
    return {
        "format": FORMAT,
        "equations": equations,
        "noise": _noise(discovery),
        "smoothing": None if discovery.measured is None else discovery.measured.smoothing,
        "seed": discovery.settings.seed,
        "seconds": round(discovery.seconds, 3),
    }


def _noise(discovery: Discovery) -> list[Any]:
    """Deviation of every derivative, or of every measured state."""
    if discovery.measured is not None:
        return [_number(float(value)) for value in discovery.measured.noise]
    return [_number(equation.sigma) for equation in discovery.system.equations]


def _number(value: Any) -> Any:
    """JSON has no NaN and no infinity: an interval that cannot be computed is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _config(settings: Settings) -> dict[str, Any]:
    learning = settings.learning
    return {
        "operations": [operation.name for operation in settings.resolved()],
        **{
            name: getattr(settings, name)
            for name in (
                *("hidden", "dense", "stencil", "joint", "lambdas", "restarts", "cycles"),
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
