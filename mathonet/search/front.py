"""Front: what was fitted, the best fit of every structure; the only memory of forms that a search has."""

from collections.abc import Iterator, Sequence

from mathonet.equation.expression import Expression
from mathonet.search import effort
from mathonet.search.fit import Fit, Structure, structure


class Front:
    """The best fit of every structure that was met."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._fits: dict[Structure, Fit] = {}
        self._tried: set[Structure] = set()
        self._led: dict[Structure, Structure] = {}

    def __iter__(self) -> Iterator[Fit]:
        """Every fit."""
        return iter(self._fits.values())

    def __len__(self) -> int:
        """How many structures were met."""
        return len(self._fits)

    def keep(self, fit: Fit) -> Fit:
        """Enter a fit; the better of it and what was known of its structure."""
        known = self._fits.get(fit.structure)
        if known is None or fit.score < known.score:
            self._fits[fit.structure] = fit
            return fit
        return known

    def get(self, forms: Sequence[Expression]) -> Fit | None:
        """What is known of the structure of some forms."""
        return self._fits.get(structure(forms))

    def first_time(self, forms: Sequence[Expression]) -> bool:
        """Whether this is asked for the first time of a structure."""
        key = structure(forms)
        new = key not in self._tried
        self._tried.add(key)
        return new

    def lead(self, forms: Sequence[Expression], fit: Fit) -> None:
        """Note what clean-up made of some forms."""
        self._led[structure(forms)] = fit.structure

    def led_to(self, forms: Sequence[Expression]) -> Fit | None:
        """What clean-up made of the structure of some forms before."""
        found = self._led.get(structure(forms))
        return None if found is None else self._fits.get(found)

    def ranked(self) -> list[Fit]:
        """All fits, the best score first."""
        return sorted(self._fits.values(), key=lambda each: each.score)

    @property
    def best(self) -> Fit | None:
        """The fit with the best score."""
        return min(self._fits.values(), key=lambda each: each.score, default=None)

    @property
    def closest(self) -> Fit | None:
        """The best of the fits that leave next to the least."""
        return min(self._close(), key=lambda each: each.score, default=None)

    @property
    def shortest(self) -> Fit | None:
        """Of these, the one with the fewest constants."""
        return min(self._close(), key=lambda each: (len(each.constants), each.chi2), default=None)

    def _close(self) -> list[Fit]:
        least = min((each.chi2 for each in self), default=0.0)
        return [each for each in self if each.chi2 <= effort.TENFOLD * least]

    def by_size(self) -> list[Fit]:
        """The fits that leave less than all with as few constants or fewer."""
        found: list[Fit] = []
        for each in sorted(self, key=lambda each: (len(each.constants), each.chi2)):
            if not found or (each.chi2 < found[-1].chi2 and len(each.constants) > len(found[-1].constants)):
                found.append(each)
        return found
