"""The names that stood here up to version 0.2, for one version more; `search` and `result` have them."""

import sys
import warnings
from importlib import import_module

MOVED = {
    "config": "mathonet.search.config",
    "discover": "mathonet.result.discover",
    "history": "mathonet.result.history",
    "result": "mathonet.result.discovery",
    "sweep": "mathonet.search.proposers.sweep",
    "uncertainty": "mathonet.result.uncertainty",
}
"""Modules that the documentation of 0.2 named."""

for _name, _home in MOVED.items():
    sys.modules[f"{__name__}.{_name}"] = import_module(_home)
warnings.warn(
    f"mathonet.discovery is gone in the next version: {', '.join(f'{a} is {b}' for a, b in MOVED.items())}.",
    DeprecationWarning,
    stacklevel=2,
)
