"""Figures of a result: each draws on given axes or on a figure of its own, unknown to pyplot."""

from mathonet.report.figures.attractors import draw_attractors
from mathonet.report.figures.field import draw_field
from mathonet.report.figures.network import draw_network
from mathonet.report.figures.phase import draw_phase
from mathonet.report.figures.prediction import draw_prediction
from mathonet.report.figures.save import save
from mathonet.report.figures.sparsity import draw_sparsity
from mathonet.report.figures.stencil import draw_stencil
from mathonet.report.figures.uncertainty import BandPanel, draw_band, draw_bands
from mathonet.report.figures.weights import draw_weights

__all__ = [
    "BandPanel",
    "draw_attractors",
    "draw_band",
    "draw_bands",
    "draw_field",
    "draw_network",
    "draw_phase",
    "draw_prediction",
    "draw_sparsity",
    "draw_stencil",
    "draw_weights",
    "save",
]
