"""Versions of what a result was computed with."""

import platform
from functools import lru_cache
from importlib import metadata

PACKAGES = ("mathonet", "jax", "jaxlib", "equinox", "diffrax", "numpy", "scipy", "sympy", "pandas")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Python, the machine and every package that takes part in a search."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed as a package"
    return found
