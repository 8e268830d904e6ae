"""Figures of a result: each draws on given axes or on a figure of its own, unknown to pyplot."""

from mathonet.report.attractors import draw_attractors
from mathonet.report.field import draw_field
from mathonet.report.network import draw_network
from mathonet.report.phase import draw_phase
from mathonet.report.prediction import draw_prediction
from mathonet.report.save import save
from mathonet.report.sparsity import draw_sparsity
from mathonet.report.stencil import draw_stencil
from mathonet.report.uncertainty import BandPanel, draw_band, draw_bands
from mathonet.report.weights import draw_weights

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
