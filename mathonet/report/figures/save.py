"""Writing a figure: PNG for the screen, SVG with its text as text, equal bytes from equal figures."""

import io
import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mathonet.errors import ConfigError
from mathonet.paths import local_path
from mathonet.report.figures.style import Canvas
from mathonet.writing import make_folders, write_file

DPI = 300


def save(figure: Canvas | Axes, folder: str | Path, name: str) -> tuple[Path, Path]:
    """Write `folder/name.png` and `folder/name.svg`; the folder is made if it is missing.

    Neither file holds a date, a version or a random number: the same figure drawn again gives the same bytes.

    Args:
        figure: a figure, or axes whose whole figure is meant.
        folder: where to.
        name: of the files, without an ending: letters, digits, points, hyphens and underscores.

    Returns:
        The paths of the PNG and of the SVG.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise ConfigError(
            f"A figure cannot be saved as {name!r}: give a name of letters, digits, '.', '-' and '_'."
        )
    whole = figure
    while not isinstance(whole, Figure):
        whole = whole.figure
    place = local_path(folder)
    make_folders(place)
    png, svg = place / f"{name}.png", place / f"{name}.svg"
    # The salt makes the ids of clip paths and markers a function of their content alone.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mathonet", "savefig.bbox": None}):
        for path, left_out in ((png, ("Software",)), (svg, ("Date", "Creator"))):
            drawn = io.BytesIO()
            metadata = dict.fromkeys(left_out)
            whole.savefig(drawn, format=path.suffix[1:], dpi=DPI, metadata=metadata, facecolor="white")
            write_file(path, drawn.getvalue())
    return png, svg
