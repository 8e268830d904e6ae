"""Presentation: how a fitted estimator shows itself, on paper, in a notebook and in a terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Presentation:
    """What estimators with a `discovery_` show of it; put before scikit-learn's base class.

    The report's libraries are loaded when they are needed: an import of the estimators does not wait for
    them.
    """

    def report(self, path: str | Path) -> Path:
        """Write everything that was found as one HTML page that needs nothing but itself.

        Args:
            path: the file, such as `report.html`; an earlier report there is replaced, another file is not.
        """
        from mathonet.report.page.page import write_report

        return write_report(self, path)

    def plot(self, trajectory: int = 0) -> "Figure":
        """A figure of data against simulation and of what is left over.

        Args:
            trajectory: which one, counted from 0, where there are several.
        """
        self._check_fitted()
        from mathonet.report.overview import draw_overview

        return draw_overview(self, trajectory)

    def __str__(self) -> str:
        """The equations, how far to trust each, and the noise, once they are found."""
        if not self._is_fitted():
            return repr(self)
        from mathonet.report.page.summary import as_text

        return as_text(self)

    def _repr_html_(self) -> str | None:
        """The equations typeset, for notebooks."""
        if not self._is_fitted():
            return self._html_repr()  # pyright: ignore[reportAttributeAccessIssue]
        from mathonet.report.page.summary import as_html

        return as_html(self)

    def _repr_latex_(self) -> str | None:
        """The equations as LaTeX, for notebooks and what is made from them."""
        if not self._is_fitted():
            return None
        from mathonet.report.page.summary import as_latex

        return f"$\\displaystyle {as_latex(self)}$"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """All of these; scikit-learn's own would hide the equations behind its diagram of parameters."""
        shown = {"text/plain": str(self), "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        return {kind: text for kind, text in shown.items() if text is not None}

    def _is_fitted(self) -> bool:
        return hasattr(self, "discovery_")

    def _check_fitted(self) -> None:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "discovery_")
