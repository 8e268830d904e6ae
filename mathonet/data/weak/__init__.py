"""The weak form: trajectories without derivatives as a regression problem."""

from mathonet.data.weak.form import weak_samples

__all__ = ["weak_samples"]
