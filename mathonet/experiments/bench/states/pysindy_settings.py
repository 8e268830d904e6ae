"""PySINDy on the cases of a benchmark: every setting a careful user would try, all fitted here.

A setting is a way to a linear problem (differences, smoothed differences, a spline, the weak form), a
library, an optimiser (sequential thresholding, alone or in an ensemble of bootstrapped fits) and a threshold.
Libraries, derivatives, test functions and optimisers are PySINDy's own.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Protocol

import numpy as np
from scipy.interpolate import make_smoothing_spline

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.operations import get

DEGREES = (2, 3)
THRESHOLDS = tuple(np.geomspace(0.01, 2.0, 14))
SHARES = (0.02, 0.04, 0.08, 0.15, 0.25, 0.4)
"""Thresholds of normalised columns, as a share of the derivative's norm."""
ENSEMBLE_THRESHOLDS = (0.3, 0.1, 0.6, 0.03, 1.0)
ENSEMBLED = ("smoothed differences (21)", "spline", "weak (length/20)", "weak (length/40)")
WINDOWS = (11, 21, 41)
TEST_FUNCTIONS = 300
WIDTHS = (20, 40)
"""Half-widths of the test functions: the length of the series over these; 20 is PySINDy's own."""


class Measured(Protocol):
    """What is known of a case before its data; can be hashed."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measured states."""
        ...

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of what a right-hand side may depend on."""
        ...

    @property
    def order(self) -> int:
        """2 for positions alone, whose second derivative is wanted."""
        ...

    @property
    def known(self) -> tuple[tuple[str, float], ...]:
        """Numbers that are known to stand in equations, by state."""
        ...


@dataclass(frozen=True)
class Library:
    """A PySINDy library of states and inputs, and the same features as expressions and as a function."""

    degree: int
    fourier: bool
    inputs: int

    @cached_property
    def peer(self) -> Any:
        """PySINDy's object, not yet fitted."""
        import pysindy as ps  # pyright: ignore[reportMissingImports]

        polynomials = ps.PolynomialLibrary(degree=self.degree)
        return polynomials + ps.FourierLibrary(n_frequencies=1) if self.fourier else polynomials

    @cached_property
    def names(self) -> list[str]:
        """PySINDy's names of the features."""
        with _quiet():
            return list(self.peer.fit(np.ones((2, self.inputs))).get_feature_names())

    @cached_property
    def features(self) -> list[Expression]:
        """The features as expressions of the inputs."""
        return [_expression(name) for name in self.names]

    @cached_property
    def _exponents(self) -> np.ndarray:
        rows = [name for name in self.names if "(" not in name]
        return np.array([_powers(name, self.inputs) for name in rows])

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Values (..., features) at states and inputs (..., inputs)."""
        table = x[..., None] ** np.arange(self.degree + 1)
        columns = np.prod(table[..., np.arange(self.inputs), self._exponents], axis=-1)
        if not self.fourier:
            return columns
        waves = np.stack([np.sin(x), np.cos(x)], axis=-1).reshape(*x.shape[:-1], -1)
        return np.concatenate([columns, waves], axis=-1)


def _powers(name: str, inputs: int) -> list[int]:
    found = [0] * inputs
    for factor in [] if name == "1" else name.split():
        base, _, exponent = factor.partition("^")
        found[int(base[1:])] += int(exponent or 1)
    return found


def _expression(name: str) -> Expression:
    if "(" in name:
        wave, _, inner = name.rstrip(")").partition("(")
        return apply(get(wave), variable(int(inner.split()[-1][1:])))
    result = number(1.0)
    for factor in [] if name == "1" else name.split():
        base, _, exponent = factor.partition("^")
        result = result * power(variable(int(base[1:])), int(exponent or 1))
    return result


@dataclass(frozen=True)
class Problem:
    """A linear problem: features times coefficients are targets, each row from a stretch of one trajectory.

    Attributes:
        label: the way here.
        library: of the features.
        theta: features (rows, features).
        targets: derivatives or their weak form (rows, states), known terms subtracted.
        place: number of the trajectory, first and last sample (rows, 3).
    """

    label: str
    library: Library
    theta: np.ndarray
    targets: np.ndarray
    place: np.ndarray


@dataclass(frozen=True)
class Setting:
    """A threshold of one optimiser on one problem."""

    problem: Problem
    threshold: float
    normalised: bool
    ensemble: bool

    @property
    def label(self) -> str:
        """In words."""
        kind = ("ensemble, " if self.ensemble else "") + ("normalised, " if self.normalised else "")
        library = self.problem.library
        waves = " with sines" if library.fourier else ""
        return f"{self.problem.label}, degree {library.degree}{waves}, {kind}threshold {self.threshold:.3g}"

    def fit(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Coefficients (states, features) from the given rows."""
        import pysindy as ps  # pyright: ignore[reportMissingImports]

        threshold = self.threshold
        if self.normalised:
            threshold *= float(np.median(np.linalg.norm(self.problem.targets[rows], axis=0)))
        optimiser: Any = ps.STLSQ(threshold=threshold, normalize_columns=self.normalised)
        if self.ensemble:
            optimiser = ps.EnsembleOptimizer(optimiser, bagging=True, n_models=20)
        with _quiet():
            optimiser.fit(self.problem.theta[rows], self.problem.targets[rows])
        return np.asarray(optimiser.coef_)


