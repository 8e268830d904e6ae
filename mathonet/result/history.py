"""The history of a run: what every cycle of sparse group Bayesian learning left standing."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from mathonet.data.samples import Samples, Scaling
from mathonet.equation.expansion import expanded_terms
from mathonet.equation.expression import Expression, TooLargeError
from mathonet.equation.reading import read, unscale
from mathonet.equation.symbolic import text
from mathonet.errors import ConfigError, DataError
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import Architecture, flatten, unflatten
from mathonet.precision import double_precision
from mathonet.search.proposers.sweep import Sweep

MOST_STEPS = 20_000
BOUND = 10.0
"""A simulation is cut where a state is this many times as large as it ever was in the data."""


def best_run(sweep: Sweep, target: int) -> int:
    """The run of a target with the least final validation error, of nearly equal ones the sparsest."""
    runs = np.flatnonzero(sweep.target == target)
    if not len(runs):
        raise ConfigError("This target was not learned by this network.")
    last = sweep.history[-1]
    errors = np.where(np.isfinite(last.validation[runs]), last.validation[runs], np.inf)
    close = runs[errors <= max(1.1 * errors.min(), 1e-12)]
    return int(min(close, key=lambda run: last.active[run].sum())) if len(close) else int(runs[0])


def history_table(sweep: Sweep, samples: Samples, run: int, target: int = 0, output: int = 0) -> pd.DataFrame:
    """One row a cycle: lambda, weights and terms left, training and validation error, the equation then.

    Terms are those of the exact reading, expanded: each product of inputs and operations counts once. The
    column `expanded` counts as the paper does, see `equation.expansion`. Sparsity is the share of the
    super-graph's weights that are pruned. Errors are root mean squares in units of the target's size. The
    first cycle is the sparse group Lasso.
    """
    rows = []
    for cycle, record in enumerate(sweep.history):
        weights = int(record.active[run].sum())
        try:
            expression = unscale(read(sweep.network(run, cycle))[output], samples.scaling, target)
            terms, equation = len(expression.terms), text(expression, samples.input_names)
        except TooLargeError:
            expression, terms, equation = None, None, "too large to write down"
        rows.append(
            {
                "cycle": cycle + 1,
                "lambda": float(record.lam[run]),
                "weights": weights,
                "sparsity": 1.0 - weights / int(sweep.start.sum()),
                "terms": terms,
                "expanded": _count(expression),
                "training": float(np.sqrt(2.0 * record.energy[run])),
                "validation": float(np.sqrt(2.0 * record.validation[run])),
                "equation": equation,
            }
        )
    return pd.DataFrame(rows)


def _count(expression: Expression | None) -> int | None:
    try:
        return None if expression is None else expanded_terms(expression)
    except TooLargeError:
        return None


def weight_table(sweep: Sweep, run: int, names: tuple[str, ...]) -> pd.DataFrame:
    """The weights that stand after each cycle: cycle, weight (see `weight_labels`), value in scaled units."""
    labels = weight_labels(sweep.architecture, names)
    rows = [
        (cycle + 1, labels[place], float(record.w[run][place]))
        for cycle, record in enumerate(sweep.history)
        for place in np.flatnonzero(record.active[run])
    ]
    return pd.DataFrame(rows, columns=["cycle", "weight", "value"])


def weight_labels(architecture: Architecture, names: tuple[str, ...]) -> list[str]:
    """A name for each weight, in the order of `flatten`: module, then what the weight multiplies.

    `P(y, 2) x` is the weight of x in the PolyNet between y and the second neuron, `A(2) sin` that of the
    sine in its OperNet. Neurons of later layers are numbered on.
    """
    labels: list[str] = []
    neurons = [f"a{number + 1}" for number in range(architecture.earlier(len(architecture.hidden)))]
    for layer, width in enumerate(architecture.hidden):
        first = architecture.earlier(layer)
        seen = [*names, *neurons[:first]] if architecture.dense else list(names)
        sources = (
            seen if layer == 0 or architecture.dense else neurons[architecture.earlier(layer - 1) : first]
        )
        own = range(first + 1, first + width + 1)
        labels += [f"P({s}, {k}) {z}" for k in own for s in sources for z in (*seen, "1")]
        labels += [f"b({k})" for k in own]
        labels += [f"A({k}) {operation.name}" for k in own for operation in architecture.operations]
    read = neurons if architecture.dense else neurons[-architecture.hidden[-1] :]
    outputs = range(1, architecture.outputs + 1)
    return labels + [f"output {m} {a}" if len(outputs) > 1 else f"output {a}" for m in outputs for a in read]


@double_precision
def start_terms(architecture: Architecture, output: int = 0) -> tuple[int, int | None]:
    """Terms of the whole super-graph before the first cycle: of its reading, and as the paper counts."""
    draw = np.random.default_rng(0)
    mask = flatten(initial_mask(architecture))
    expression = read(unflatten(architecture, jnp.asarray(draw.normal(size=mask.shape) * mask)))[output]
    return len(expression.terms), _count(expression)


@dataclass(frozen=True)
class CycleModel:
    """The system as its networks stood after one cycle: for each state the best run's, in the data's units.

    Attributes:
        cycle: number of the cycle, from 1.
        names: of the states.
        architecture: of the networks.
        weights: one row a state: the weights of the network that gives its derivative.
        outputs: which output of that network.
        scaling: of the samples the networks learned from.
        bound: for each state, the size at which a simulation is cut.
    """

    cycle: int
    names: tuple[str, ...]
    architecture: Architecture
    weights: np.ndarray
    outputs: np.ndarray
    scaling: Scaling
    bound: np.ndarray

    @double_precision
    def predict(self, x: ArrayLike) -> np.ndarray:
        """Derivatives (rows, states) at each row of the states."""
        rows = jnp.asarray(np.asarray(x, float))
        return np.asarray(jax.vmap(lambda row: _slopes(self.architecture, self._arrays(), row))(rows))

    @double_precision
    def simulate(self, x0: ArrayLike, t: ArrayLike) -> np.ndarray:
        """States (times reached, states) from x0 at t[0]: as many times as pass before a state blows up."""
        start, times = np.asarray(x0, float), np.asarray(t, float)
        if start.shape != (len(self.names),) or times.ndim != 1 or len(times) < 2:
            raise DataError(
                f"A simulation needs {len(self.names)} numbers to start from and at least two times; got "
                f"{start.shape} and {times.shape}."
            )
        arguments = (self._arrays(), jnp.asarray(start), jnp.asarray(times), jnp.asarray(self.bound))
        x = np.asarray(_simulate(self.architecture, *arguments))
        inside = (np.isfinite(x) & (np.abs(x) <= self.bound)).all(axis=1)
        return x[: len(x) if inside.all() else int(np.argmin(inside))]

    def _arrays(self) -> tuple[jax.Array, ...]:
        parts = (self.weights, self.outputs, self.scaling.inputs, self.scaling.targets)
        return tuple(jnp.asarray(part) for part in parts)


def _slopes(architecture: Architecture, arrays: tuple[jax.Array, ...], x: jax.Array) -> jax.Array:
    weights, outputs, inputs, targets = arrays

    def one(w: jax.Array, output: jax.Array) -> jax.Array:
        return unflatten(architecture, w)(x / inputs)[output]

    return targets * jax.vmap(one)(weights, outputs)


@partial(jax.jit, static_argnums=0)
def _simulate(architecture: Architecture, arrays, x0, t, bound):
    import diffrax  # half a second, for a figure alone

    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda time, x, _: _slopes(architecture, arrays, x)),
        diffrax.Tsit5(),
        t[0],
        t[-1],
        None,
        x0,
        saveat=diffrax.SaveAt(ts=t),
        stepsize_controller=diffrax.PIDController(rtol=1e-8, atol=1e-8),
        max_steps=MOST_STEPS,
        event=diffrax.Event(lambda t, y, args, **_: ~jnp.all(jnp.abs(y) <= bound)),
        throw=False,
    )
    return solution.ys


@double_precision
def cycle_models(sweep: Sweep, samples: Samples) -> list[CycleModel]:
    """For every cycle of a sweep the model its networks make, the best run of each target taken.

    Raises:
        DataError: there are inputs beside the states, so that no network can be simulated by itself.
    """
    states = samples.targets.shape[1]
    if samples.inputs.shape[1] != states:
        raise DataError(
            f"Only systems without control inputs can be simulated from their networks; these have "
            f"{list(samples.input_names[states:])}."
        )
    joint = sweep.architecture.outputs > 1
    runs = [best_run(sweep, 0 if joint else target) for target in range(states)]
    outputs = np.arange(states) if joint else np.zeros(states, int)
    bound = BOUND * np.abs(samples.inputs).max(axis=0)
    return [
        CycleModel(
            cycle + 1,
            samples.target_names,
            sweep.architecture,
            np.stack([record.w[run] for run in runs]),
            outputs,
            samples.scaling,
            bound,
        )
        for cycle, record in enumerate(sweep.history)
    ]
