"""The paper's predictive uncertainty beside ours: what the bands and the intervals of coefficients cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mathonet import FieldDiscoverer, Samples, Trajectory, systems
from mathonet.equation.assembly import constants
from mathonet.experiments.paper.noisy import SIZES, clean, noisy_discovery
from mathonet.experiments.paper.results import Result, Say
from mathonet.experiments.truth import truths
from mathonet.precision import double_precision
from mathonet.result.discover import Discovery
from mathonet.result.uncertainty import Band, linearised_band, sampled_band
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.samples.regression import Regression

SIGMAS = (0.01, 0.1, 1.0, 10.0)
SHARE = 0.01
"""Noise of Lotka-Volterra and Fisher-KPP, as a share of each derivative's deviation."""
COPIES = {10_000: 1, 300: 2, 100: 2}
"""Most noisy copies that are searched, by the number of samples: with more samples they differ less."""
FRESH, REFITS = 2048, 200
"""Fresh samples for each equation, and noises of the refits."""
NOMINAL, LEAST, MOST = 0.9545, 0.935, 0.975
"""Share of a normal distribution within two deviations, and the bounds that a band's coverage must keep."""


@dataclass(frozen=True)
class Panel:
    """One model along a path, for a figure: what is true, what is measured, and both bands.

    Attributes:
        name: of the system.
        noise: standard deviation of each target's noise.
        targets: names of the targets, the columns of all arrays.
        t: times of the rows.
        truth: derivatives without noise.
        measured: the same with noise that no model has seen.
        linearised: our band.
        sampled: the paper's.
    """

    name: str
    noise: np.ndarray
    targets: tuple[str, ...]
    t: np.ndarray
    truth: np.ndarray
    measured: np.ndarray
    linearised: Band
    sampled: Band


def uncertainty(
    seeds: int,
    say: Say,
    sizes: Sequence[int] = (10_000, 100),
    sigmas: Sequence[float] = SIGMAS,
) -> list[Result]:
    """Coverage and width of our band and of the paper's, and coverage of the intervals of coefficients.

    As many noisy copies of each case as `COPIES` says (`seeds` if fewer) are searched on 256 rows and
    refitted on all. A copy's coverage succeeds if it lies within 93.5 and 97.5 %. The paper's band is that of
    the network as it was searched, so of 256 rows; it holds no observation noise and does not claim to cover
    measurements.
    """
    results, inside = [], []
    for size in sizes:
        for sigma in sigmas:
            found = lorenz_discovery(size, sigma, min(seeds, COPIES[size]))
            results += _cell(
                found, "lorenz", np.full(3, sigma), f"Lorenz, N = {size}, sigma = {sigma:g}", say
            )
            inside += _intervals(found, "lorenz")
        results.append(_refitted("lorenz", size, say))
    found, noise = lotka_volterra_discovery(min(seeds, COPIES[300]))
    results += _cell(found, "lotka-volterra", noise, "Lotka-Volterra, N = 300, noise 1 %", say)
    inside += _intervals(found, "lotka-volterra")
    results += [_refitted("lotka-volterra", 300, say), *_fisher(say)]
    name = "intervals of coefficients, all equations found with the true terms: coverage"
    share, count = float(np.mean(inside)), len(inside)
    results.append(Result(name, NOMINAL, None, share, None, count, int(np.sum(inside))))
    say(f"uncertainty, {name}: {share:.4f} of {count}")
    return results


def panels(
    sigmas: Sequence[float] = (0.0, 0.01, 0.1, 1.0, 10.0), size: int = 10_000, samples: int = 1000
) -> list[Panel]:
    """Both bands along the paper's path of the Lorenz system for each noise level, and of Lotka-Volterra."""
    found = []
    for sigma in sigmas:
        path = systems.get("lorenz").simulate(t_span=SIZES[100], samples=400)
        discovery = lorenz_discovery(size, sigma, COPIES[size])
        found.append(_panel(discovery, f"Lorenz, sigma = {sigma:g}", path, np.full(3, sigma), samples))
    discovery, noise = lotka_volterra_discovery(COPIES[300])
    path = systems.get("lotka-volterra").simulate(samples=400)
    return [*found, _panel(discovery, "Lotka-Volterra, noise 1 %", path, noise, samples)]


@lru_cache(maxsize=16)
def lorenz_discovery(size: int, sigma: float, copies: int) -> Discovery:
    """The Lorenz equations from noisy derivatives; every copy of the noise gives three targets."""
    return noisy_discovery("lorenz", size, sigma, copies, [size, round(1000 * sigma)])


@lru_cache(maxsize=2)
def lotka_volterra_discovery(copies: int) -> tuple[Discovery, np.ndarray]:
    """The same for Lotka-Volterra, and the deviations of its noise."""
    data = clean("lotka-volterra", 300)
    assert data.x_dot is not None
    noise = SHARE * np.std(data.x_dot, axis=0)
    return noisy_discovery("lotka-volterra", 300, noise, copies, [300]), noise


def _fresh(name: str) -> Trajectory:
    """Points of the same motion that no model has seen: a later stretch of the attractor or of the cycle."""
    system = systems.get(name)
    start = {"lorenz": (5.0, -5.0, 20.0)}.get(name)
    return system.simulate(start=start, t_span=(0.0, 50.0 if start else system.t_span[1]), samples=FRESH)


