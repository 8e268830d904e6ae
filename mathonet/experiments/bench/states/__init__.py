"""States: a dozen systems at several noises, beside PySINDy."""
