"""Draws docs/images/path.svg: the path that obeys an equation step by step, through noisy measurements.

python docs/drawings/path.py
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#555555"


def main(folder: Path) -> None:
    rng = np.random.default_rng(3)
    t = np.linspace(0.0, 6.0, 13)
    truth = np.exp(-0.15 * t) * np.cos(1.3 * t)
    measured = truth + 0.13 * rng.standard_normal(len(t))
    path = truth + 0.03 * rng.standard_normal(len(t))
    figure = Figure(figsize=(7.2, 2.6))
    ax = figure.subplots()
    for start, end, x in zip(t[:-1], t[1:], path[:-1], strict=True):
        fine = np.linspace(start, end, 20)
        # Each step starts at the path's node and follows the true motion from there.
        step = x + np.exp(-0.15 * fine) * np.cos(1.3 * fine) - np.exp(-0.15 * start) * np.cos(1.3 * start)
        ax.plot(fine, step, color=BLUE, lw=1.6, label="one step of the equation" if start == 0 else None)
    ax.vlines(t, measured, path, color=ORANGE, lw=1.0, ls=":", label="residual, over the noise")
    ax.plot(t, path, "o", color=BLUE, ms=5, label="unknown state")
    ax.plot(t, measured, "o", mfc="white", mec=ORANGE, ms=5, label="measured")
    ax.set(xlabel="t", ylabel="x", xlim=(-0.2, 6.2), ylim=(-1.15, 1.75))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, ncols=2, fontsize=9, loc="upper right")
    figure.tight_layout()
    figure.savefig(folder / "path.svg", facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(__file__).parents[1] / "images")
