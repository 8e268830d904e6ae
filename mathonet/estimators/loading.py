"""load: the estimator that was saved in a folder, by `save` or by a run of the command line."""

from pathlib import Path

from mathonet.archive.run import ARCHIVE, damaged, read_run
from mathonet.estimators.discoverer import Discoverer
from mathonet.estimators.field_discoverer import FieldDiscoverer
from mathonet.estimators.regressor import MathONetRegressor
from mathonet.precision import double_precision

KINDS = {each.__name__: each for each in (Discoverer, FieldDiscoverer, MathONetRegressor)}


@double_precision
def load(folder: str | Path) -> Discoverer | FieldDiscoverer | MathONetRegressor:
    """Give back a saved estimator: the same equations, tables, predictions, bands and simulations.

    Args:
        folder: of a finished run, or what `save` was given.

    Raises:
        ArchiveError: there is no archive, it is damaged or of another format, or it needs an operation of
            your own that is not registered.
    """
    saved = read_run(folder)
    if not isinstance(saved.kind, str) or saved.kind not in KINDS:
        raise damaged(Path(folder) / ARCHIVE, f"it is of an unknown kind {saved.kind!r}")
    try:
        return KINDS[saved.kind].restored(saved)
    except (
        LookupError,
        TypeError,
        AttributeError,
        ValueError,
        ArithmeticError,
        MemoryError,
        RecursionError,
    ) as error:
        raise damaged(Path(folder) / ARCHIVE, f"{type(error).__name__}: {error}") from error
