"""Our answer for a case of the states benchmark: `Discoverer` as a user would call it."""

import time
import warnings
from collections.abc import Sequence

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression
from mathonet.estimators.discoverer import Discoverer
from mathonet.experiments.bench.states.cases import Case, compared
from mathonet.result.discovery import Discovery


def answer(case: Case, seed: int) -> dict:
    """The equations, whether each is right, how far each is trusted, and how long it took.

    The seed is that of the noise and of the search.
    """
    data = case.data(seed)
    began = time.perf_counter()
    found = discovered(case, data, seed)
    seconds = time.perf_counter() - began
    truth = case.truth()
    # For second order the equations of the positions come first and are no discovery.
    wanted = found.system.equations[-len(truth) :]
    forms = [each.expression for each in wanted]
    levels = [trust.level for trust in found.trust[-len(truth) :]]
    if found.not_found:
        # A state whose equation was not found has none that could be trusted.
        by_name = {each.target: (each.expression, level) for each, level in zip(wanted, levels, strict=True)}
        pairs = [by_name.get(name, (Expression(), "poor")) for name in found.given]
        forms, levels = [form for form, _ in pairs], [level for _, level in pairs]
    return {
        **compared(case.without_known(forms), case.unknown()),
        "trust": levels,
        "equations": [each.text() for each in wanted],
        "seconds": seconds,
    }


def discovered(case: Case, data: Sequence[Trajectory], seed: int) -> Discovery:
    """The discovery from measured states."""
    known = {name: f"{value:g}" for name, value in case.known} or None
    u = None if data[0].u is None else [trajectory.u for trajectory in data]
    with warnings.catch_warnings(action="ignore"):
        return (
            Discoverer(known=known, order=case.order, seed=seed)
            .fit(
                [trajectory.x for trajectory in data],
                [trajectory.t for trajectory in data],
                u=u,
                names=case.names,
                input_names=data[0].input_names or None,
            )
            .discovery_
        )
