"""Discovery: what was found, and everything it was chosen from."""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from mathonet.data.samples import Samples
from mathonet.equation.assembly import constants, zero_free
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.reading import unscale
from mathonet.equation.simple_numbers import written
from mathonet.equation.symbolic import DIGITS, text
from mathonet.errors import ConfigError
from mathonet.precision import double_precision
from mathonet.result.history import best_run, history_table
from mathonet.result.trust import Trust, doubted
from mathonet.result.versions import versions
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import Measured
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.sweep import Sweep
from mathonet.search.samples.objective import Candidate


@dataclass(frozen=True)
class Cut:
    """A search that ended early: why, and what it left out or did not finish."""

    why: str
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Discovery:
    """What was found, and everything it was chosen from.

    Attributes:
        system: the chosen equations.
        candidates: one list a target, best score first.
        chosen: the chosen candidate of each target.
        trust: how far each equation of the system can be trusted, and why.
        sweeps: the runs of the network that was asked for, by its name, with their history.
        samples: what was learned from.
        settings: how.
        seconds: how long it took.
        measured: the trajectories and their smoothed states, where no derivatives were given.
        cut: why the search ended early, None if it did not.
        versions: of the packages that it was found with.
        not_found: states whose equations were not found: the others take them as they were measured.
        given: then, all states in the order in which they were given.
    """

    system: EquationSystem
    candidates: tuple[tuple[Candidate, ...], ...]
    chosen: tuple[Candidate, ...]
    trust: tuple[Trust, ...]
    sweeps: dict[str, Sweep]
    samples: Samples
    settings: Settings
    seconds: float
    measured: Measured | None = None
    cut: Cut | None = None
    versions: dict[str, str] = field(default_factory=versions)
    not_found: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        """One equation a line, and how far to trust it."""
        pairs = zip(self.system.equations, self.trust, strict=True)
        return "\n".join(f"{equation.text()}   ({trust.level})" for equation, trust in pairs)

    def cut_short(self, cut: Cut) -> "Discovery":
        """The same as the result of a search that ended early; every equation that was searched says so."""
        known = set(self.system.names) - set(self.samples.target_names)
        trust = tuple(
            each if name in known else doubted(each, cut.why)
            for name, each in zip(self.system.names, self.trust, strict=True)
        )
        return replace(self, trust=trust, cut=cut)

    def missing(self) -> str | None:
        """What was not found, in a sentence; None if all was."""
        if not self.not_found:
            return None
        names = ", ".join(self.not_found)
        return (
            f"No equation was found for {names}: taken as measured, smoothed, wherever the equations above "
            "have it; a simulation needs its values as an input."
        )

    @property
    def units(self) -> np.ndarray:
        """Of every target, what the errors of its candidates are in: its size, or that of its state."""
        scaling = self.samples.scaling
        if self.measured is None:
            return scaling.targets
        return scaling.inputs[list(self.measured.searched)]

    def table(self) -> pd.DataFrame:
        """The candidate table: one row a form, the Pareto-optimal ones and the chosen one marked."""
        rows, scaling, names = [], self.samples.scaling, self.samples.input_names
        for target, (pool, chosen) in enumerate(zip(self.candidates, self.chosen, strict=True)):
            sizes = [(each.complexity, each.error) for each in pool]
            for each, (size, error) in zip(pool, sizes, strict=True):
                expression = unscale(each.fitted.expression, scaling, target)
                rows.append(
                    {
                        "target": self.samples.target_names[target],
                        "complexity": size,
                        "error": error * float(self.units[target]),
                        "validation": each.validation * float(self.units[target]),
                        "evidence": each.evidence,
                        "equation": text(expression, names),
                        "chosen": each is chosen,
                        "pareto": not any(s <= size and e < error for s, e in sizes),
                        "hits": each.hits,
                        "rung": each.rung,
                    }
                )
        return pd.DataFrame(rows)

    def trust_table(self) -> pd.DataFrame:
        """How far each equation can be trusted: level, what it rests on, and the judgement in words."""
        return pd.DataFrame(
            {
                "target": name,
                "level": each.level,
                "explained": each.explained,
                "residual correlation": each.correlation,
                "gap": each.gap,
                "words": "; ".join(each.words),
            }
            for name, each in zip(self.system.names, self.trust, strict=True)
        )

    def snapped(self) -> EquationSystem:
        """The equations with simple numbers, such as 10 for 9.9987, where the data allow it.

        Doubtful and poor ones stay as fitted: the errors of their constants suppose that the form is right.
        So do those of fields, whose constants depend on the grid.
        """
        equations = tuple(
            each if self.settings.stencil or trust.level in ("doubtful", "poor") else each.snapped()
            for each, trust in zip(self.system.equations, self.trust, strict=True)
        )
        return replace(self.system, equations=equations)

    def simple(self) -> dict[int, Equation]:
        """By number, the equations that `snapped` changes within the digits that are printed."""
        pairs = zip(self.system.equations, self.snapped().equations, strict=True)
        return {number: found for number, (fitted, found) in enumerate(pairs) if _differ(fitted, found)}

    def chosen_for(self, equation: int) -> Candidate | None:
        """The chosen candidate behind an equation of the system; None where that was known."""
        name = self.system.names[equation]
        names = self.samples.target_names
        return self.chosen[names.index(name)] if name in names else None

    def origin(self, candidate: Candidate) -> str:
        """Who found a form: runs, what needs no network, or clean-up on its way from what runs found."""
        if candidate.hits:
            return f"{candidate.hits:,} run{'' if candidate.hits == 1 else 's'}"
        return "clean-up" if candidate.rung in self.sweeps else candidate.rung

    @property
    def gaps(self) -> tuple[float | None, ...]:
        """Evidence (nats) by which each chosen form leads the best rival, None without one."""
        return tuple(each.gap for each in self.trust)

    def runs_of(self, target: int, rung: str | None = None) -> Sweep:
        """The runs of a network that was asked for; without a name, those that led to a target's chosen form.

        Raises:
            ConfigError: there are none.
        """
        name = self.chosen[target].rung if rung is None else rung
        if name in self.sweeps:
            return self.sweeps[name]
        own = 0 if self.settings.joint else target
        learned = [each for each, runs in self.sweeps.items() if own in runs.target]
        why = (
            self.without_runs(target)
            if rung is None
            else f"No runs of networks on the rung {name!r} are kept."
        )
        instead = (
            f"Give rung=, one of {learned}, for the networks trained there, or fit" if learned else "Fit"
        )
        raise ConfigError(f"{why} {instead} with hidden=[...], one network that leads to the equations.")

    def without_runs(self, target: int) -> str:
        """Why there are no runs of networks behind the chosen form of a target, in a sentence."""
        name, rung = self.samples.target_names[target], self.chosen[target].rung
        if rung == Networks.name:
            return f"Small networks led to the equation of {name!r}, whose runs are not kept."
        return f"No network led to the equation of {name!r}: it comes from the {rung}."

    @double_precision
    def history(self, target: int | str, rung: str | None = None) -> pd.DataFrame:
        """Every cycle of a target's best run: lambda, weights, terms, errors, and the equation then.

        Without the name of a network, that of the chosen form.
        """
        number = self.samples.target_names.index(target) if isinstance(target, str) else target
        runs = self.runs_of(number, rung)
        own, output = (0, number) if self.settings.joint else (number, 0)
        return history_table(runs, self.samples, best_run(runs, own), number, output)


def _differ(fitted: Equation, snapped: Equation) -> bool:
    """Whether a simple number is written in another way than the constant it stands for."""
    before, after = (constants(zero_free(each.expression)) for each in (fitted, snapped))
    return any(
        abs(new) in snapped.simple and written(abs(new)) != f"{abs(old):.{DIGITS}g}"
        for old, new in zip(before, after, strict=True)
    )
