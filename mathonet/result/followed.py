"""The path that found equations take through what was measured: the states a report compares data with.

A simulation from one start leaves noisy or chaotic data sooner or later, and says more about the start than
about the equations. The path that follows the equations as `fit.shooting` fits it, with all constants as
they were found, is what the choice and the judgement rest on.
"""

from dataclasses import dataclass

import numpy as np

from mathonet.equation.assembly import tape_operations
from mathonet.equation.expression import Expression
from mathonet.equation.flow import Flow
from mathonet.fit.face import Faces
from mathonet.fit.path import SMALL_STEP, STEPS_OF, step_error
from mathonet.fit.shooting import shoot
from mathonet.precision import double_precision
from mathonet.result.discovery import Discovery
from mathonet.search.measurements.route import route

MOST_NODES = 3000
"""About how many times of a long series are followed."""


@dataclass(frozen=True)
class Followed:
    """A fitted path.

    Attributes:
        rows: which of all measured times, counted over all trajectories, it goes through.
        x: the states there.
    """

    rows: np.ndarray
    x: np.ndarray


@double_precision
def follow(discovery: Discovery, most: int = MOST_NODES) -> Followed | None:
    """The path of the chosen equations through measured states; None where there is none.

    Args:
        discovery: found from states alone.
        most: about how many times it may go through; a longer series is thinned or cut into stretches.
    """
    measured, system = discovery.measured, discovery.system
    if measured is None:
        return None
    scale = np.ones(len(measured.input_names))
    operations = tape_operations(
        tuple(dict.fromkeys(f for each in system.equations for f in each.operations))
    )
    forms = [each.expression for each in system.equations]
    # All of it is known: nothing but the path is fitted.
    flow = Flow([Expression()] * len(forms), len(scale), Faces(operations), None, forms)
    path, rows = route(measured, scale, STEPS_OF[0], most)
    for steps in STEPS_OF[1:]:
        finer, _ = route(measured, scale, steps, most)
        coarse, path = path, finer
        if step_error(flow, flow.constants, coarse, finer, measured.x[rows]) < SMALL_STEP:
            break
    with np.errstate(all="ignore"):
        shot = shoot(flow, flow.constants, path, measured.x[rows])
    return None if shot is None or not np.isfinite(shot.x).all() else Followed(rows, shot.x)
