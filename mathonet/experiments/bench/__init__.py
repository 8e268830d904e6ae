"""Benchmarks: recovery and speed, measured and written to tables."""
