"""Calls that are looked at in company alone: roots of sums of squares, calls of calls, products of powers."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from mathonet.equation.expression import Call, Expression, Factors, Term, number, variable
from mathonet.equation.flow import evaluate
from mathonet.operations import get
from mathonet.search.terms import BENDS, FEW, OFFSETS, RATES, WAVES, Catalogue, Inside, one_sign

EXPONENTS = (-1.5, -0.75, -0.25, 0.25, 0.75, 1.5)
"""Of two powers whose product is looked at."""
TIMES = (1.0, 2.0)
"""Frequencies of the waves above a quotient that has a wave below."""
ABOVE_ONE = (1.05, 1.15, 1.4, 2.0, 3.5, 8.0)
"""What is added to a wave below a quotient."""
LEVELS = (0.05, 0.3, 1.0, 3.0, 20.0)
"""What is added to an exponential in a logarithm."""

WIDTHS, MIDDLES = (0.25, 0.5, 1.0, 2.0), (0.05, 0.35, 0.65, 0.95)
"""Of a bell: its deviation in units of the data's, and its middle as their quantile."""
HILLS = (0.5, 1.5, 2.5, 3.5, 5.5)
"""Exponents below a quotient; a fit finds the right one from the nearest."""

Calls = tuple[Inside, ...]


def nested_calls(catalogue: Catalogue) -> Iterator[Calls]:
    """Calls, and products of calls, of these kinds."""
    kinds = [_roots, _soft_thresholds, _bells]
    if catalogue.count <= FEW:
        kinds += [_real_hills, _activations, _products_of_powers, _over_waves]
    return ((call,) for kind in kinds for call in kind(catalogue))


def _roots(catalogue: Catalogue) -> Iterator[Inside]:
    """Powers of x^2 + c and x^2 + b y^2: root, inverse, one over the root, one over the root's cube."""
    root, inverse = (catalogue.operations.get(name) for name in ("sqrt", "inv"))
    ident = get("ident")
    faces = [(root,)] if root else []
    faces += [(inverse,)] if inverse else []
    faces += [(root, ident), (inverse, root)] if root and inverse else []
    squares: list[Factors] = [((place, 2),) for place in range(catalogue.count)]
    for square, face in product(squares, faces):
        for offset in (each * catalogue.size(square) for each in OFFSETS):
            yield Inside(face, (square,), (1.0, offset), (False, True))
    for (i, first), (j, second) in combinations(enumerate(squares), 2):
        ratio = catalogue.size(first) / catalogue.size(second)
        # Most often both count alike, in the data's own units.
        alike = (catalogue.unit[catalogue.single[j]] / catalogue.unit[catalogue.single[i]]) ** 2
        for bend, face in product((alike, *(bend * ratio for bend in BENDS)), faces):
            yield Inside(face, (first, second), (1.0, bend, 0.0), (False, True, False))


def _soft_thresholds(catalogue: Catalogue) -> Iterator[Inside]:
    """log(c + exp(r x)), of an input or a product."""
    if not {"exp", "log"} <= catalogue.operations.keys():
        return
    exponential, logarithm = (catalogue.operations[name] for name in ("exp", "log"))
    everything: Factors = tuple((place, 1) for place in range(catalogue.count))
    for factors in dict.fromkeys([*catalogue.single, *catalogue.products, everything]):
        for rate, level in product(RATES, LEVELS):
            inner = Expression((Term(rate / catalogue.size(factors), factors),))
            feature: Factors = ((Call(exponential, inner), 1),)
            yield Inside((logarithm,), (feature,), (1.0, level), (False, True))


def _bells(catalogue: Catalogue) -> Iterator[Inside]:
    """exp(-r (x - m)^2)."""
    if "exp" not in catalogue.operations:
        return
    for place, column in enumerate(catalogue.rows.T):
        spread = float(np.std(column)) or 1.0
        for width, share in product(WIDTHS, MIDDLES):
            rate, middle = 0.5 / (width * spread) ** 2, float(np.quantile(column, share))
            values = (-rate, 2.0 * rate * middle, -rate * middle**2)
            yield Inside(
                (catalogue.operations["exp"],), (((place, 2),), ((place, 1),)), values, (True, True, False)
            )


