"""Systems whose equations are known, to learn from, to test with and to demonstrate on."""

from typing import TYPE_CHECKING, Any

from mathonet.systems.fisher_kpp import fisher_kpp
from mathonet.systems.registry import all_systems, get, names

if TYPE_CHECKING:
    from mathonet.systems.system import System

__all__ = ["System", "all_systems", "fisher_kpp", "get", "names"]


def __getattr__(name: str) -> Any:
    # System needs SymPy, for which the names of the systems should not wait.
    if name == "System":
        from mathonet.systems.system import System

        return System
    raise AttributeError(f"module 'mathonet.systems' has no attribute {name!r}")
