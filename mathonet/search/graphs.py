"""Graphs: which small super-graphs networks learn from, in rounds, those that laws have most often first.

Every graph names the operations that may live before anything is learned: a network that holds all of them at
once mostly finds approximations. The rest is left to pruning.

    polynomials      the output alone; ident of a polynomial, for powers that the output has not
    one call         of a linear or quadratic argument, beside and times monomials
    two calls        alone, times inputs, and times each other
    call of a call   whose argument has the earlier call, alone and times inputs
    known calls      a call beside, times and of those that the best forms so far have
    three calls      times each other, and inside each other
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from mathonet.fit.linear import monomials as monomials_of
from mathonet.network.supergraph import Product, Shape, SuperGraph, build
from mathonet.operations import Operation


class Round(NamedTuple):
    """Graphs that learn side by side.

    Attributes:
        name: what they have in common.
        shape: of their arrays.
        graphs: these.
        parts: shape of the sparse parts of them that restarts have; None where restarts have the whole.
    """

    name: str
    shape: Shape
    graphs: list[SuperGraph]
    parts: Shape | None


KNOWN_CALLS = "known calls"
"""Name of the round that needs some."""
FEW, SOME, MANY = 2, 4, 8
"""Inputs up to which shapes are the same: few shapes are compiled."""
FULL = 3
"""Inputs up to which an argument has all products of two; beyond, their squares alone."""
REDUNDANT = {"cos": "sin"}
"""Operations that are another one of a shifted argument."""
SAME = (
    *(("exp", "sqrt"), ("exp", "abs"), ("sqrt", "abs"), ("abs", "abs")),
    *(("inv", "inv"), ("inv", "log"), ("sqrt", "log")),
)
"""Of an operation inside another, those left out: without a constant in between they are one of both, or a
power, and laws hardly have one there."""
OUTPUTS = 28
"""Least number of products in the output of a shape."""
PART_ARGUMENTS, PART_OUTPUTS = 5, 12
"""Products in the arguments and in the output of a sparse part, at most."""
COMMON = ("inv", "sin", "exp")
"""Operations that laws have most: they come beside a call of a call as well."""


KNOWN = 2
"""Known calls that a graph may have, as inputs after those of the system."""


def rounds(inputs: int, operations: Sequence[Operation]) -> Iterator[Round]:
    """The rounds of graphs for some inputs; none for too many of these.

    Args:
        inputs: the system's.
        operations: that may be called.
    """
    if inputs > MANY:
        return
    names = [each.name for each in operations]
    called = [k for k, name in enumerate(names) if name != "ident" and REDUNDANT.get(name) not in names]
    one, more = _Shaped(inputs, 1), _Shaped(inputs, 3)
    pairs = [pair for pair in product(called, called) if (names[pair[0]], names[pair[1]]) not in SAME]
    common = [k for k in called if names[k] in COMMON] or called[:2]
    # What few calls leave may need a whole polynomial; more calls make up for its terms.
    every = [
        one.round("polynomials", _polynomials(one, names), whole=True),
        one.round("one call", _one_call(one, called), whole=True),
        more.round("two calls", _two_calls(more, called)),
        more.round("call of a call", _nested(more, pairs)),
        more.round(KNOWN_CALLS, _beside_known(more, called)),
        more.round("three calls", _three_calls(more, called, pairs, common)),
    ]
    # Of one operation alone there may be no three calls, or none inside another.
    yield from (each for each in every if each.graphs)


class _Shaped:
    """The places and products of graphs of one shape."""

    def __init__(self, inputs: int, calls: int) -> None:
        room = next(most for most in (FEW, SOME, MANY) if inputs <= most)
        arguments = max(2 * room + 2, len(monomials_of(min(room, FULL), 2)))
        outputs = max(OUTPUTS, len(monomials_of(room, 3 if room <= SOME else 2)))
        self.shape = Shape(room + KNOWN, calls, arguments, outputs)
        self.x = list(range(1, inputs + 1))
        self.calls = [self.shape.call(k) for k in range(calls)]
        self.known = [1 + room + k for k in range(KNOWN)]
        self.linear = self.monomials(1)
        squares = [*self.linear, *((i, i) for i in self.x)]
        self.quadratic = self.monomials(2) if inputs <= FULL else squares

    def monomials(self, degree: int) -> list[Product]:
        """All products of so many inputs or fewer."""
        return [each for n in range(degree + 1) for each in combinations_with_replacement(self.x, n)]

    def round(self, name: str, described: Iterator[tuple], whole: bool = False) -> Round:
        """The graphs that fit into the shape, and whether restarts have the whole of them.

        Only what restarts have is compiled: where that are parts, any graph fits.
        """
        listed, shape, parts = list(described), self.shape, None
        if not whole and listed:
            arguments = max(len(argument) for _, every, _ in listed for argument in every)
            shape = replace(shape, arguments=arguments, outputs=max(len(output) for *_, output in listed))
            parts = replace(shape, arguments=PART_ARGUMENTS, outputs=PART_OUTPUTS)
        made = (build(shape, *each) for each in listed)
        return Round(name, shape, [graph for graph in made if graph is not None], parts)

    def small(self, *calls: int) -> list[Product]:
        """A straight line, and some calls, alone and times inputs."""
        return [*self.linear, *((c,) for c in calls), *((i, c) for c in calls for i in self.x)]


def _polynomials(shaped: _Shaped, names: list[str]) -> Iterator[tuple]:
    for degree in (1, 2, 3):
        yield [], [], shaped.monomials(degree)
    if "ident" in names:
        a = shaped.calls[0]
        powers = [(a,), (a, a), *((i, a) for i in shaped.x), *((i, a, a) for i in shaped.x)]
        yield [names.index("ident")], [shaped.quadratic], [*shaped.linear, *powers]


def _one_call(shaped: _Shaped, called: list[int]) -> Iterator[tuple]:
    a = shaped.calls[0]
    square, cube = shaped.monomials(2), shaped.monomials(3)
    by_inputs = [(a,), *((i, a) for i in shaped.x)]
    by_squares = [*by_inputs, *((i, j, a) for i, j in combinations_with_replacement(shaped.x, 2))]
    for argument in (shaped.linear, shaped.quadratic):
        for operation in called:
            yield [operation], [argument], shaped.small(a)
    for operation in called:
        yield [operation], [shaped.linear], [*square, *by_inputs, (a, a)]
        yield [operation], [shaped.quadratic], [*square, *by_squares]
        yield [operation], [shaped.linear], [*cube, *by_squares, (a, a), *((i, a, a) for i in shaped.x)]


def _two_calls(shaped: _Shaped, called: list[int]) -> Iterator[tuple]:
    a, b = shaped.calls[:2]
    for pair in combinations_with_replacement(called, 2):
        arguments = [shaped.linear, shaped.linear]
        yield pair, arguments, [*shaped.linear, (a,), (b,), (a, b)]
        crossed = [(i, j, c) for c in (a, b) for i, j in combinations(shaped.x, 2)]
        both = [(a, b), *((i, a, b) for i in shaped.x)]
        yield pair, arguments, [*shaped.small(a, b), *both, *shaped.monomials(2), *crossed]


def _nested(shaped: _Shaped, pairs: list[tuple[int, int]]) -> Iterator[tuple]:
    a, b = shaped.calls[:2]
    argument = [*shaped.linear, (a,), *((i, a) for i in shaped.x)]
    by_squares = [(i, j, b) for i, j in combinations_with_replacement(shaped.x, 2)]
    for pair in pairs:
        yield pair, [shaped.linear, argument], [*shaped.small(b), (a, b)]
        yield pair, [shaped.quadratic, argument], [*shaped.small(b), *shaped.monomials(2), *by_squares]


def _beside_known(shaped: _Shaped, called: list[int]) -> Iterator[tuple]:
    a = shaped.calls[0]
    both = [(c,) for c in shaped.known]
    for operation in called:
        products = [(c, a) for c in shaped.known]
        yield [operation], [shaped.linear], [*shaped.small(a, *shaped.known), *products]
        for c in shaped.known:
            inside = [*shaped.linear, (c,), *((i, c) for i in shaped.x)]
            yield [operation], [inside], [*shaped.small(a), *both, (c, a)]


def _three_calls(
    shaped: _Shaped, called: list[int], pairs: list[tuple[int, int]], common: list[int]
) -> Iterator[tuple]:
    a, b, c = shaped.calls[:3]
    alone = [*shaped.linear, (a,), (b,), (c,), (a, b), (a, c), (b, c), (a, b, c)]
    for chosen in combinations(called, 3):
        yield chosen, [shaped.linear] * 3, alone
    inside = [*shaped.linear, (a,), *((i, a) for i in shaped.x)]
    for first, (inner, outer) in product(common, pairs):
        # One call of a call, times another.
        yield [inner, outer, first], [shaped.linear, inside, shaped.linear], [*shaped.small(b), (c,), (b, c)]
