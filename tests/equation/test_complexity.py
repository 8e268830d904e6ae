"""What an expression costs."""

import math
from dataclasses import replace

import pytest

from mathonet.equation.complexity import complexity, log_size
from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.operations import get

X, Y = variable(0), variable(1)


def f(name: str, argument: Expression) -> Expression:
    return apply(get(name), argument)


@pytest.mark.parametrize(("form", "degree"), [(number(2.0), 2), (X, 2), (X * Y, 2), (power(X, 3), 3)])
def test_monomial_costs_the_rung_of_all_monomials_up_to_its_degree(form, degree):
    assert log_size(form, 2, 4) == pytest.approx(math.log(math.comb(2 + degree, degree)))


def test_sizes_of_terms_add_up():
    assert log_size(X + X * Y, 2, 4) == pytest.approx(log_size(X, 2, 4) + log_size(X * Y, 2, 4))


def test_monomials_pay_for_the_operations_of_the_smallest_rung_inside_calls_too():
    form = X + f("sin", X + Y)
    assert log_size(form, 2, 4, 5) - log_size(form, 2, 4) == pytest.approx(3 * math.log(5))


@pytest.mark.parametrize("choices", [1, 5, 9])
def test_a_sum_always_costs_less_than_the_sine_that_imitates_it(choices):
    plain = X + Y + X * Y
    assert log_size(plain, 3, 9, choices) + 1.0 < log_size(f("sin", plain), 3, 9, choices)


def test_call_chooses_an_operation_and_every_term_inside():
    expected = math.log(6) + math.log(4) + log_size(X + Y, 2, 4)
    assert log_size(f("sin", X + Y), 2, 4) == pytest.approx(expected)


def test_operation_of_twice_the_price_costs_log_2_more():
    dear = replace(get("sin"), name="dear", price=2.0)
    gap = log_size(apply(dear, X), 2, 4) - log_size(f("sin", X), 2, 4)
    assert gap == pytest.approx(math.log(2))


def test_negative_power_costs_as_a_call_of_inv():
    assert log_size(power(X, -1), 2, 4) - log_size(X, 2, 4) == pytest.approx(math.log(4))


def test_more_inputs_or_operations_make_a_term_dearer():
    form = f("sin", X)
    assert log_size(form, 2, 4) < log_size(form, 3, 4) < log_size(form, 3, 5)


@pytest.mark.parametrize(
    ("form", "nodes"),
    [(number(2.0), 1), (X, 2), (X * Y, 3), (power(X, 3), 4), (X + number(1.0), 3), (f("sin", X), 4)],
)
def test_complexity_counts_constants_factors_and_calls(form, nodes):
    assert complexity(form) == nodes


def test_longer_forms_are_more_complex():
    forms = [X, X + Y, X + f("sin", Y), X + f("sin", Y + number(0.3)), X + f("sin", Y + f("cos", X))]
    sizes = [complexity(form) for form in forms]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == len(sizes)
