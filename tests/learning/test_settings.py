"""Settings of learning."""

import numpy as np
import pytest

from mathonet.errors import ConfigError
from mathonet.learning.settings import Learning, schedule


@pytest.mark.parametrize("changes", [{"map_step": "sgd"}, {"curvature": "diagonal"}])
def test_names_that_do_not_exist_are_refused_with_the_choices(changes):
    with pytest.raises(ConfigError, match="choose one of"):
        Learning(**changes)


def test_schedule_keeps_its_numbers_in_double_precision():
    numbers = schedule(lam=1e-2, first=7)
    assert float(numbers.lam) == 1e-2
    assert int(numbers.first) == 7
    assert numbers.floor.dtype == np.float64
