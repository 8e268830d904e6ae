"""Fields as images and stencils as bars."""

import types

import numpy as np
import pandas as pd
import pytest

from mathonet.errors import ConfigError, DataError
from mathonet.report import draw_field, draw_stencil

T, X = np.linspace(0.0, 5.0, 6), np.linspace(0.0, 1.0, 9)
U = np.exp(-T[:, None]) * np.sin(2 * np.pi * X)
STENCIL = pd.DataFrame(
    {"target": "u", "field": "u", "offset": [-1, 0, 1], "weight": [6.25, -11.5, 6.25], "std": [0.2, 0.4, 0.2]}
)
MOMENTS = pd.DataFrame(
    {
        "target": "u",
        "term": ["u", "u_x", "u_xx"],
        "value": [1.0, 1e-17, 0.01],
        "std": [0.1, 1e-16, 1e-4],
        "grid units": [1.0, 1e-16, 6.25],
    }
)


def test_images_share_a_scale_and_the_difference_has_its_own(tidy):
    figure = draw_field(T, X, U[:, :, None], U + 2e-6, "u")
    observed, predicted, difference = figure.axes[:3]
    scales = [ax.collections[0].get_clim() for ax in (observed, predicted, difference)]
    assert scales[0] == scales[1]
    assert scales[2][0] == -scales[2][1]
    labels = [ax.get_ylabel() for ax in figure.axes[3:]]
    assert labels == ["observed $u$", "predicted $u$", "difference $u$ ($10^{-6}$)"]
    np.testing.assert_allclose(difference.collections[0].get_array(), 2.0, rtol=1e-6)
    assert difference.get_xlabel() == "$t$"
    tidy(figure)


def test_a_field_alone_is_one_image_and_gaps_are_allowed(tidy):
    holes = U.copy()
    holes[2, 3] = np.nan
    figure = draw_field(T, X, holes, name="a$b")
    assert figure.axes[0].collections[0].get_array().mask.sum() == 1
    assert figure.axes[1].get_ylabel() == r"observed a\$b"
    tidy(figure)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((T[::-1], X, U), "t must be at least two increasing"),
        ((T, X, U.T), "observed must be a table"),
        ((T, X, U, U[:3]), "predicted must be a table"),
        ((T, X, U * np.nan), "no finite value"),
    ],
)
def test_fields_that_do_not_fit_are_refused(arguments, match):
    with pytest.raises(DataError, match=match):
        draw_field(*arguments)


def test_bars_are_the_kernel_and_moments_are_stated(tidy):
    ax = draw_stencil(types.SimpleNamespace(stencil_=STENCIL, moments_=MOMENTS))
    assert [bar.get_height() for bar in ax.patches] == [6.25, -11.5, 6.25]
    shown = [text.get_text() for text in ax.texts]
    assert shown[:3] == ["6.250", "−11.50", "6.250"]
    assert {"$u$", "$u_{x}$", "$u_{xx}$", "0.01000", "6.250", "1.000"} <= set(shown)
    assert shown.count("0") == 2, "the first moment is zero within rounding, in both units"
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["neighbour", "weight"]
    tidy(ax.figure)


def test_one_of_several_stencils_is_chosen():
    both = pd.concat([STENCIL, STENCIL.assign(field="v", weight=[1.0, 2.0, 3.0])])
    assert [bar.get_height() for bar in draw_stencil(both, field="v").patches] == [1.0, 2.0, 3.0]
    with pytest.raises(ConfigError, match=r"several: \['u', 'v'\]"):
        draw_stencil(both)
    with pytest.raises(ConfigError, match="no field 'w'"):
        draw_stencil(both, field="w")
    with pytest.raises(DataError, match="columns"):
        draw_stencil(STENCIL.drop(columns="weight"))
