"""Terms as the paper counts them, checked against SymPy's own expansion."""

import numpy as np
import pytest
import sympy

from mathonet.equation.expansion import expanded_terms
from mathonet.equation.expression import TooLargeError
from mathonet.equation.parse import from_sympy
from mathonet.equation.reading import read
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import Architecture, build, flatten, unflatten
from mathonet.operations import resolve

x, y, z = sympy.symbols("x y z")


@pytest.mark.parametrize(
    "form",
    [
        2 * x - 3 * y,
        sympy.sin(x + 2.1 * y),
        sympy.cos(x + 2.1 * y + 3.1 * z),
        sympy.sin(x + 2.1 * y + 0.3),
        sympy.sin(x + 2.1 * y) + 0.5 * sympy.cos(x + 2.1 * y) + sympy.exp(x + y) + x,
        sympy.sin(x + 2.1 * y + 0.3) + 0.5 * sympy.cos(x + 2.1 * y + 0.3),
        x * sympy.sin(x + 2.1 * y) + z * sympy.sin(x + 2.1 * y) + sympy.sin(x + 3.3 * y),
        sympy.sin(x + 2.1 * y) * sympy.cos(x + 2.1 * y),
        sympy.sin(x + 2.1 * y + 3.1 * z) ** 2,
        sympy.sin(x + sympy.cos(y + 2.2 * z)),
    ],
)
def test_the_count_is_that_of_sympy(form):
    expanded = sympy.expand(sympy.expand(form, trig=True))
    assert expanded_terms(from_sympy(form, (x, y, z))) == len(sympy.Add.make_args(expanded))


@pytest.mark.parametrize(
    ("inputs", "neurons", "operations", "terms"),
    [
        # 512 for each of 3 neurons, 9 monomials, 3 log, 3 exp are the paper's 1551; the constant makes 1552.
        (3, 3, ("ident", "sin", "cos", "log", "exp"), 1552),
        # 32 for each of 2 neurons, 5 monomials and the constant; two outputs are the paper's 140.
        (2, 2, ("ident", "sin", "cos"), 70),
    ],
)
def test_the_super_graphs_of_the_paper(inputs, neurons, operations, terms):
    architecture = Architecture(inputs, (neurons,), resolve(operations))
    draw = np.random.default_rng(0)
    weights = build(architecture, lambda kind, layer, shape: draw.normal(size=shape))
    network = unflatten(architecture, flatten(weights) * flatten(initial_mask(architecture)))
    assert expanded_terms(read(network)[0]) == terms


def test_what_nobody_could_count_is_refused():
    many = sympy.sin(sum((i + 1.5) * x**i * y for i in range(20)))
    with pytest.raises(TooLargeError):
        expanded_terms(from_sympy(many, (x, y, z)))
