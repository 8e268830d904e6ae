"""The paper's figures of a search, for any discovery: identified network, weights and sparsity by cycle."""

from collections.abc import Callable
from functools import partial

from matplotlib.axes import Axes

from mathonet.report import draw_network, draw_sparsity, draw_weights
from mathonet.report.figures.style import Canvas
from mathonet.result.discover import Discovery

Draw = Callable[[], Canvas | Axes]


def search_figures(found: Discovery, target: str, suffix: str = "") -> dict[str, Draw]:
    """`network`, `weights` and `sparsity`, each with the suffix; terms are counted as the paper does."""
    return {
        f"network{suffix}": partial(draw_network, found, target),
        f"weights{suffix}": partial(draw_weights, found, target),
        f"sparsity{suffix}": lambda: draw_sparsity(found, target, terms=_counts(found, target)),
    }


def _counts(found: Discovery, target: str) -> list[int | None]:
    """Terms of every cycle as the paper counts; a joint network has those of all its equations."""
    names = found.samples.target_names if found.settings.joint else (target,)
    columns = [found.history(name)["expanded"] for name in names]
    return [
        None if any(count != count or count is None for count in row) else int(sum(row))
        for row in zip(*columns, strict=True)
    ]
