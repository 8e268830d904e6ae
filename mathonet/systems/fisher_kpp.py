"""Fisher-KPP, u_t = D u_xx + r u (1 - u), on the paper's periodic grid of 26 points."""

import numpy as np

from mathonet.data.field import Field


def fisher_kpp(
    duration: float = 5.0,
    times: int = 11,
    points: int = 26,
    diffusion: float = 0.01,
    growth: float = 1.0,
    spacing: float = 0.04,
) -> tuple[Field, np.ndarray]:
    """The field from a tanh bump, and its exact time derivative.

    The equation is the one of the grid: three-point differences, which is what the paper's data hold. So the
    stencil [1, -2, 1] with diffusion/spacing^2 = 6.25 is exact and not an approximation.
    """
    # Here, because the package of systems loads this file and should not wait for SciPy.
    from scipy.integrate import solve_ivp

    x = spacing * np.arange(points)
    width = 0.2
    edges = [np.tanh((x - (0.5 + side * width / 2)) / (width / 10)) for side in (-1, 1)]
    start = (edges[0] - edges[1]) / 2

    def rate(u: np.ndarray) -> np.ndarray:
        bend = np.roll(u, 1, -1) - 2 * u + np.roll(u, -1, -1)
        return diffusion / spacing**2 * bend + growth * u * (1 - u)

    t = np.linspace(0.0, duration, times)
    solution = solve_ivp(
        lambda _, u: rate(u), (0.0, duration), start, t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13
    )
    values = solution.y.T
    return Field.make(values, t, [x], ["u"], "periodic"), rate(values)[:, :, None]
