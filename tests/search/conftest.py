"""What fits systems on trajectories without a search."""

from collections.abc import Callable

import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.search.config import Settings
from mathonet.search.joint import Joint
from mathonet.search.measured import measure
from mathonet.search.route import make_joint
from mathonet.search.search import Search


@pytest.fixture(scope="session")
def joint_of() -> Callable[..., Joint]:
    """The joint fit of trajectories, in scaled units; nothing is compiled for it."""

    def make(*trajectories: Trajectory, operations=None, **options) -> Joint:
        measured = measure(trajectories, **options)
        return make_joint(measured, Search(measured.samples, Settings(operations=operations)), None)

    return make
