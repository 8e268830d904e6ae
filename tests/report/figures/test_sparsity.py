"""Sparsity and errors per cycle."""

import dataclasses

import numpy as np
import pytest

from mathonet.errors import DataError
from mathonet.report import draw_sparsity


def test_shares_errors_and_terms_are_those_of_the_run(lorenz, tidy):
    figure = draw_sparsity(lorenz, "z")
    above, below = figure.axes
    sweep = lorenz.sweeps["given"]
    weights = np.array([record.active[0].sum() for record in sweep.history])
    np.testing.assert_allclose(above.lines[0].get_ydata(), 100 * (1 - weights / sweep.start.sum()))
    training, held = (line.get_ydata() for line in below.lines)
    np.testing.assert_allclose(training, [np.sqrt(2 * record.energy[0]) for record in sweep.history])
    np.testing.assert_allclose(held, [np.sqrt(2 * record.validation[0]) for record in sweep.history])
    labels = [text.get_text() for text in above.texts]
    assert labels[-2:] == ["2", "terms"]
    assert below.get_yscale() == "log"
    assert [below.get_xlabel(), below.get_ylabel()] == ["cycle", "relative error"]
    tidy(figure)


def test_errors_that_are_zero_or_not_known_leave_gaps(lorenz, tidy):
    sweep = lorenz.sweeps["given"]
    zero, missing = np.zeros(1), np.full(1, np.nan)
    history = [
        dataclasses.replace(record, energy=zero, validation=missing) if place else record
        for place, record in enumerate(sweep.history)
    ]
    found = dataclasses.replace(lorenz, sweeps={"given": dataclasses.replace(sweep, history=history)})
    figure = draw_sparsity(found)
    assert np.isnan(figure.axes[1].lines[0].get_ydata()[1:]).all()
    tidy(figure)


def test_another_way_of_counting_terms_can_be_given(lorenz):
    figure = draw_sparsity(lorenz, terms=[1551, None, 2, 2])
    assert [text.get_text() for text in figure.axes[0].texts] == ["1551", "many", "2", "terms"]
    with pytest.raises(DataError, match="3 counts of terms for 4 cycles"):
        draw_sparsity(lorenz, terms=[1, 2, 3])
