"""The paper's claim that one layer of one neuron, two inputs and two unary functions has 2^9 expressions.

2^9 is the number of masks over the nine weights of its PolyNets, its bias and its OperNet: two PolyNets of
three weights each, one bias, two operations. The output weight is not counted; behind a single neuron it only
scales. So the paper counts sub-graphs. They are not 2^9 different expressions: the product x y stands in both
PolyNets, and a mask without a path from an input to the output is a constant or zero. What is left are 188
forms with sin and cos: any but the two constant ones of the 2^6 sums over x^2, x y, y^2, x, y and 1, under
sin, cos or both, and besides them a constant and zero.
"""

from itertools import product

import numpy as np
import pytest

from mathonet.equation.reading import read
from mathonet.network.mathonet import Architecture, build, flatten, unflatten
from mathonet.operations import resolve

COUNTED = 9


def forms(operations: list[str]) -> tuple[int, set[tuple]]:
    """The number of masks, and the skeletons of the expressions that they leave of a generic network."""
    architecture = Architecture(2, (1,), resolve(operations))
    draw = np.random.default_rng(0)
    weights = np.asarray(flatten(build(architecture, lambda kind, layer, shape: draw.normal(size=shape))))
    assert weights.size == COUNTED + 1  # the last one is the output's, which every mask keeps
    masks = list(product((0.0, 1.0), repeat=COUNTED))
    found = {read(unflatten(architecture, weights * np.array([*mask, 1.0])))[0].skeleton for mask in masks}
    return len(masks), found


def test_the_papers_number_is_that_of_masks():
    masks, found = forms(["sin", "cos"])
    assert masks == 2**9
    assert len(found) == (2**6 - 2) * 3 + 2 == 188
    assert () in found  # a mask that leaves nothing


@pytest.mark.parametrize(
    ("operations", "count"),
    [
        # The identity alone gives the 2^6 sums over the monomials, zero and the constant among them.
        (["ident", "sin"], (2**6 - 2) * 2 + 2**6),
        # exp(h + b) = exp(b) exp(h), so the bias makes no form of its own in an exponential.
        (["sin", "exp"], (2**6 - 2) * 2 + (2**5 - 1) + 2),
    ],
)
def test_other_operations_have_other_numbers_of_forms(operations, count):
    masks, found = forms(operations)
    assert masks == 2**9
    assert len(found) == count
