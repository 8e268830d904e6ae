"""Smoothing: states, derivatives and noise from noisy samples, by a Gaussian process or by other methods."""

from mathonet.data.smoothing.methods import Smooth, smooth, smooth_all

__all__ = ["Smooth", "smooth", "smooth_all"]
