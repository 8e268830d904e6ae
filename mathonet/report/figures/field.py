"""A field over space and time, its prediction and their difference."""

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from mathonet.errors import DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.arrays import table, vector
from mathonet.report.figures.style import COLUMN, Canvas, framed, new_figure, styled


@styled
def draw_field(
    t: ArrayLike,
    x: ArrayLike,
    observed: ArrayLike,
    predicted: ArrayLike | None = None,
    name: str = "u",
    figure: Canvas | None = None,
    tlabel: str = "t",
    xlabel: str = "x",
) -> Canvas:
    """Draw a field as an image, time to the right; below it the prediction and the difference, if given.

    Both images of the field share one colour scale. The difference, predicted less observed, has its own,
    symmetric about zero.

    Args:
        t: times, in increasing order.
        x: points of the grid, in increasing order.
        observed: values (times, points); a last axis of length one is dropped.
        predicted: values of the same shape, nan where there are none.
        name: of the field.
        figure: to draw on; None makes one of a column's width.
        tlabel: of the times.
        xlabel: of the points.
    """
    times, points = vector(t, "t"), vector(x, "x")
    for what, values in (("t", times), ("x", points)):
        if len(values) < 2 or (np.diff(values) <= 0).any():
            raise DataError(f"{what} must be at least two increasing numbers.")
    shape = (len(times), len(points))
    seen = _grid(observed, "observed", shape)
    panels: list[tuple[str, np.ndarray, bool]] = [("observed", seen, False)]
    if predicted is not None:
        found = _grid(predicted, "predicted", shape)
        panels += [("predicted", found, False), ("difference", found - seen, True)]
    figure = new_figure(COLUMN, 0.4 + 1.05 * len(panels)) if figure is None else figure
    axes = np.atleast_1d(figure.subplots(len(panels), 1, sharex=True, sharey=True))
    known = np.concatenate([values.ravel() for _, values, signed in panels if not signed])
    low, high = _range(known)
    for ax, (title, values, signed) in zip(axes, panels, strict=True):
        most = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
        limits = (-(most or 1.0), most or 1.0) if signed else (low, high)
        _image(ax, times, points, values, limits, signed, figure, f"{title} {lettering.label(name)}")
        ax.set_ylabel(lettering.label(xlabel))
    axes[-1].set_xlabel(lettering.label(tlabel))
    return figure


def _grid(values: ArrayLike, what: str, shape: tuple[int, int]) -> np.ndarray:
    found = np.asarray(values)
    return table(found[..., 0] if found.ndim == 3 and found.shape[2] == 1 else found, what, shape)


def _range(values: np.ndarray) -> tuple[float, float]:
    values = values[np.isfinite(values)]
    if not values.size:
        raise DataError("The field has no finite value to draw.")
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _image(
    ax: Axes,
    times: np.ndarray,
    points: np.ndarray,
    values: np.ndarray,
    limits: tuple[float, float],
    signed: bool,
    figure: Any,
    label: str,
) -> None:
    framed(ax)
    # Numbers beside the colours are of order one; their power of ten stands in the label.
    exponent = math.floor(math.log10(max(map(abs, limits))))
    exponent = exponent if not -2 <= exponent <= 3 else 0
    scale = 10.0**exponent
    image = ax.pcolormesh(
        times,
        points,
        np.ma.masked_invalid(values).T / scale,
        shading="nearest",
        cmap="RdBu_r" if signed else "viridis",
        vmin=limits[0] / scale,
        vmax=limits[1] / scale,
        rasterized=True,
    )
    ax.locator_params(nbins=4)
    bar = figure.colorbar(image, ax=ax, pad=0.02, aspect=9)
    bar.locator = MaxNLocator(4)
    bar.update_ticks()
    bar.set_label(label + (rf" ($10^{{{exponent}}}$)" if exponent else ""))
    bar.outline.set_linewidth(0.4)
    framed(bar.ax)
    for spine in ax.spines.values():
        spine.set_visible(True)
