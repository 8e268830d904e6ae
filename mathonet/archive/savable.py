"""Savable: what lets an estimator be saved in a folder and given back."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import sympy

from mathonet.archive.run import Saved, write_run
from mathonet.archive.stored_formula import formula_from, formula_to
from mathonet.errors import ConfigError
from mathonet.operations import Operation


class Savable:
    """An estimator with `save`; `mathonet.load` gives it back."""

    def save(self, folder: str | Path) -> Path:
        """Save the result in a folder of its own; `mathonet.load` gives it back, on any machine.

        An earlier archive in this folder is replaced, anything else is refused. Operations of your own are
        saved by name: register them again before loading.
        """
        return write_run(self.saved(), folder)

    @abstractmethod
    def saved(self) -> Saved:
        """Everything that `restored` needs."""

    @classmethod
    @abstractmethod
    def restored(cls, saved: Saved) -> Self:
        """The estimator that was saved."""


def plain(value: Any) -> Any:
    """A parameter as JSON data: operations by their names, formulas of SymPy as trees.

    Raises:
        ConfigError: it is nothing that could be written down.
    """
    if isinstance(value, Operation):
        return value.name
    if isinstance(value, sympy.Expr):
        return formula_to(value)
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ConfigError(f"A parameter {value!r} of type {type(value).__name__} cannot be saved.")


def known_from(known: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Known terms that `plain` wrote down: numbers and texts as they are, trees as formulas of SymPy."""
    if known is None:
        return None
    return {name: formula_from(each) if isinstance(each, dict) else each for name, each in known.items()}
