"""A discovery as JSON data and named arrays, and back: nothing is pickled, and nothing is evaluated.

Every `..._to` function has a `..._from` that gives back an equal object, bit by bit. What is read was
checked for damage before (see `archive`), so these only look whether the parts belong together.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from mathonet.archive.stored_arrays import (
    Arrays,
    put,
    sweep_from,
    sweep_to,
    trajectories_from,
    trajectories_to,
)
from mathonet.data.outliers import Outlier
from mathonet.data.samples import Samples, Windows
from mathonet.data.smoothing import Smooth
from mathonet.equation.assembly import constants, zero_free
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.tree import from_tree, to_tree
from mathonet.errors import ArchiveError
from mathonet.learning.settings import Learning
from mathonet.printable import shortened
from mathonet.result.discovery import Cut, Discovery
from mathonet.result.trust import Trust
from mathonet.search.config import Settings
from mathonet.search.fit import Fit
from mathonet.search.measurements.measured import Measured
from mathonet.search.proposers.sweep import Sweep
from mathonet.search.samples.objective import Candidate

SMOOTH = ("x", "x_dot", "x_ddot", "x_std", "x_dot_std", "x_ddot_std", "sigma", "noise", "length")
SETTINGS = (
    *("hidden", "dense", "stencil", "joint", "lambdas", "restarts", "cycles", "effort", "proposers"),
    *("selection", "validation", "rows", "seed", "numbers"),
)


def number_to(value: float | None) -> float | str | None:
    """A number that JSON can hold: what is not finite becomes a word."""
    return str(float(value)) if value is not None and not math.isfinite(value) else value


def number_from(value: Any) -> float:
    """The number that `number_to` wrote."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ArchiveError(f"a number is {shortened(repr(value))}")
    return float(value)


def text_from(value: Any) -> str:
    """A text, and nothing that only looks like one where it is shown."""
    if not isinstance(value, str):
        raise ArchiveError(f"a text is {shortened(repr(value))}")
    return value


def _outlier_from(document: Mapping[str, Any]) -> Outlier:
    """An outlier, every part of it checked."""
    place = [int(number_from(document[part])) for part in ("trajectory", "row")]
    numbers = {part: number_from(document[part]) for part in ("t", "value", "expected", "deviations")}
    return Outlier(*place, name=text_from(document["name"]), **numbers)


def _some(value: Any) -> float | None:
    return None if value is None else number_from(value)


def _rung_to(name: str, runs: Sweep, arrays: Arrays, prefix: str) -> dict[str, Any]:
    # The name stands among the arrays too, for those who read them without the rest.
    arrays[f"{prefix}/name"] = np.asarray(name)
    return sweep_to(runs, arrays, prefix)


def _system_to(system: EquationSystem, arrays: Arrays) -> dict[str, Any]:
    equations = []
    for number, each in enumerate(system.equations):
        arrays[f"equation{number}/covariance"] = each.covariance
        equations.append(
            {
                "target": each.target,
                "inputs": each.inputs,
                "expression": to_tree(each.expression, each.inputs),
                "freedom": number_to(float(each.freedom)),
                "sigma": number_to(float(each.sigma)),
            }
        )
    return {"equations": equations, "input_names": system.input_names}