def settings(
    case: Measured, data: list[Trajectory], libraries: Sequence[Library], orders: Sequence[int] = (2,)
) -> Iterator[Setting]:
    """Every setting, the quick ones first, since time may run out; ensembles where they are of use.

    Args:
        case: what is measured.
        data: the measurements.
        libraries: of features.
        orders: of finite differences; 2 is PySINDy's own.
    """
    problems = list(_problems(case, data, libraries, orders))
    for threshold in THRESHOLDS:
        yield from (Setting(problem, threshold, False, False) for problem in problems)
    for share in SHARES:
        yield from (Setting(problem, share, True, False) for problem in problems)
    smooth = [problem for problem in problems if problem.label in ENSEMBLED]
    for threshold in ENSEMBLE_THRESHOLDS:
        yield from (Setting(problem, threshold, False, True) for problem in smooth)


def _problems(
    case: Measured, data: list[Trajectory], libraries: Sequence[Library], orders: Sequence[int]
) -> Iterator[Problem]:
    known = np.array([dict(case.known).get(name, 0.0) for name in case.names])
    ways = [("given derivatives", _given)] if data[0].x_dot is not None else list(_ways(orders))
    for library in libraries:
        for label, way in ways:
            with _quiet():
                parts = [way(case, trajectory, library) for trajectory in data]
            theta, targets = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
            # The constant feature is 1, or the integral of the test function.
            targets = targets - theta[:, :1] * known if np.any(known) else targets
            place = [np.column_stack([np.full(len(p[2]), i), p[2]]) for i, p in enumerate(parts)]
            yield Problem(label, library, theta, targets, np.concatenate(place))


Way = Callable[[Measured, Trajectory, Library], tuple[np.ndarray, np.ndarray, np.ndarray]]


def _ways(orders: Sequence[int]) -> Iterator[tuple[str, Way]]:
    import pysindy as ps  # pyright: ignore[reportMissingImports]

    for order in orders:
        differences = partial(_strong, method=lambda x, order=order: ps.FiniteDifference(order=order))
        yield f"differences of order {order}", differences
    for window in WINDOWS:
        # A filter by the number of samples; it takes an irregular grid for a regular one, as a user would.
        options = {"window_length": window, "polyorder": 3}
        method = partial(_smoothed, options=options)
        yield f"smoothed differences ({window})", partial(_strong, method=method)
    spline = partial(_strong, method=lambda x: ps.SINDyDerivative(kind="spline", s=_noise(x)))
    yield "spline", spline
    for width in WIDTHS:
        yield f"weak (length/{width})", partial(_weak, width=width)


def _smoothed(x: np.ndarray, options: dict) -> Any:
    import pysindy as ps  # pyright: ignore[reportMissingImports]

    return ps.SmoothedFiniteDifference(smoother_kws=dict(options))


def _noise(x: np.ndarray) -> float:
    """The sum of squares that noise leaves, from fourth differences."""
    return float(len(x) * np.mean(np.diff(x, 4, axis=0) ** 2) / 70.0)


def _given(case: Measured, data: Trajectory, library: Library) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    inputs = data.x if data.u is None else np.hstack([data.x, data.u])
    samples = np.arange(len(data))
    theta = np.asarray(library.peer.fit_transform(inputs))
    return theta, np.asarray(data.x_dot), np.column_stack([samples, samples])


def _strong(
    case: Measured, data: Trajectory, library: Library, method: Callable
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    def differentiated(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        columns = []
        # One at a time, for the noise is not the same in all of them.
        for column in x.T:
            differentiate = method(column[:, None])
            slope = np.asarray(differentiate(column[:, None], data.t))
            smooth = np.asarray(getattr(differentiate, "smoothed_x_", column[:, None]))
            columns.append((smooth[:, 0], slope[:, 0]))
        return np.stack([c[0] for c in columns], axis=1), np.stack([c[1] for c in columns], axis=1)

    x, x_dot = differentiated(np.asarray(data.x))
    if case.order == 2:
        bend = differentiated(x_dot)[1]
        x, x_dot = np.hstack([x, x_dot]), np.hstack([x_dot, bend])
    inputs = x if data.u is None else np.hstack([x, data.u])
    samples = np.arange(len(x))
    theta = np.asarray(library.peer.fit_transform(inputs))
    good = np.isfinite(theta).all(axis=1) & np.isfinite(x_dot).all(axis=1)
    return theta[good], x_dot[good], np.column_stack([samples, samples])[good]


def _weak(
    case: Measured, data: Trajectory, library: Library, width: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import pysindy as ps  # pyright: ignore[reportMissingImports]

    x, t = np.asarray(data.x), np.asarray(data.t)
    if case.order == 2:
        x = np.hstack([x, smooth_states(case, data)[:, 1:]])
    inputs = x if data.u is None else np.hstack([x, data.u])
    length = float(t[-1] - t[0])
    # At least six samples in a test function, else it resolves nothing.
    half = max(length / width, 3.0 * length / len(t))
    weak = ps.WeakPDELibrary(library.peer, spatiotemporal_grid=t, K=TEST_FUNCTIONS, H_xt=half)
    theta = np.asarray(weak.fit_transform(inputs))
    targets = np.asarray(weak.convert_u_dot_integral(x))
    ends = np.array([[indices[0][0], indices[0][-1]] for indices in weak.inds_k])
    return theta, targets, ends


@lru_cache(maxsize=4)
def smooth_states(case: Measured, data: Trajectory) -> np.ndarray:
    """States by smoothing splines, for second order with the rates beside the positions."""
    splines = [make_smoothing_spline(data.t, column) for column in data.x.T]
    columns = [spline(data.t) for spline in splines]
    if case.order == 2:
        columns += [spline.derivative()(data.t) for spline in splines]
    return np.stack(columns, axis=1)


def _quiet() -> warnings.catch_warnings:
    """Thresholds that leave nothing, and the like, are told by warnings; the result says it as well."""
    return warnings.catch_warnings(action="ignore")
