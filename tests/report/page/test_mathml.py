"""Equations as MathML: well formed, in the order of the constants, names escaped."""

from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.equation.symbolic import constant_labels
from mathonet.operations import get
from mathonet.report.page import mathml


def read(markup: Markup) -> ElementTree.Element:
    return ElementTree.fromstring(f"<all>{markup}</all>")


def text(markup: Markup) -> str:
    return "".join(read(markup).itertext()).replace(" ", "")


LETTER = mathml.LETTER
SYMBOLS = tuple(map(mathml.name, ("x", "y_1")))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("x", LETTER.format("x")),
        ("theta", LETTER.format("θ")),
        ("Omega2", f"<msub>{LETTER.format('Ω')}<mrow><mn>2</mn></mrow></msub>"),
        ("u_xx", f"<msub>{LETTER.format('u')}<mrow><mi>xx</mi></mrow></msub>"),
        ("tank_2", "<msub><mi>tank</mi><mrow><mn>2</mn></mrow></msub>"),
        ("applied_force", "<mi>applied_force</mi>"),
        ("a<b&c", "<mi>a&lt;b&amp;c</mi>"),
        ("_", "<mi>_</mi>"),
        ("7", "<mn>7</mn>"),
    ],
)
def test_names(name, written):
    assert mathml.name(name) == written


def test_neighbours_of_a_stencil_are_indices():
    assert text(mathml.name("u[-1]")) == "u−1"
    assert read(mathml.name("u[+1]"))[0].tag == "msub"


def test_derivatives():
    assert text(mathml.rate("x")) == "x′"
    assert text(mathml.rate("speed")) == "speed′"
    assert text(mathml.rate("prey population")) == "(preypopulation)′"
    assert text(mathml.rate("x1")) == "x′1"
    assert text(mathml.rate("theta_dot")) == "θdot′"
    assert text(mathml.rate("q", 2)) == "q″"


@pytest.mark.parametrize("name", ["x", "x1", "theta_dot", "speed", "prey population", "u[+1]"])
@pytest.mark.parametrize("times", [1, 2])
def test_no_derivative_hangs_on_a_font(name, times):
    found = mathml.rate(name, times)
    # An accent is lost without a font of mathematics; so is a letter that browsers may exchange.
    assert not read(found).findall(".//mover")
    for letter in read(found).iter("mi"):
        assert len(letter.text) > 1 or letter.get("mathvariant") == "normal"


def test_factors_that_are_words_are_told_apart():
    symbols = tuple(map(mathml.name, ("prey population", "predators", "x")))
    form = (variable(0) * power(variable(1), 2)).scale(0.5) + (power(variable(0), 2) * variable(2)).scale(2.0)
    found = read(mathml.equation(mathml.rate("x"), form, symbols))[0]
    pieces = ["".join(each.itertext()) for each in found]
    # A line may end before the dot.
    assert "+0.50000prey population" in pieces or "0.50000prey population" in pieces
    assert "·predators2" in pieces
    assert any("(prey population)2x" in piece for piece in pieces)


def test_long_sums_are_cut():
    long = number(1.0)
    for exponent in range(1, 40):
        long = long + power(variable(0), exponent).scale(exponent + 0.5)
    inside = apply(get("exp"), long)
    for form, most in ((long, mathml.MOST_TERMS), (inside, mathml.MOST_INSIDE)):
        assert mathml.is_cut(form)
        written = text(mathml.equation(mathml.rate("x"), form, SYMBOLS))
        assert written.count("…") == 1
        assert written.count("x") <= most
    assert not mathml.is_cut(variable(0))


@pytest.mark.parametrize(
    ("value", "written"),
    [(-10.0, "10.000"), (0.0123456, "0.012346"), (-1.5e-9, "1.5000·10−9"), (2e12, "2.0000·1012")],
)
def test_numbers_have_no_sign_of_their_own(value, written):
    assert text(mathml.number(value)) == written


def test_terms_have_their_signs_and_an_element_each():
    form = variable(0).scale(-2.0) + (variable(0) * power(variable(1), 2)).scale(0.5)
    found = read(mathml.equation(mathml.rate("x"), form, SYMBOLS))[0]
    assert [each.tag for each in found] == ["math"] * 3
    assert ["".join(each.itertext()).replace(" ", "") for each in found] == [
        "x′=",
        "−2.0000x",
        "+0.50000xy12",
    ]


def test_fractions_roots_and_bars():
    form = (
        apply(get("inv"), variable(0) + number(2.0))
        + apply(get("sqrt"), variable(1))
        + apply(get("log"), variable(0))
    )
    found = read(mathml.equation(mathml.rate("x"), form, SYMBOLS))
    assert len(found.findall(".//mfrac")) == 1
    assert len(found.findall(".//msqrt")) == 1
    # Where the sign of an argument is not known, the operations take its size.
    assert "".join(found.itertext()).count("|") == 4


def test_simple_numbers_are_written_as_people_do():
    inverse = apply(get("inv"), variable(0) + number(3.2e-7))
    form = variable(0).scale(-28.0) + variable(1).scale(8 / 3) + inverse + number(1.0)
    plain = mathml.plain({28.0, 8 / 3, 1.0, 3.2e-7})
    found = mathml.equation(mathml.rate("x"), form, SYMBOLS, plain)
    assert text(found) == "x′=−28x+83y1+1x+3.2·10−7+1"
    assert len(read(found).findall(".//mfrac")) == 2
    assert text(mathml.equation(mathml.rate("x"), form, SYMBOLS, mathml.plain({28.0}))).startswith(
        "x′=−28x+2.6667"
    )


def test_nothing_is_written_as_zero():
    assert text(mathml.equation(mathml.rate("x"), Expression(), SYMBOLS)) == "x′=0"


def test_every_form_is_well_formed_and_has_a_label_a_constant(many_forms):
    for form in many_forms:
        read(mathml.equation(mathml.rate("x"), form, SYMBOLS))
        labels = mathml.labels(form, SYMBOLS)
        assert len(labels) == len(constant_labels(form, ("x", "y_1")))
        for label in labels:
            read(label)
