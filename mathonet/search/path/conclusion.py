"""The end of a search on a path: rivals, all that was measured, and the choice."""

from mathonet.equation.kinds import bent_inputs
from mathonet.errors import ConfigError
from mathonet.fit.path import ANNEAL
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.measurements.reexamining import reexamined
from mathonet.search.measurements.reweighing import reweighed
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.coarse_data import error_of, leaves_no_function
from mathonet.search.path.kinds import other_kinds
from mathonet.search.path.moves import Terms, eliminate, rivals, stepwise
from mathonet.search.path.objective import PathObjective
from mathonet.search.path.steadiness import steadiest


def conclude(path: PathObjective) -> Fit:
    """The best system, chosen anew on all that was measured, beside its rivals.

    Raises:
        ConfigError: nothing could be fitted.
    """
    if path.best is None:
        raise ConfigError(
            "No system could be fitted on what was measured. Give more samples, leave states out that "
            "others do not depend on, or give derivatives."
        )
    path.tell("path", "comparing with rivals on all that was measured")
    terms = path.terms(2)
    if not path.exact and path.measure_by(reexamined):
        path.measure_by(reweighed)
        path.take(None)
    if path.joint.clean and not path.exact:
        tight, loose = path.joint, effort.LOOSE / path.joint.share
        path.joint = tight.loosened(loose)
        best = path.front.best
        assert best is not None
        path.best = stepwise(path.joint, best, terms)
        shorter = tight.fit(path.best.forms, path.best.path.x, ANNEAL, effort.SETTLING_STEPS)
        if shorter is not None and tight.within_floor(shorter.path.chi2):
            # Terms that stood in for one another are gone, and what is left is the law itself.
            path.joint, path.best = tight, shorter
        elif path.exact and leaves_no_function(path.joint, path.best):
            grain = error_of(path.joint, path.best) * path.joint.share
            path.joint = path.joint.loosened(loose, grain)
    if len(path.joint.smoothed) < len(path.measured.x):
        _look_at_all(path, terms)
    for rival in rivals(path.joint, path.best, terms):
        if rival.score < path.best.score:
            path.take(rival)
    _look_at_other_kinds(path)
    return steadiest(path.joint, path.best)


def cut_short(path: PathObjective) -> Fit:
    """The best system that was met, where there is no time for more.

    Raises:
        ConfigError: nothing could be fitted.
    """
    if not len(path.front) and path.best is not None:
        path.joint.fit(path.best.forms, path.best.path.x)
    if not len(path.front):
        for each in eliminate(path.joint, path.terms(2)):
            path.consider([each], "cut short")
    best = path.front.best
    if best is None:
        raise ConfigError(
            "The search was ended before any system could be fitted on what was measured. Give it more time."
        )
    return best


def _look_at_other_kinds(path: PathObjective) -> None:
    """Fit forms of other kinds beside a system that would be called good."""
    # Of clean data the price of forms is nothing beside what the path tells.
    if path.best is None or path.joint.clean or not path.settled:
        return
    for equation, looked in path.looked.items():
        if bent_inputs(path.best.forms[equation], path.joint.inputs):
            for rival in other_kinds(path.joint, path.best, equation, looked):
                if rival.score < path.best.score:
                    path.take(rival)


def _look_at_all(path: PathObjective, terms: Terms) -> None:
    """Whether all that was measured, and not only stretches of it, asks for another system."""
    assert path.best is not None
    steps = (path.joint.path.method, path.joint.path.substeps)
    joint = make_joint(path.measured, path.search, None, steps)
    if joint.clean:
        joint = joint.loosened(path.joint.floor, path.joint.grain)
    whole = joint.fit(path.best.forms)
    better = None if whole is None else stepwise(joint, whole, terms)
    if better is not None and better.skeleton != path.best.skeleton:
        path.joint, path.best = joint, better
