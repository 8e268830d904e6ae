"""Experiments that are commands: benchmarks and the paper's results."""
