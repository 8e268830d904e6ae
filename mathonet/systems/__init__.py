"""Systems whose equations are known, to learn from, to test with and to demonstrate on."""

from mathonet.systems.fisher_kpp import fisher_kpp
from mathonet.systems.registry import all_systems, get, names
from mathonet.systems.system import System

__all__ = ["System", "all_systems", "fisher_kpp", "get", "names"]
