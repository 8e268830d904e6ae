"""What fits systems on trajectories without a search."""

from collections.abc import Callable

import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.search.config import Settings
from mathonet.search.path_fit import PathFit
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import make_joint
from mathonet.search.sample_search import SampleSearch


@pytest.fixture(scope="session")
def joint_of() -> Callable[..., PathFit]:
    """The joint fit of trajectories, in scaled units; nothing is compiled for it."""

    def make(*trajectories: Trajectory, operations=None, **options) -> PathFit:
        measured = measure(trajectories, **options)
        return make_joint(measured, SampleSearch(measured.samples, Settings(operations=operations)), None)

    return make
