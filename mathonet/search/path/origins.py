"""Origins: who proposed the calls of an equation that a fit of the path chose."""

from mathonet.equation.expression import Expression
from mathonet.equation.kinds import kind


class Origins:
    """The proposers that came first with the calls of a state's equation, whatever polynomial is beside them.

    Moves along the path add and drop terms, so that the chosen form is hardly ever one that was proposed.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._first: dict[tuple[int, frozenset], str] = {}

    def note(self, state: int, form: Expression, origin: str) -> None:
        """Remember who proposed a form of a state, unless another came with its calls before."""
        if kind(form):
            self._first.setdefault((state, _skeletons(form)), origin)
            self._first.setdefault((state, kind(form)), origin)

    def of(self, state: int, form: Expression) -> str | None:
        """Who proposed the calls of a form, or calls of the same operations; None of a polynomial."""
        if not kind(form):
            return None
        return self._first.get((state, _skeletons(form)), self._first.get((state, kind(form))))


def _skeletons(form: Expression) -> frozenset:
    return frozenset(call.skeleton for call in form.calls())
