"""The history of a run: what every cycle of sparse group Bayesian learning left standing."""

import numpy as np
import pandas as pd

from mathonet.data.samples import Samples
from mathonet.discovery.sweep import Sweep
from mathonet.equation.expression import TooLargeError
from mathonet.equation.reading import read, unscale
from mathonet.equation.symbolic import text


def best_run(sweep: Sweep, target: int) -> int:
    """The run of a target with the least final validation error, of nearly equal ones the sparsest."""
    runs = np.flatnonzero(sweep.target == target)
    last = sweep.history[-1]
    errors = np.where(np.isfinite(last.validation[runs]), last.validation[runs], np.inf)
    close = runs[errors <= max(1.1 * errors.min(), 1e-12)]
    return int(min(close, key=lambda run: last.active[run].sum())) if len(close) else int(runs[0])


def history_table(sweep: Sweep, samples: Samples, run: int, target: int = 0, output: int = 0) -> pd.DataFrame:
    """One row a cycle: lambda, weights and terms left, training and validation error, the equation then.

    Terms are those of the exact reading, expanded: each product of inputs and operations counts once. Errors
    are root mean squares in units of the target's size. The first cycle is the sparse group Lasso.
    """
    rows = []
    for cycle, record in enumerate(sweep.history):
        try:
            expression = unscale(read(sweep.network(run, cycle))[output], samples.scaling, target)
            terms, equation = len(expression.terms), text(expression, samples.input_names)
        except TooLargeError:
            terms, equation = None, "too large to write down"
        rows.append(
            {
                "cycle": cycle + 1,
                "lambda": float(record.lam[run]),
                "weights": int(record.active[run].sum()),
                "terms": terms,
                "training": float(np.sqrt(2.0 * record.energy[run])),
                "validation": float(np.sqrt(2.0 * record.validation[run])),
                "equation": equation,
            }
        )
    return pd.DataFrame(rows)
