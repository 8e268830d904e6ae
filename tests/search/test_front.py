"""Front: the best fit of every structure, and the questions that proposers ask of it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mathonet.equation.assembly import constants
from mathonet.equation.parse import from_text
from mathonet.search import effort
from mathonet.search.fit import Fit, structure
from mathonet.search.front import Front

NAMES = ("x", "y")
TEXTS = ("x", "y", "x + y", "x*y", "x + y + 1", "sin(2*x)", "x + sin(2*x)", "x^2 + x + y + 1")


def fit(text: str, score: float = 0.0, chi2: float = 1.0, **parts) -> Fit:
    form = from_text(text, NAMES)
    values = np.asarray(constants(form))
    return Fit((form,), (form,), values, chi2, np.eye(len(values)), score, 100.0, **parts)


def front_of(*fits: Fit) -> Front:
    front = Front()
    for each in fits:
        front.keep(each)
    return front


def test_of_one_structure_the_better_fit_is_kept():
    worse, better, equal = fit("2*x", 5.0), fit("3*x", 4.0), fit("7*x", 4.0)
    front = Front()
    assert front.keep(worse) is worse
    assert front.keep(better) is better
    assert front.keep(worse) is better
    assert front.keep(equal) is better
    assert list(front) == [better]
    assert front.get(fit("-9*x").forms) is better
    assert front.get(fit("x*y").forms) is None


def test_forms_whose_calls_share_their_constants_are_another_structure():
    """Two sines of the same angle have one constant inside, two of other angles have two."""
    shared, apart = fit("sin(2*x) + y*sin(2*x)"), fit("sin(2*x) + y*sin(3*x)")
    assert shared.skeleton == apart.skeleton
    assert len(front_of(shared, apart)) == 2


def test_a_system_is_known_by_all_its_equations():
    first, second = fit("x"), fit("y")
    system = replace(first, forms=(*first.forms, *second.forms))
    front = front_of(system)
    assert front.get((*first.forms, *second.forms)) is system
    assert front.get((*second.forms, *first.forms)) is None
    assert front.get(first.forms) is None


def test_each_structure_is_new_once():
    front = Front()
    assert front.first_time(fit("2*x").forms)
    assert not front.first_time(fit("5*x").forms)
    assert front.first_time(fit("x*y").forms)
    # What was asked for need not have been fitted, and what was fitted need not have been asked for.
    assert len(front) == 0
    front.keep(fit("x + y"))
    assert front.first_time(fit("x + y").forms)


def test_what_clean_up_made_of_a_form_is_found_again():
    front, long, short = Front(), fit("x + y + 1", 9.0), fit("x", 3.0)
    assert front.led_to(long.forms) is None
    front.keep(short)
    front.lead(long.forms, short)
    assert front.led_to(fit("7*x - 2*y + 3").forms) is short
    better = fit("4*x", 2.0)
    front.keep(better)
    assert front.led_to(long.forms) is better
    front.lead(fit("y").forms, fit("x*y"))
    assert front.led_to(fit("y").forms) is None


def test_the_closest_form_is_the_best_of_those_that_leave_next_to_the_least():
    """By its score a shorter form may lead that leaves much more."""
    leading, close, longer = fit("x", 0.0, 50.0), fit("x + y", 5.0, 1.5), fit("x + y + 1", 9.0, 1.0)
    front = front_of(leading, close, longer)
    assert front.best is leading
    assert front.closest is close
    assert front.shortest is close
    # Of two that leave about the same, score and size may disagree.
    dear = fit("x + y", 99.0, 1.5)
    front = front_of(leading, dear, longer)
    assert front.closest is longer
    assert front.shortest is dear


def test_the_front_by_size_has_only_forms_that_leave_less():
    short, same, middle, useless, long = (
        fit("x", 1.0, 10.0),
        fit("y", 2.0, 9.0),
        fit("x + y", 3.0, 4.0),
        fit("x + y + 1", 0.0, 4.0),
        fit("x^2 + x + y + 1", 5.0, 1.0),
    )
    assert front_of(useless, long, short, middle, same).by_size() == [same, middle, long]


def test_nothing_is_best_where_nothing_was_met():
    front = Front()
    assert (front.best, front.closest, front.shortest) == (None, None, None)
    assert front.ranked() == front.by_size() == list(front) == []


numbers = st.floats(-50, 50)
fits = st.builds(fit, st.sampled_from(TEXTS), numbers, st.floats(1e-3, 1e3) | st.just(0.0))


@given(st.lists(fits, min_size=1, max_size=25))
def test_whatever_is_kept_in_whatever_order(met: list[Fit]):
    front = front_of(*met)
    kept = list(front)
    assert len(front) == len({each.structure for each in met})
    for each in kept:
        own = [other.score for other in met if other.structure == each.structure]
        assert each.score == min(own)
        assert front.get(each.forms) is each
        assert each.structure == structure(each.forms)
    assert [each.score for each in front.ranked()] == sorted(each.score for each in kept)
    best, closest, shortest = front.best, front.closest, front.shortest
    assert best is not None
    assert closest is not None
    assert shortest is not None
    assert best.score == min(each.score for each in kept)
    near = [each for each in kept if each.chi2 <= effort.TENFOLD * min(other.chi2 for other in kept)]
    assert closest.score == min(each.score for each in near)
    assert len(shortest.constants) == min(len(each.constants) for each in near)
    sizes = front.by_size()
    for shorter, longer in pairwise(sizes):
        assert len(shorter.constants) < len(longer.constants)
        assert shorter.chi2 > longer.chi2
    for each in kept:
        assert any(len(other.constants) <= len(each.constants) and other.chi2 <= each.chi2 for other in sizes)