def _system_from(document: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> EquationSystem:
    equations = []
    for number, each in enumerate(document["equations"]):
        inputs = tuple(each["inputs"])
        expression = from_tree(each["expression"], inputs)
        covariance = arrays[f"equation{number}/covariance"]
        count = len(constants(zero_free(expression)))
        if covariance.shape != (count, count):
            raise ArchiveError(f"the covariance of {count} constants has shape {covariance.shape}")
        freedom, sigma = number_from(each["freedom"]), number_from(each["sigma"])
        equations.append(Equation(each["target"], inputs, expression, covariance, freedom, sigma))
    return EquationSystem(tuple(equations), tuple(document["input_names"]))


def _candidate_to(each: Candidate, names: Sequence[str], arrays: Arrays, prefix: str) -> dict[str, Any]:
    fitted = each.fitted
    put(arrays, prefix, values=fitted.constants, normal=fitted.information)
    return {
        "expression": to_tree(fitted.expression, names),
        "form": to_tree(fitted.as_fitted[0], names),
        "rss": number_to(float(fitted.chi2)),
        **{name: number_to(float(getattr(fitted, name))) for name in ("score", "count")},
        "rung": each.rung,
        "hits": int(each.hits),
        "validation": number_to(float(each.validation)),
    }


def _candidate_from(
    document: Mapping[str, Any],
    target: int,
    names: Sequence[str],
    arrays: Mapping[str, np.ndarray],
    prefix: str,
) -> Candidate:
    chi2, score, count = (number_from(document[name]) for name in ("rss", "score", "count"))
    values, normal = arrays[f"{prefix}/values"], arrays[f"{prefix}/normal"]
    forms, as_fitted = ((from_tree(document[name], names),) for name in ("expression", "form"))
    origin = text_from(document["rung"])
    fitted = Fit(forms, as_fitted, values, chi2, normal, score, count, origin)
    hits, validation = int(number_from(document["hits"])), number_from(document["validation"])
    return Candidate(target, fitted, origin, hits, validation)


def _samples_to(samples: Samples, arrays: Arrays) -> dict[str, Any]:
    parts = {name: getattr(samples, name) for name in ("inputs", "targets", "weights", "floor")}
    put(arrays, "samples", **parts)
    if samples.operator is not None:
        put(arrays, "operator", index=samples.operator.index, value=samples.operator.value)
    return {"input_names": samples.input_names, "target_names": samples.target_names}


def _samples_from(document: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Samples:
    index = arrays.get("operator/index")
    return Samples(
        arrays["samples/inputs"],
        arrays["samples/targets"],
        tuple(document["input_names"]),
        tuple(document["target_names"]),
        None if index is None else Windows(index, arrays["operator/value"]),
        arrays.get("samples/weights"),
        arrays.get("samples/floor"),
    )


def settings_to(settings: Settings) -> dict[str, Any]:
    """All settings, operations by their names."""
    learning = settings.learning
    return {
        "operations": [operation.name for operation in settings.resolved()],
        **{name: getattr(settings, name) for name in SETTINGS},
        "learning": {name: getattr(learning, name) for name in learning.__dataclass_fields__},
    }


def _settings_from(document: Mapping[str, Any]) -> Settings:
    given = dict(document)
    learning = dict(given.pop("learning"))
    # Runs saved before 0.4 name places of weights that can live, which the mask says.
    learning.pop("support", None)
    given["operations"] = tuple(given["operations"])
    return Settings(**given, learning=Learning(**learning))


def _measured_to(measured: Measured, arrays: Arrays) -> dict[str, Any]:
    names = measured.input_names
    for number, each in enumerate(measured.smoothed):
        put(arrays, f"smoothed{number}", **{name: getattr(each, name) for name in SMOOTH})
    return {
        "trajectories": trajectories_to(measured.trajectories, arrays, "measured"),
        "models": [each.model for each in measured.smoothed],
        "order": measured.order,
        "known": {name: to_tree(form, names) for name, form in measured.known.items()},
        "smoothing": measured.smoothing,
        "outliers": [asdict(each) for each in measured.outliers],
    }


def _measured_from(document: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Measured:
    trajectories = trajectories_from(document["trajectories"], arrays, "measured")
    smoothed = []
    for number, model in enumerate(document["models"]):
        parts = {name: arrays[f"smoothed{number}/{name}"] for name in SMOOTH}
        smoothed.append(Smooth(**parts, model=tuple(model)))
    if len(smoothed) != len(trajectories):
        raise ArchiveError(f"{len(trajectories)} trajectories have {len(smoothed)} smoothed ones")
    found = Measured(trajectories, tuple(smoothed), document["order"], {}, document["smoothing"])
    known = {name: from_tree(tree, found.input_names) for name, tree in document["known"].items()}
    # Version 0.1 knew of none.
    outliers = tuple(_outlier_from(each) for each in document.get("outliers", ()))
    return replace(found, known=known, outliers=outliers)


def discovery_to(discovery: Discovery, arrays: Arrays, history: Arrays) -> dict[str, Any]:
    """A discovery: JSON data, its arrays, and those of the runs apart."""
    names = discovery.samples.input_names
    pools = []
    for target, pool in enumerate(discovery.candidates):
        kept = [
            _candidate_to(each, names, arrays, f"candidate{target}-{place}")
            for place, each in enumerate(pool)
        ]
        chosen = next(place for place, each in enumerate(pool) if each is discovery.chosen[target])
        pools.append({"candidates": kept, "chosen": chosen})
    return {
        "system": _system_to(discovery.system, arrays),
        "pools": pools,
        "trust": [
            {
                "level": each.level,
                **{name: number_to(getattr(each, name)) for name in ("explained", "correlation", "gap")},
                "words": each.words,
            }
            for each in discovery.trust
        ],
        "rungs": [
            {"name": name, **_rung_to(name, runs, history, f"rung{number}")}
            for number, (name, runs) in enumerate(discovery.sweeps.items())
        ],
        "samples": _samples_to(discovery.samples, arrays),
        "settings": settings_to(discovery.settings),
        "seconds": discovery.seconds,
        "measured": None if discovery.measured is None else _measured_to(discovery.measured, arrays),
        "cut": None
        if discovery.cut is None
        else {"why": discovery.cut.why, "left_out": discovery.cut.left_out},
        "versions": discovery.versions,
        "not_found": discovery.not_found,
        "given": discovery.given,
    }


def discovery_from(
    document: Mapping[str, Any], arrays: Mapping[str, np.ndarray], history: Mapping[str, np.ndarray]
) -> Discovery:
    """The discovery again."""
    samples = _samples_from(document["samples"], arrays)
    pools = [
        tuple(
            _candidate_from(each, target, samples.input_names, arrays, f"candidate{target}-{place}")
            for place, each in enumerate(pool["candidates"])
        )
        for target, pool in enumerate(document["pools"])
    ]
    cut, measured = document["cut"], document["measured"]
    return Discovery(
        _system_from(document["system"], arrays),
        tuple(pools),
        tuple(pool[each["chosen"]] for pool, each in zip(pools, document["pools"], strict=True)),
        tuple(
            Trust(
                text_from(each["level"]),  # pyright: ignore[reportArgumentType]
                number_from(each["explained"]),
                _some(each["correlation"]),
                _some(each["gap"]),
                tuple(map(text_from, each["words"])),
            )
            for each in document["trust"]
        ),
        {
            text_from(each["name"]): sweep_from(each, history, f"rung{number}")
            for number, each in enumerate(document["rungs"])
        },
        samples,
        _settings_from(document["settings"]),
        number_from(document["seconds"]),
        None if measured is None else _measured_from(measured, arrays),
        None if cut is None else Cut(text_from(cut["why"]), tuple(map(text_from, cut["left_out"]))),
        {name: text_from(each) for name, each in document["versions"].items()},
        tuple(map(text_from, document.get("not_found", ()))),
        tuple(map(text_from, document.get("given", ()))),
    )