def _cell(found: Discovery, name: str, noise: np.ndarray, case: str, say: Say) -> list[Result]:
    fresh, states = _fresh(name), len(noise)
    copies = len(found.system.equations) // states
    assert fresh.x_dot is not None
    draw = np.random.default_rng([7, *case.encode()])
    measured = np.tile(fresh.x_dot, copies)
    measured = measured + np.tile(noise, copies) * draw.standard_normal(measured.shape)
    ours, sampled = linearised_band(found, fresh.x), sampled_band(found, fresh.x)
    return _compared(ours, sampled, measured, noise, [f"{state}'" for state in fresh.names], case, say)


def _compared(
    ours: Band,
    sampled: Band,
    measured: np.ndarray,
    noise: np.ndarray,
    names: Sequence[str],
    case: str,
    say: Say,
) -> list[Result]:
    """Coverage for each equation and for all, and the widths of both bands in deviations of the noise."""
    states, columns = len(names), measured.shape[1]
    copies = columns // states
    covered, paper = ours.covers(measured).mean(axis=0), sampled.covers(measured).mean(axis=0)
    results = []
    for state, name in enumerate(names):
        shares = covered[state::states]
        good = int(np.sum((shares >= LEAST) & (shares <= MOST)))
        label = f"{case}, {name}: coverage of our band"
        results.append(Result(label, NOMINAL, None, float(shares.mean()), None, copies, good))
    share = float(covered.mean())
    of_copies = covered.reshape(copies, states).mean(axis=1)
    good = int(np.sum((of_copies >= LEAST) & (of_copies <= MOST)))
    scale = np.tile(noise, copies)
    widths = [float(np.mean((band.high - band.low) / scale)) for band in (ours, sampled)]
    results += [
        Result(f"{case}: coverage of our band", NOMINAL, None, share, None, copies, good),
        Result(f"{case}: coverage of the sampled band", None, None, float(paper.mean()), None, copies, None),
        Result(f"{case}: width of our band in noise deviations", 4.0, None, widths[0], None, copies, None),
        Result(
            f"{case}: width of the sampled band in noise deviations",
            None,
            None,
            widths[1],
            None,
            copies,
            None,
        ),
    ]
    say(
        f"uncertainty, {case}: ours covers {share:.4f}, width {widths[0]:.2f}; "
        f"sampled {paper.mean():.4f}, width {widths[1]:.2f}"
    )
    return results


def _intervals(found: Discovery, name: str) -> list[bool]:
    """Which true coefficients lie within two deviations, of the equations that have the true terms."""
    wanted, inside = truths(name), []
    for number, equation in enumerate(found.system.equations):
        truth = wanted[number % len(wanted)]
        if equation.expression.skeleton == truth.skeleton:
            table = equation.coefficients()
            inside += list(np.abs(table["value"] - constants(truth)) <= 2.0 * table["std"])
    return inside


@double_precision
def _refitted(name: str, size: int, say: Say) -> Result:
    """Coverage of the two-deviation intervals over many noises, each refitted in the true form.

    The share does not depend on the size of the noise: these forms are linear in their coefficients.
    """
    data, wanted, inside = clean(name, size), truths(name), []
    assert data.x_dot is not None
    draw = np.random.default_rng([11, size])
    for _ in range(REFITS):
        targets = data.x_dot + draw.standard_normal(data.x.shape)
        problem = make_problem(Samples(data.x, targets, data.names, data.names), None)
        for target, truth in enumerate(wanted):
            fitted = Regression(problem.column(target), (), 0.0).fit(truth)
            error = np.abs(fitted.constants - constants(truth))
            inside += list(error <= 2.0 * np.sqrt(np.diagonal(fitted.covariance)))
    label = f"{systems.get(name).title}, N = {size}: intervals of coefficients, true form refitted: coverage"
    share = float(np.mean(inside))
    say(f"uncertainty, {label}: {share:.4f} of {len(inside)}")
    return Result(label, NOMINAL, None, share, None, len(inside), int(np.sum(inside)))


def _fisher(say: Say) -> list[Result]:
    """Fisher-KPP on the paper's grid; the fresh samples are of the same field at other times."""
    field, rate = systems.fisher_kpp(5.0)
    sigma, draw = SHARE * np.std(rate), np.random.default_rng(13)
    model = FieldDiscoverer(restarts=5)
    model.fit(field.values, field.t, [field.x], u_t=rate + sigma * draw.standard_normal(rate.shape))
    later, clean = systems.fisher_kpp(4.9, times=80)
    measured = (clean + sigma * draw.standard_normal(clean.shape)).reshape(-1, 1)

    def flat(band: Band) -> Band:
        return Band(band.mean.reshape(-1, 1), band.std.reshape(-1, 1))

    ours, sampled = (flat(model.band(later.values, kind)) for kind in ("linearised", "sampled"))
    return _compared(ours, sampled, measured, np.array([sigma]), ["u_t"], "Fisher-KPP, T = 5, noise 1 %", say)


def _panel(discovery: Discovery, name: str, path: Trajectory, noise: np.ndarray, samples: int) -> Panel:
    assert path.x_dot is not None
    measured = path.x_dot + noise * np.random.default_rng(23).standard_normal(path.x.shape)
    states = len(noise)

    def first(band: Band) -> Band:
        """The targets of the first copy of the noise."""
        return Band(band.mean[:, :states], band.std[:, :states])

    ours, sampled = linearised_band(discovery, path.x), sampled_band(discovery, path.x, samples)
    return Panel(name, noise, path.names, path.t, path.x_dot, measured, first(ours), first(sampled))
