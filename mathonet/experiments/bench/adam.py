"""Newton against Adam on the Lorenz z, in one run: time to the true equation, compilation excluded."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from mathonet import Samples, systems
from mathonet.equation.reading import read, unscale
from mathonet.experiments.truth import truths
from mathonet.learning.settings import Learning, MapStep, schedule
from mathonet.network.mathonet import Architecture, MathONet
from mathonet.operations import resolve
from mathonet.precision import double_precision
from mathonet.search.proposers.sweep import make_problem, sweep

RATES = (1e-3, 1e-2, 3e-2)
EPOCHS = 1000
RESTARTS = 100


@double_precision
def compare_adam(say: Callable[[str], None], seeds: int = 2, cycles: int = 10) -> pd.DataFrame:
    """Seconds for one restart whose own reading is the true equation, before any clean-up or refit.

    Both methods are batched over the same restarts. A restart counts once its reading has the true terms with
    every coefficient within 1e-4 relative, and no other term larger than 1e-4. Each method is stopped after
    the cycle that is best for it: least seconds divided by the restarts that count by then.
    """
    system = systems.get("lorenz")
    data = system.simulate()
    assert data.x_dot is not None
    assert system.hidden is not None
    samples = Samples(data.x, data.x_dot[:, 2:], data.names, ("z",))
    truth = {t.skeleton: t.coefficient for t in truths("lorenz")[2].terms}
    architecture = Architecture(3, tuple(system.hidden), resolve(system.operations))
    problem = make_problem(samples, samples.scaling)

    def near(network: MathONet) -> bool:
        terms = {t.skeleton: t.coefficient for t in unscale(read(network)[0], samples.scaling, 0).terms}
        true = all(abs(terms.pop(key, 0.0) / value - 1.0) <= 1e-4 for key, value in truth.items())
        return true and all(abs(coefficient) <= 1e-4 for coefficient in terms.values())

    rows = []
    cases: list[tuple[MapStep, float, dict[str, int]]] = [("newton", 0.0, {})]
    cases.extend(("adam", rate, {"first": EPOCHS, "later": EPOCHS}) for rate in RATES)
    for method, rate, steps in cases:
        learning = Learning(map_step=method, learning_rate=rate or 1e-2)
        numbers = schedule(**steps)
        run = partial(
            sweep, architecture, problem, problem, restarts=RESTARTS, learning=learning, numbers=numbers
        )
        run(cycles=1)  # compiles
        seconds, hits = np.zeros(cycles), np.zeros(cycles, int)
        for seed in range(seeds):
            clock = _Clock()
            runs = run(cycles=cycles, seed=seed, progress=clock)
            for cycle in range(cycles):
                last = min(cycle, len(runs.history) - 1)
                seconds[cycle] += clock.seconds[last]
                hits[cycle] += sum(near(runs.network(number, last)) for number in range(RESTARTS))
        best = int(np.argmin(seconds / np.maximum(hits, 0.1)))
        found = hits[best] > 0
        row = {
            "method": method if not rate else f"{method}, rate {rate:g}",
            "steps or epochs a cycle": "40, then 20" if method == "newton" else str(EPOCHS),
            "restarts": seeds * RESTARTS,
            "cycles": best + 1,
            "restarts within 1e-4": int(hits[best]),
            "seconds": seconds[best],
            "seconds for each within 1e-4": seconds[best] / hits[best] if found else np.inf,
        }
        rows.append(row)
        say(f"adam: {row}")
    table = pd.DataFrame(rows)
    table["times newton's"] = table.iloc[:, -1] / table.iloc[0, -1]
    return table


class _Clock:
    """Notes the time after each cycle."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.began = time.perf_counter()

    def __call__(self, report) -> None:
        self.seconds.append(time.perf_counter() - self.began)
