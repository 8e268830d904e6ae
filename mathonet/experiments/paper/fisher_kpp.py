"""The paper's Fisher-KPP by a MathONet and a learned stencil: three and five points, T = 5 and 20."""

from collections.abc import Callable

import numpy as np

from mathonet import FieldDiscoverer, systems
from mathonet.experiments.paper.results import Result

TRUTH = {"u_xx": 0.01, "u": 1.0, "u^2": -1.0}
PAPER = {"u_xx": 0.01, "u": 1.0, "u^2": -1.0}
"""The paper's 6.250, 1.000 and -1.000 (after it rescales its stencil), its diffusion in units of the axis."""


def fisher_kpp(seeds: int, say: Callable[[str], None]) -> list[Result]:
    """Diffusion, growth and competition, each within 1e-4, and the stencil's moments."""
    results = []
    for duration in (5.0, 20.0):
        field, rate = systems.fisher_kpp(duration)
        for radius in (1, 2):
            found = [
                FieldDiscoverer(radius=radius, seed=seed).fit(field.values, field.t, [field.x], u_t=rate)
                for seed in range(seeds)
            ]
            case = f"T = {duration:g}, {2 * radius + 1}-point stencil"
            tables = [
                dict(zip(d.coefficients_["term"], d.coefficients_["value"], strict=True)) for d in found
            ]
            for term, truth in TRUTH.items():
                values = np.array([table.get(term, np.nan) for table in tables])
                good = [
                    set(table) == set(TRUTH) and abs(table[term] / truth - 1.0) <= 1e-4 for table in tables
                ]
                ours = float(np.mean(values))
                results.append(Result(f"{case}: {term}", truth, PAPER[term], ours, None, seeds, sum(good)))
            moments = [d.moments_.set_index("term")["grid units"] for d in found]
            for term, truth, paper in (("u_xx", 6.25, 6.25), ("u_x", 0.0, None)):
                values = np.array([moment[term] for moment in moments])
                name = f"{case}: {term} in grid units"
                good = np.abs(values - truth) <= 1e-4 * 6.25
                results.append(
                    Result(name, truth, paper, float(np.mean(values)), None, seeds, int(good.sum()))
                )
            say(f"fisher-kpp {case}: {results[-5].success} of {seeds}")
    return results
