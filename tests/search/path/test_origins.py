"""Who proposed the calls of an equation, whatever moves do beside them."""

import pytest

from mathonet.equation.parse import from_text
from mathonet.search.path.origins import Origins

NAMES = ("x", "y")


def form(words):
    return from_text(words, NAMES)


@pytest.fixture
def origins():
    found = Origins()
    found.note(0, form("0.8*tanh(1.3*x) - 0.5*x"), "sums with calls")
    found.note(0, form("0.9*tanh(1.1*sin(x) + 0.2)"), "networks")
    found.note(0, form("0.9*tanh(1.2*sin(x) + 0.1) + 2*y"), "another")
    found.note(1, form("x*y - y"), "polynomials")
    return found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("0.7*tanh(1.4*x) + 3*x*y", "sums with calls"),
        ("0.7*tanh(1.4*sin(x) + 0.3) + x^2 - y", "networks"),
        ("0.7*tanh(1.4*sin(x))", "networks"),  # a move took the constant inside
        ("exp(x)", None),
        ("x*y - 2*y", None),
    ],
)
def test_calls_belong_to_whom_they_were_proposed_by_first(origins, words, expected):
    assert origins.of(0, form(words)) == expected


def test_each_state_has_its_own(origins):
    assert origins.of(1, form("0.7*tanh(1.4*x)")) is None
