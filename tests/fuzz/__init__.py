"""Fuzzing: odd files, options and folders made from a seed, and what must never happen to them.

`python -m tests.fuzz --help` tells how; CONTRIBUTING.md when. A case is made from a layer, a seed and a
number, so that any of them can be repeated.
"""
