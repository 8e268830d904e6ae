"""The paper's panels of predictive uncertainty: its sampled band and ours, one figure a system and kind."""

from functools import partial

import numpy as np

from mathonet import FieldDiscoverer, systems
from mathonet.experiments.paper.figures import Draw
from mathonet.experiments.paper.results import Part, Say
from mathonet.experiments.paper.uncertainty import SHARE, Panel, panels, uncertainty
from mathonet.report import BandPanel, draw_bands

KINDS = ("linearised", "sampled")
TIMES = (0, 1, 5)
"""Rows of the Fisher-KPP field that are drawn, of 11 from t = 0 to 5."""

NOTES = (
    "Our band is linearised, J Sigma J^T from the refit, with the observation noise added. The paper's is "
    "the spread of 1000 networks sampled from the posterior of the weights; without observation noise, so it "
    "does not claim to cover measurements. Coverage is that of at least 2000 fresh noisy samples; it "
    "succeeds between 93.5 and 97.5 %. In the figures the mean is subtracted.",
)


def uncertainty_part(seeds: int, say: Say) -> Part:
    """The numbers of `uncertainty`, and figures with a panel for each equation and noise level."""
    results = uncertainty(seeds, say)
    shown = panels()
    figures: dict[str, Draw] = {}
    for system, title in (("lorenz", "Lorenz"), ("lotka-volterra", "Lotka-Volterra")):
        chosen = [panel for panel in shown if panel.name.startswith(title)]
        for kind in KINDS:
            drawn = [each for panel in chosen for each in _bands(panel, kind)]
            options = {"columns": len(chosen[0].targets), "relative": True, "ylabel": "derivative"}
            figures[f"{system}-{kind}"] = partial(draw_bands, drawn, **options)
    for kind, drawn in _fisher().items():
        figures[f"fisher-kpp-{kind}"] = partial(draw_bands, drawn, relative=True, xlabel="x", ylabel="u_t")
    return Part(results, figures=figures, notes=NOTES)


def _bands(panel: Panel, kind: str) -> list[BandPanel]:
    band = panel.linearised if kind == "linearised" else panel.sampled
    return [
        BandPanel(
            panel.t,
            band.mean[:, column],
            band.std[:, column],
            panel.measured[:, column],
            panel.truth[:, column],
            f"{target}', {panel.name.partition(', ')[2]}",
        )
        for column, target in enumerate(panel.targets)
    ]


def _fisher() -> dict[str, list[BandPanel]]:
    """Both bands of Fisher-KPP along the axis at some times, from derivatives with 1 % noise."""
    field, rate = systems.fisher_kpp(5.0)
    noise = SHARE * np.std(rate) * np.random.default_rng(17).standard_normal((2, *rate.shape))
    model = FieldDiscoverer(restarts=5).fit(field.values, field.t, [field.x], u_t=rate + noise[0])
    measured = rate + noise[1]
    found = {}
    for kind in KINDS:
        band = model.band(field.values, kind)
        found[kind] = [
            BandPanel(
                field.x,
                band.mean[row, :, 0],
                band.std[row, :, 0],
                measured[row, :, 0],
                rate[row, :, 0],
                f"t = {field.t[row]:g}",
            )
            for row in TIMES
        ]
    return found