def _real_hills(catalogue: Catalogue) -> Iterator[Inside]:
    """1/(c + x^p) with an exponent that is no whole number."""
    if not {"exp", "log", "inv"} <= catalogue.operations.keys():
        return
    exponential, logarithm, inverse = (catalogue.operations[name] for name in ("exp", "log", "inv"))
    for place in range(catalogue.count):
        if one_sign(catalogue.rows[:, place]):
            for exponent in HILLS:
                log = Term(exponent, ((Call(logarithm, variable(place)), 1),))
                feature: Factors = ((Call(exponential, Expression((log,))), 1),)
                for offset in (each * _size(catalogue, feature) for each in OFFSETS):
                    yield Inside((inverse,), (feature,), (1.0, offset), (False, True))


def _activations(catalogue: Catalogue) -> Iterator[Inside]:
    """exp(r/(c + x)): rates that a temperature above some zero activates."""
    if not {"exp", "inv"} <= catalogue.operations.keys():
        return
    for place, single in enumerate(catalogue.single):
        for offset in catalogue.offsets(single, OFFSETS):
            if not one_sign(catalogue.rows[:, place] + offset):
                continue
            feature: Factors = (
                (Call(catalogue.operations["inv"], Expression((Term(1.0, single), Term(offset, ())))), 1),
            )
            for rate in (sign * each for sign in (1.0, -1.0) for each in RATES):
                values = (rate / _size(catalogue, feature), 0.0)
                yield Inside((catalogue.operations["exp"],), (feature,), values, (True, False))


def _products_of_powers(catalogue: Catalogue) -> Iterator[Inside]:
    """x^p y^q as exp(p log x + q log y); for a share of a whole also x^p (1 - x)^q."""
    if not {"exp", "log"} <= catalogue.operations.keys():
        return
    exponential, logarithm = (catalogue.operations[name] for name in ("exp", "log"))
    bases, rests = [variable(i) for i in range(catalogue.count) if one_sign(catalogue.rows[:, i])], []
    for place in range(catalogue.count):
        share = catalogue.rows[:, place] * catalogue.unit[catalogue.single[place]]
        if (share > 0.0).all() and (share < 1.0).all():
            rests.append(variable(place) + number(-1.0 / catalogue.unit[catalogue.single[place]]))
    logs: list[Factors] = [((Call(logarithm, base), 1),) for base in (*bases, *rests)]
    for log in logs[len(bases) :]:
        yield from (Inside((exponential,), (log,), (power, 0.0), (True, False)) for power in EXPONENTS)
    for pair in combinations(logs, 2):
        for powers in product(EXPONENTS, EXPONENTS):
            yield Inside((exponential,), pair, (*powers, 0.0), (True, True, False))


def _over_waves(catalogue: Catalogue) -> Iterator[Inside]:
    """1/(c + cos 2 x) and the like: equations of motion that were solved for an acceleration."""
    if not {*WAVES, "inv"} <= catalogue.operations.keys():
        return
    for single, times in product(catalogue.single, TIMES):
        angle = Expression((Term(times * catalogue.unit[single], single),))
        feature: Factors = ((Call(catalogue.operations["cos"], angle), 1),)
        for sign, level in product((-1.0, 1.0), ABOVE_ONE):
            yield Inside((catalogue.operations["inv"],), (feature,), (1.0, sign * level), (False, True))


def _size(catalogue: Catalogue, feature: Factors) -> float:
    """Root mean square of a feature that holds calls."""
    return float(np.sqrt(np.mean(evaluate(Expression((Term(1.0, feature),)), catalogue.rows) ** 2))) or 1.0


def angle_below(calls: Calls) -> int | None:
    """The input whose wave is below the quotient of such a call."""
    for factor, _ in calls[0].features[0]:
        if calls[0].name == ("inv",) and isinstance(factor, Call) and factor.operation.name in WAVES:
            (place, _) = factor.argument.terms[0].factors[0]
            assert isinstance(place, int)
            return place
    return None


def times_waves(catalogue: Catalogue, calls: Calls, place: int) -> Iterator[Calls]:
    """Such a call alone, and times waves of the same angle; the wave below would give nothing new."""
    yield calls
    (below, _), *_ = calls[0].features[0]
    assert isinstance(below, Call)
    for wave in waves(catalogue, place, TIMES):
        if wave.expression().terms[0].factors != ((below, 1),):
            yield (*calls, wave)


def waves(catalogue: Catalogue, place: int, times: tuple[float, ...] = (1.0,)) -> Iterator[Inside]:
    """Sine and cosine of an input that is an angle in radians."""
    single = catalogue.single[place]
    for name, each in product(WAVES, times):
        if name in catalogue.operations:
            values = (each * catalogue.unit[single], 0.0)
            yield Inside((catalogue.operations[name],), (single,), values, (True, False))
