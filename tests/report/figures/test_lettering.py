"""Names, numbers and sums as mathtext that can always be set, and fits."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathonet.equation.expression import apply, number, variable
from mathonet.operations import get
from mathonet.report.figures import lettering

PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)


@pytest.mark.parametrize(
    ("given_name", "text"),
    [
        ("x", "x"),
        ("x1", "x_{1}"),
        ("theta", r"\theta"),
        ("theta_2", r"\theta_{2}"),
        ("u_xx", "u_{xx}"),
        ("u[+1]", "u_{+1}"),
        ("prey", r"\mathrm{prey}"),
        ("a$b", r"\text{a\$b}"),
        ("x_{1}", r"\text{x_\{1\}}"),
        ("theta'", r"\theta\prime"),
        ("a very long name indeed", r"\text{a very lo…deed}"),
    ],
)
def test_symbols_are_symbols_and_all_else_stands_as_it_is(given_name, text):
    assert lettering.name(given_name) == text


@settings(max_examples=60)
@given(PRINTABLE)
def test_any_name_can_be_set(text):
    for written in (lettering.name(text), lettering.rate(text), lettering.rate(text, True)):
        assert lettering.width(lettering.math(written), 8.0) > 0.0
    assert lettering.width(lettering.label(text) + "x", 8.0) > 0.0


def test_rates_have_primes_whatever_the_name():
    assert lettering.rate("x1") == r"x_{1}\prime"
    assert lettering.rate("theta'") == r"\theta\prime\prime"
    assert lettering.rate("prey") == r"\mathrm{prey}\prime"
    assert lettering.rate("wild prey") == r"(\text{wild prey})\prime"
    assert lettering.rate("u", field=True) == "u_t"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("x", "$x$"),
        ("t [s]", "$t$ [s]"),
        ("theta' [rad/s]", r"$\theta\prime$ [rad/s]"),
        ("Year", "Year"),
        ("prey [thousands]", "prey [thousands]"),
        ("a b", "a b"),
        ("a$ [$]", r"a\$ [\$]"),
    ],
)
def test_labels_are_symbols_with_units_or_text(text, label):
    assert lettering.label(text) == label


@pytest.mark.parametrize("text", ["predator population (adults only) [thousands]", "n" * 60, "a b " * 30])
def test_labels_keep_to_their_room(text):
    shown = lettering.label(text, 1.2)
    assert len(shown.splitlines()) <= 2
    assert lettering.width(shown, 8.5) <= 1.2


def test_cut_names_that_differ_at_the_end_differ():
    assert lettering.name("temperature_sensor_1") != lettering.name("temperature_sensor_2")


def test_products_of_words_have_a_dot():
    form = (variable(0) * variable(1)).scale(2.0)
    (words,) = lettering.equation(form, [lettering.name("prey"), "y"], "z = ", 3.0, 7.5)
    assert words == r"$z = 2.00 \, \mathrm{prey} \cdot y$"
    (letters,) = lettering.equation(form, ["x", "y"], "z = ", 3.0, 7.5)
    assert letters == r"$z = 2.00 \, x \, y$"


def polynomial(terms: int):
    x, y = variable(0), variable(1)
    found, power = number(0.0), number(1.0)
    for place in range(terms):
        found = found + (power * y).scale((-1.0) ** place * (place + 1.5))
        power = power * x
    return found


@pytest.mark.parametrize("room", [0.8, 1.5, 3.0])
@pytest.mark.parametrize("terms", [1, 3, 30])
def test_equations_keep_to_their_room_and_count_what_they_leave_out(room, terms):
    lines = lettering.equation(polynomial(terms), ["x", "y"], "z = ", room, 7.5, 2)
    assert 1 <= len(lines) <= 2
    assert all(lettering.width(line, 7.5) <= room for line in lines)
    whole = " ".join(lines)
    shown = len(re.findall(r"\d+\.\d+", whole))
    left = re.search(r"\((\d+)\\ more\)|\{(\d+)\\ terms\}", whole)
    assert shown + (int(left[1] or left[2]) if left else 0) == terms


def test_long_arguments_become_dots_before_terms_are_left_out():
    inner = polynomial(6)
    sum_ = polynomial(2) + apply(get("sin"), inner).scale(2.5)
    short = " ".join(lettering.equation(sum_, ["x", "y"], "z = ", 1.6, 7.5, 2))
    assert r"2.50 \, \sin(\cdots)" in short
    assert "more" not in short
    long = " ".join(lettering.equation(sum_, ["x", "y"], "z = ", 5.0, 7.5, 2))
    assert r"\cdots" not in long


def test_what_nobody_could_read_is_said_and_nothing_is_zero():
    assert "too" in lettering.equation(None, ["x"], "z = ", 3.0, 7.5)[0]
    assert lettering.equation(number(0.0), ["x"], "z = ", 3.0, 7.5) == ["$z = 0$"]
