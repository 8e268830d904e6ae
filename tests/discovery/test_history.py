"""The history of a run, cycle by cycle."""

import numpy as np

from mathonet import Samples, discover, systems


def test_history_tells_every_cycle_down_to_the_true_terms():
    system = systems.get("lotka-volterra")
    data = system.simulate()
    samples = Samples(data.x, data.x_dot, data.names, data.names)
    found = discover(samples, operations=system.operations, hidden=system.hidden)
    table = found.history("x")
    sweep = found.sweeps["given"]
    assert list(table["cycle"]) == list(range(1, len(sweep.history) + 1))
    assert (np.diff(table["weights"]) <= 0).all()
    assert table["terms"].iloc[0] > 2
    assert table["terms"].iloc[-1] == 2
    assert table["validation"].iloc[-1] < 1e-3 * table["validation"].iloc[0]
    assert "x y" in table["equation"].iloc[-1]
