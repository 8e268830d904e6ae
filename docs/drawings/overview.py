"""Draws docs/images/overview.svg: measurements, the equation found in them, its simulation.

python docs/drawings/overview.py
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from mathonet import Discoverer, systems
from mathonet.result.followed import follow

BLUE, ORANGE, GREY, GREEN = "#0072B2", "#D55E00", "#666666", "#007A5E"
NAMES = ["prey", "hunter"]


def panel(ax, title: str) -> None:
    ax.set_title(title, loc="left", fontsize=11, color="#222222", pad=8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set(xlabel="time", ylim=(0, 12.5), yticks=[0, 4, 8])
    ax.tick_params(labelsize=8)


def main(folder: Path) -> None:
    system = systems.get("lotka-volterra")
    truth = system.simulate(samples=400)
    half = truth.t <= truth.t[-1] / 2
    noise = 0.05 * np.sqrt(np.mean(truth.x**2, axis=0))
    measured = truth.x + noise * np.random.default_rng(0).standard_normal(truth.x.shape)
    model = Discoverer(operations=["ident"])
    model.fit(measured[half], truth.t[half], names=NAMES)
    path = model.simulate(follow(model.discovery_).x[0], truth.t)  # from the start that fits best
    table = model.coefficients_.set_index(["target", "term"])

    def shown(target: str, term: str) -> str:
        row = table.loc[target, term]
        return f"{abs(row.value):.2f} ± {row['std']:.2f}"

    figure = Figure(figsize=(11.5, 3.0))
    left, middle, right = figure.subplots(1, 3, width_ratios=[1, 0.85, 1.3])
    for column, colour in enumerate((BLUE, ORANGE)):
        left.plot(
            truth.t[half], measured[half, column], "o", ms=2.6, color=colour, alpha=0.6, label=NAMES[column]
        )
        right.plot(truth.t, measured[:, column], "o", ms=2.0, color=colour, alpha=0.3)
        right.plot(truth.t, path[:, column], color=colour, lw=1.6)
    panel(left, "1  what you measured")
    left.legend(frameon=False, fontsize=9, loc="upper right", ncols=2, handletextpad=0.1, columnspacing=1.0)
    panel(right, "3  what follows from it")
    right.axvspan(truth.t[half][-1], truth.t[-1], color="#000000", alpha=0.05, lw=0)
    right.text(truth.t[half][-1] + 0.4, 11.3, "not used for learning", fontsize=9, color=GREY)
    middle.set_axis_off()
    middle.set_title("2  the equations it found", loc="left", fontsize=11, color="#222222", pad=8)
    write = {"transform": middle.transAxes, "fontsize": 12, "family": "monospace"}
    lines = [
        (0.86, "prey'   =", BLUE),
        (0.72, f"    ({shown('prey', 'prey')}) prey", BLUE),
        (0.60, f"  - ({shown('prey', 'prey hunter')}) prey hunter", BLUE),
        (0.42, "hunter' =", ORANGE),
        (0.28, f"  - ({shown('hunter', 'hunter')}) hunter", ORANGE),
        (0.16, f"  + ({shown('hunter', 'prey hunter')}) prey hunter", ORANGE),
    ]
    for height, line, colour in lines:
        middle.text(0.0, height, line, color=colour, **write)
    level = " and ".join(dict.fromkeys(model.trust_["level"]))
    middle.text(0.0, -0.02, f"trust: {level}", color=GREEN, transform=middle.transAxes, fontsize=11)
    figure.tight_layout(w_pad=2.0)
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "overview.png", dpi=170, facecolor="white")


if __name__ == "__main__":
    main(Path(__file__).parents[1] / "images")
