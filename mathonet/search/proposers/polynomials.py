"""Polynomials as a proposer: whole blocks of monomials, up to the degree from which on none could win."""

from collections.abc import Iterator, Sequence

from mathonet.equation.expression import Expression
from mathonet.search import effort
from mathonet.search.blocks import could_win, polynomial_forms
from mathonet.search.effort import NORMAL
from mathonet.search.fit import Fit
from mathonet.search.objective import EquationProposer, Limit
from mathonet.search.samples.regression import Regression


class Polynomials(EquationProposer):
    """Sums of monomials: a linear problem, so that no network is needed and nothing is compiled."""

    name = "polynomials"

    def __init__(self, degrees: Sequence[int] = NORMAL.degrees) -> None:
        """Set the degrees of the blocks that are looked at, one after another."""
        self.degrees = degrees

    def forms(self, regression: Regression, limit: Limit | None = None) -> Iterator[Expression]:
        """The best sums of monomials of every degree."""
        best = None
        for degree in self.degrees:
            if best is not None and regression.leaves_noise(best) and not could_win(regression, degree, best):
                return
            forms = polynomial_forms(regression, degree)
            # Of many inputs, straight lines may be all that the samples can tell.
            for form in forms or (polynomial_forms(regression, 1) if best is None else ()):
                fit = regression.fit(form)
                best = fit if best is None or fit.score < best.score else best
                yield fit.expression
            if not forms or (best is not None and self._enough(regression, best)):
                return

    @staticmethod
    def _enough(regression: Regression, best: Fit) -> bool:
        """Whether nothing is left that a higher degree could explain."""
        short = len(best.constants) <= effort.SURE
        return regression.is_exact(best) or (short and regression.within_floor(best))
