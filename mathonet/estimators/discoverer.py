"""Discoverer: the estimator that users of PySINDy and scikit-learn expect, over `search` and `result`."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from mathonet.archive.run import Saved
from mathonet.archive.savable import Savable, known_from, plain
from mathonet.archive.stored_arrays import trajectories_from, trajectories_to
from mathonet.data.trajectories import as_samples, as_trajectories
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError
from mathonet.estimators.answers import Answers
from mathonet.estimators.presentation import Presentation
from mathonet.interruption import Watch, watched
from mathonet.learning.settings import MapStep
from mathonet.result.apart import found_apart
from mathonet.result.discover import discover
from mathonet.result.discovery import Discovery
from mathonet.result.states import discover_states
from mathonet.search.config import Selection, Settings, check_budget
from mathonet.search.effort import LONG, EffortName
from mathonet.search.known import parse_known, with_known, without_known
from mathonet.search.measurements.measured import Smoothing, state_names, units_of
from mathonet.search.objective import EquationProposer, check_proposers, named_proposers
from mathonet.search.protocol import Protocol, protocol_settings
from mathonet.search.samples.search import Journal, Progress, Stage

GOES_ON = f"it has run for {LONG:.0f} s and goes on"
"""Told once by a search that has no budget."""


def _goes_on(progress: Progress | None) -> None:
    if progress is None:
        told = f"The search {GOES_ON.removeprefix('it ')}; with budget=60, say, it ends with the best so far."
        warnings.warn(told, stacklevel=2)
    else:
        progress("search", Stage(f"{GOES_ON}; Ctrl-C or a budget ends it with the best so far"))


class Discoverer(Answers, Presentation, Savable, BaseEstimator):
    """Finds the ordinary differential equations behind trajectories.

    Args:
        operations: names of unary operations (or `Operation` objects) the equations may use; None for the
            standard ones: ident sin cos exp log inv sqrt tanh abs.
        hidden: neurons of each hidden layer of one fixed MathONet, as in the paper, for example [3]; None
            searches among polynomials, sums with calls and many small networks.
        known: terms of the equations that are known, by state, such as {"v": "-9.81"}: numbers, formulas as
            text in the names of states and inputs, or SymPy expressions.
        seed: of every random choice; the same seed gives the same equations.
        dense: whether later layers of the network also see all earlier ones (needed for products such as
            sin(x) cos(y)).
        joint: with `hidden`, one network for all equations, as in the paper's Lotka-Volterra, instead of
            one for each.
        lambdas: with `hidden`, first values of lambda to sweep; None for [1e-3].
        restarts: with `hidden`, random starts for each equation and lambda; None for 20, or 200 with several
            layers; more with effort="thorough".
        cycles: with `hidden`, most cycles of sparse group Bayesian learning; None for 14.
        selection: "score" or, as the paper, "validation"; None for "score".
        map_step: "newton" or, as the paper, "adam"; None for "newton".
        epochs: of Adam in each cycle, or steps of Newton; None for 800, or Newton's own 40 and 20.
        order: 1, or 2 for x'' = f(x, x') from positions alone (only without x_dot); velocities are then
            further states called x_dot.
        smoothing: "gp" (a Gaussian process, default), "spline" or "savgol": how states without derivatives
            are smoothed for the search.
        protocol: "paper" takes the paper's own settings (its lambdas, 10 restarts of each, Adam, the choice
            by validation error) wherever None is given; see `search.protocol`.
        proposers: names of those ways to forms that are used, of "polynomials", "elimination on the path",
            "stepwise" (these two along a path only), "sums with calls" and "networks"; None for all. Objects
            in the list, each an `EquationProposer`, are further ways of your own, asked right after
            polynomials (see "A new proposer" in the docs). They are not saved.
        budget: seconds that `fit` may take; then the best found so far is chosen, and `trust_` says that the
            search was cut short. None for as long as it needs; after a minute it says so.
        effort: "quick", "normal" or "thorough": how many forms are looked at. "quick" has about half the
            quotas and trains no networks unless `hidden` asks for one, "thorough" about doubles them.

    Attributes:
        candidates_: table of all candidate forms, the chosen ones marked.
        coefficients_: table of the constants with intervals.
        trust_: table of how far each equation can be trusted, and why.
        discovery_: everything behind them: runs, their history, the chosen system.
        trajectories_: what was measured, as it was given.
    """

    def __init__(
        self,
        operations: Sequence | None = None,
        hidden: int | Sequence[int] | None = None,
        known: Mapping[str, Any] | None = None,
        seed: int = 0,
        dense: bool = False,
        joint: bool = False,
        lambdas: float | Sequence[float] | None = None,
        restarts: int | None = None,
        cycles: int | None = None,
        selection: Selection | None = None,
        map_step: MapStep | None = None,
        epochs: int | None = None,
        order: int = 1,
        smoothing: Smoothing = "gp",
        protocol: Protocol = "default",
        budget: float | None = None,
        proposers: Sequence[EquationProposer | str] | None = None,
        effort: EffortName = "normal",
    ) -> None:
        """Keep the parameters; they are checked in `fit`."""
        self.operations = operations
        self.hidden = hidden
        self.known = known
        self.seed = seed
        self.dense = dense
        self.joint = joint
        self.lambdas = lambdas
        self.restarts = restarts
        self.cycles = cycles
        self.selection: Selection | None = selection
        self.map_step: MapStep | None = map_step
        self.epochs = epochs
        self.order = order
        self.smoothing: Smoothing = smoothing
        self.protocol: Protocol = protocol
        self.budget = budget
        self.proposers = proposers
        self.effort: EffortName = effort

    def fit(
        self,
        x: Any,
        t: Any = None,
        x_dot: Any = None,
        u: Any = None,
        names: Sequence[str] | None = None,
        input_names: Sequence[str] | None = None,
        progress: Progress | None = None,
        journal: Journal | None = None,
    ) -> "Discoverer":
        """Find the equations x' = f(x, u).

        Args:
            x: states (times, states), or a list of such tables, one an experiment. One state may have one
                dimension; a list of such arrays needs a list of times beside it. Or what `read_table` gives:
                trajectories, with nothing beside them.
            t: times, or a list of them; None numbers the rows, where derivatives are given.
            x_dot: derivatives, like x; None where only states were measured. Then values may be missing
                (NaN), the states are smoothed for the search, and every choice is made by fits on what was
                measured.
            u: control inputs, like x.
            names: of the states; None takes the columns of a data frame, else x, y, z or x0, x1, ...
            input_names: of the control inputs; None takes the columns of a data frame, else u or u0, ...
            progress: called with the proposer's name after each cycle and at each stage of the search.
            journal: keeps the runs of the network that was asked for, and has those of a search that was
                ended (see `archive.journal`).
        """
        settings, watch = self.check_parameters(), Watch(check_budget(self.budget))
        if watch.budget is None:
            watch.remind(LONG, partial(_goes_on, progress))
        trajectories = as_trajectories(x, t, x_dot, u, names, input_names)
        search = self._from_states if trajectories[0].x_dot is None else self._from_derivatives
        with watched(watch):
            found = search(trajectories, settings, progress, journal)
            quick = replace(settings, effort="quick")
            found, trajectories = found_apart(
                lambda driven, quickly: search(driven, quick if quickly else settings, progress, None),
                trajectories,
                found,
            )
        return self._keep(found, trajectories)

    def _keep(self, found: Discovery, trajectories: Sequence[Trajectory]) -> "Discoverer":
        """Take what was found, now or before it was saved."""
        units = units_of(trajectories[0], self.order)
        self.discovery_: Discovery = replace(found, system=replace(found.system, units=units))
        self.trajectories_ = tuple(trajectories)
        self.n_features_in_ = len(trajectories[0].names)
        self.candidates_ = self.discovery_.table()
        self.trust_ = self.discovery_.trust_table()
        self.coefficients_ = self.discovery_.system.coefficients()
        return self

    def saved(self) -> Saved:
        """Everything that `restored` needs."""
        check_is_fitted(self, "discovery_")
        arrays: dict[str, np.ndarray] = {}
        measured = trajectories_to(self.trajectories_, arrays, "trajectory")
        names = named_proposers(self.proposers)
        parameters = plain(self.get_params(deep=False) | {"proposers": names and list(names)})
        return Saved("Discoverer", parameters, self.discovery_, {"trajectories": measured}, arrays)

    @classmethod
    def restored(cls, saved: Saved) -> "Discoverer":
        """The estimator that was saved."""
        trajectories = trajectories_from(saved.own["trajectories"], saved.arrays, "trajectory")
        parameters = dict(saved.parameters)
        parameters["known"] = known_from(parameters.get("known"))
        return cls(**parameters)._keep(saved.discovery, trajectories)

    def _from_derivatives(
        self,
        trajectories: Sequence[Trajectory],
        settings: Settings,
        progress: Progress | None,
        journal: Journal | None,
    ) -> Discovery:
        if self.order != 1:
            raise ConfigError(
                f"order={self.order!r} is for positions alone; with derivatives give velocities as states."
            )
        samples = as_samples(trajectories)
        known = parse_known(self.known, samples.target_names, samples.input_names)
        own = check_proposers(self.proposers) or None
        found = discover(without_known(samples, known), settings, progress, journal, own)
        return replace(found, system=with_known(found.system, known)) if known else found

    def _from_states(
        self,
        trajectories: Sequence[Trajectory],
        settings: Settings,
        progress: Progress | None,
        journal: Journal | None,
    ) -> Discovery:
        names = state_names(trajectories[0].names, self.order)
        searched = names[len(names) - len(trajectories[0].names) :]
        known = parse_known(self.known, searched, (*names, *trajectories[0].input_names))
        return discover_states(
            trajectories,
            settings,
            progress,
            self.order,
            known,
            self.smoothing,
            journal,
            check_proposers(self.proposers),
        )

    def check_parameters(self) -> Settings:
        """The settings of the search, once no parameter is wrong; those about names wait for the data."""
        if self.order not in (1, 2) or isinstance(self.order, bool):
            raise ConfigError(f"order must be 1 or 2, got {self.order!r}.")
        check_budget(self.budget)
        return protocol_settings(
            self.protocol,
            self.map_step,
            self.epochs,
            operations=self.operations,
            hidden=self.hidden,
            dense=self.dense,
            joint=self.joint,
            lambdas=self.lambdas,
            restarts=self.restarts,
            cycles=self.cycles,
            selection=self.selection,
            seed=self.seed,
            effort=self.effort,
            proposers=named_proposers(self.proposers),
        )
