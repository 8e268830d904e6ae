"""The paper's table of noisy Lorenz derivatives, over seeds and against the Cramer-Rao bound."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from mathonet import Samples, Trajectory, discover, systems
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_sympy
from mathonet.experiments.paper.results import Result
from mathonet.fit.linear import monomial

SIGMAS = (0.0, 0.01, 0.1, 1.0, 10.0)
SIZES = {100: (0.001, 5.0), 10_000: (0.0, 100.0), 100_000: (0.0, 1000.0)}
IDENTIFIABLE = 8.0
"""A cell counts where every true coefficient is this many Cramer-Rao deviations from zero."""
PAPER = {
    0.0: (
        (-9.99999935280567, 9.99999935280567),
        (27.9998710115329, -0.999953545630988, -0.999997263120259),
        (-2.66666669723636, 0.99999998781167),
    ),
    0.1: (
        (-9.99999496925967, 9.99999952895684),
        (28.0258380824985, -1.00998669015022, -1.00052719172829),
        (-2.66666544271354, 0.999999113716832),
    ),
    1.0: (
        (-10.0033841069518, 10.0034298967151),
        (28.0040216562134, -1.00069798536041, -1.00010106902181),
        (-2.66622599261675, 0.999929109879073),
    ),
    10.0: (
        (-9.99893134664084, 10.0048109236265),
        (28.4682092943604, -1.1929184472878, -1.0092184658872),
        (-2.66709953162919, 1.00051935274034),
    ),
}
"""The paper's coefficients, in our order: x, y in x'; x, y, x z in y'; z, x y in z'. It has no 0.01."""


@lru_cache(maxsize=3)
def _clean(size: int) -> Trajectory:
    return systems.get("lorenz").simulate(t_span=SIZES[size], samples=size)


def noise(
    seeds: int, say: Callable[[str], None], sizes: tuple[int, ...] = tuple(SIZES), restarts: int = 5
) -> list[Result]:
    """Every coefficient at every noise level and size, and the pooled ratio of errors to the bound.

    The noisy copies of all seeds share their inputs, so one discovery learns them all, each as a target of
    its own: searched, cleaned and chosen by itself. The search sees 256 rows, score and refit all.
    """
    system = systems.get("lorenz")
    truths = [from_sympy(equation, system.symbols) for equation in system.equations]
    results, squares = [], []
    for size in sizes:
        clean = _clean(size)
        assert clean.x_dot is not None
        for sigma in SIGMAS:
            draw = np.random.default_rng([size, SIGMAS.index(sigma)])
            copies = [clean.x_dot + sigma * draw.standard_normal(clean.x_dot.shape) for _ in range(seeds)]
            names = tuple(f"{name}{seed}" for seed in range(seeds) for name in clean.names)
            found = discover(
                Samples(clean.x, np.concatenate(copies, axis=1), clean.names, names),
                operations=system.operations,
                hidden=system.hidden,
                restarts=restarts,
                rows=256,
            )
            for target, truth in enumerate(truths):
                wanted = np.asarray(constants(truth))
                deviation, inverse = _bound(truth, clean.x, sigma)
                forms = [equation.expression for equation in found.system.equations[target::3]]
                exact = [form for form in forms if form.skeleton == truth.skeleton]
                errors = np.array([np.asarray(constants(form)) - wanted for form in exact])
                if sigma and len(exact) and (np.abs(wanted) >= IDENTIFIABLE * deviation).all() and size > 100:
                    squares += [float(e @ inverse @ e) / len(e) for e in errors]
                for term in range(len(wanted)):
                    ours = float(wanted[term] + errors[:, term].mean()) if len(exact) else None
                    paper = PAPER[sigma][target][term] if sigma in PAPER else None
                    label = f"N = {size}, sigma = {sigma:g}, {clean.names[target]}': coefficient {term + 1}"
                    bound = float(deviation[term]) if sigma else None
                    results.append(Result(label, wanted[term], paper, ours, bound, seeds, len(exact)))
                case = f"N = {size}, sigma = {sigma:g}, {clean.names[target]}'"
                say(f"noise {case}: {len(exact)} of {seeds} exact")
    if squares:
        pooled = float(np.sqrt(np.mean(squares)))
        name = "errors over the Cramer-Rao bound, root mean square, cells with every coefficient sure"
        results.append(Result(name, 1.0, None, pooled, None, len(squares), len(squares)))
        say(f"noise: {name}: {pooled:.4f} over {len(squares)} fits")
    return results


def _bound(truth: Expression, inputs: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Cramer-Rao deviations of the true coefficients, and the inverse of their covariance."""
    design = np.stack([monomial(inputs, term.factors) for term in truth.terms], axis=1)
    information = design.T @ design / max(sigma, 1e-300) ** 2
    return np.sqrt(np.diagonal(np.linalg.inv(design.T @ design))) * sigma, information
