"""Predictive bands of a discovery: linearised in the constants with the noise (ours), and sampled (paper's).

Ours follows from the refit: the constants c have covariance Sigma, so a prediction f(x; c) has the variance
J Sigma J^T with J = df/dc, and a new measurement of it the variance J Sigma J^T + sigma^2. It needs no
samples, and no choice among weights that say the same thing.

The paper samples T networks from the posterior of the weights and takes mean and deviation of what they
predict. The posterior of a living weight is N(w_i, zeta_ii) with zeta = (1/eta + H)^-1 of the last cycle: a
variance, whose root is the deviation. H = J^T J/(N lambda) is the curvature of a likelihood with variance
N lambda, so zeta is in the right units where lambda has come down to sigma^2/N, which is where a run on
noisy data ends. Without noise a run ends earlier: N lambda then stands far above the rounding, and so does
the band.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import jax
import numpy as np
from numpy.typing import ArrayLike

from mathonet.equation.assembly import tape_operations
from mathonet.equation.sensitivity import sensitivity
from mathonet.errors import ConfigError, DataError
from mathonet.precision import double_precision
from mathonet.result.discover import Discovery
from mathonet.result.posterior import sample_moments, weight_posterior
from mathonet.search.config import is_whole

Kind = Literal["linearised", "sampled"]

DEVIATIONS = 2.0
"""Half the width of a band: two deviations, which cover 95.4 % of a normal distribution."""


@dataclass(frozen=True)
class Band:
    """Mean and standard deviation of predictions, both of one shape: (rows, targets).

    Attributes:
        mean: the prediction.
        std: its standard deviation.
        finite: share of the sampled networks whose value was finite there; the others are left out of mean
            and deviation. None for a band that was not sampled.
    """

    mean: np.ndarray
    std: np.ndarray
    finite: np.ndarray | None = None

    @property
    def low(self) -> np.ndarray:
        """Two deviations below the mean."""
        return self.mean - DEVIATIONS * self.std

    @property
    def high(self) -> np.ndarray:
        """Two deviations above the mean."""
        return self.mean + DEVIATIONS * self.std

    def covers(self, values: ArrayLike) -> np.ndarray:
        """Which of the values, of the band's shape, lie within it."""
        seen = np.asarray(values, float)
        if seen.shape != self.mean.shape:
            raise DataError(
                f"The band has shape {self.mean.shape}, the values {seen.shape}: make them equal."
            )
        return np.abs(seen - self.mean) <= DEVIATIONS * self.std


@double_precision
def linearised_band(discovery: Discovery, inputs: ArrayLike, noise: bool = True) -> Band:
    """The chosen equations at new inputs with the deviation J Sigma J^T, of new measurements if `noise`.

    Args:
        discovery: what was found.
        inputs: one row a point, columns as in the samples.
        noise: whether the noise of the measured derivatives is added; without it the band is that of the
            equation itself.
    """
    rows, samples = _rows(discovery, inputs), discovery.samples
    if noise and (samples.operator is not None or samples.weights is not None):
        raise ConfigError(
            "The residuals behind these equations are weighted or come from a weak form: their size is not "
            "the noise of a derivative. Ask for the band of the equations alone, with noise=False."
        )
    operations = tape_operations(discovery.settings.resolved())
    mean, variance = [], []
    for equation in discovery.system.equations:
        slopes = sensitivity(equation.expression, rows, operations)
        spread = np.einsum("ri,ij,rj->r", slopes, equation.covariance, slopes)
        mean.append(equation(rows))
        variance.append(np.maximum(spread, 0.0) + (equation.sigma**2 if noise else 0.0))
    centre = np.stack(mean, axis=1)
    # Where an equation has no value (the logarithm of a negative number), a guard still has a slope.
    return Band(centre, np.where(np.isfinite(centre), np.sqrt(np.stack(variance, axis=1)), np.nan))


@double_precision
def sampled_band(discovery: Discovery, inputs: ArrayLike, samples: int = 1000, seed: int = 0) -> Band:
    """The paper's band: mean and deviation of networks sampled from the posterior of each target's best run.

    It holds no observation noise, and it is of the network as it was learned, before clean-up and refit. The
    weights are sampled independently, so scales that output, OperNet and PolyNet share are counted several
    times.

    Args:
        discovery: what was found.
        inputs: one row a point, columns as in the samples.
        samples: T, number of networks.
        seed: of the samples.
    """
    for name, value, least in (("samples", samples, 2), ("seed", seed, 0)):
        if not is_whole(value) or value < least:
            raise ConfigError(f"{name} must be a whole number of at least {least}, got {value!r}.")
    rows, scaling = _rows(discovery, inputs), discovery.samples.scaling
    found = []
    for target in range(len(discovery.system.equations)):
        posterior = weight_posterior(discovery, target)
        key = jax.random.fold_in(jax.random.key(seed), target)
        draws = np.asarray(jax.random.normal(key, (int(samples), posterior.w.size)))
        moments = sample_moments(posterior, draws, rows / scaling.inputs)
        output = target if discovery.settings.joint else 0
        found.append([part[:, output] for part in moments])
    mean, std, finite = (np.stack(parts, axis=1) for parts in zip(*found, strict=True))
    return Band(mean * scaling.targets, std * scaling.targets, finite)


def band(discovery: Discovery, inputs: ArrayLike, kind: Kind, samples: int, seed: int) -> Band:
    """The band of a kind; number and seed of the samples are for the sampled one."""
    if kind not in get_args(Kind):
        raise ConfigError(f"kind={kind!r} does not exist; choose 'linearised' or 'sampled'.")
    if discovery.measured is not None:
        if kind == "sampled":
            raise ConfigError(
                "The sampled band is that of networks learned from derivatives, and these equations come "
                "from states alone: ask for kind='linearised'."
            )
        # No derivative was measured, so there is none whose noise could be added.
        return linearised_band(discovery, inputs, noise=False)
    if kind == "sampled":
        return sampled_band(discovery, inputs, samples, seed)
    return linearised_band(discovery, inputs)


def _rows(discovery: Discovery, inputs: ArrayLike) -> np.ndarray:
    names = discovery.samples.input_names
    try:
        rows = np.asarray(inputs, float)
    except (TypeError, ValueError) as error:
        raise DataError(f"The inputs of a band must be an array of numbers ({error}).") from error
    if rows.ndim != 2 or rows.shape[1] != len(names) or not len(rows):
        raise DataError(
            f"The inputs of a band must be (rows, {len(names)}) for {list(names)}, got {rows.shape}."
        )
    if not np.isfinite(rows).all():
        row = int(np.argwhere(~np.isfinite(rows))[0][0])
        raise DataError(f"The inputs of a band are not finite in row {row}: leave such rows out.")
    return rows
