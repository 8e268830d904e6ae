"""mathonet: find the governing equations behind measured data.

Public names are loaded when first used: the numerical stack takes seconds to import, and a command line's
`--help` should not wait for it. Importing the package changes no global state.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mathonet import systems as systems
    from mathonet.compilation import keep_compiled as keep_compiled
    from mathonet.data.samples import Samples as Samples
    from mathonet.data.table import read_table as read_table
    from mathonet.data.trajectory import Trajectory as Trajectory
    from mathonet.errors import ArchiveError as ArchiveError
    from mathonet.errors import ConfigError as ConfigError
    from mathonet.errors import DataError as DataError
    from mathonet.errors import SimulationError as SimulationError
    from mathonet.estimators.discoverer import Discoverer as Discoverer
    from mathonet.estimators.field_discoverer import FieldDiscoverer as FieldDiscoverer
    from mathonet.estimators.loading import load as load
    from mathonet.estimators.regressor import MathONetRegressor as MathONetRegressor
    from mathonet.operations import Operation as Operation
    from mathonet.operations import register as register
    from mathonet.result.discover import discover as discover

_HOME = {
    "Discoverer": "mathonet.estimators.discoverer",
    "FieldDiscoverer": "mathonet.estimators.field_discoverer",
    "MathONetRegressor": "mathonet.estimators.regressor",
    "Samples": "mathonet.data.samples",
    "Trajectory": "mathonet.data.trajectory",
    "read_table": "mathonet.data.table",
    "discover": "mathonet.result.discover",
    "keep_compiled": "mathonet.compilation",
    "load": "mathonet.estimators.loading",
    "Operation": "mathonet.operations",
    "register": "mathonet.operations",
    "ArchiveError": "mathonet.errors",
    "ConfigError": "mathonet.errors",
    "DataError": "mathonet.errors",
    "SimulationError": "mathonet.errors",
}

__all__ = [
    "Discoverer",
    "FieldDiscoverer",
    "MathONetRegressor",
    "Operation",
    "Samples",
    "Trajectory",
    "discover",
    "keep_compiled",
    "load",
    "read_table",
    "register",
    "systems",
]
__version__ = "0.4.0"


def __getattr__(name: str) -> Any:
    if name == "systems":
        return import_module("mathonet.systems")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'mathonet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, "systems"})
