"""PathObjective: a whole system on the measured path.

What is learned from smoothed derivatives only proposes, since their errors are correlated. So do the
increments of each equation along a fitted path, which tell nearly all that the data say about it. Every
choice is made by the one score of a joint fit on what was measured.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.equation.flow import Flow, evaluate
from mathonet.equation.powers import plain_powers
from mathonet.equation.straight import straightened
from mathonet.fit.path import ANNEAL, SMALL_STEP, STEPS_OF, Path, Tableau, step_error
from mathonet.fit.residuals import MISFIT, leaves_noise
from mathonet.search import effort
from mathonet.search.fit import Fit, Structure
from mathonet.search.front import Front
from mathonet.search.measurements.measured import Measured
from mathonet.search.measurements.reexamining import reexamined
from mathonet.search.measurements.reweighing import reweighed
from mathonet.search.measurements.route import make_joint, route
from mathonet.search.objective import Proposal
from mathonet.search.path.coarse_data import no_stand_in, settled_on_coarse_data, short
from mathonet.search.path.increments import increments
from mathonet.search.path.moves import Terms, library, regress, stepwise
from mathonet.search.path.origins import Origins
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.search import SampleSearch


class PathObjective:
    """The choice on the measured path.

    Attributes:
        joint: fits systems on the path.
        best: the best system so far.
        beyond: whether no polynomial of degree 3 can be right, so that polynomials need no joint fits of
            their own. Splines say too little about the deviations of their slopes.
        looked: forms of every equation that were fitted on its increments along a path.
        asked: of every proposer, the structure of the system whose path it looked along last.
        renewed: whether the data are weighed otherwise since terms were last eliminated.
        origins: who proposed the calls of each equation.
    """

    def __init__(self, measured: Measured, search: SampleSearch) -> None:
        """Begin with nothing."""
        self.measured, self.search = measured, search
        self.joint = make_joint(measured, search, effort.SEARCH_NODES)
        self.best: Fit | None = None
        self.looked: dict[int, list[Fit]] = {}
        self.asked: dict[object, Structure | None] = {}
        self.renewed, self.origins = False, Origins()
        self._along: Fit | None = None
        self._regressions: dict[int, Regression | None] = {}
        # A first guess at how fine steps must be, from all terms on the smoothed derivatives.
        forms = [Expression(tuple(each)) for each in self.terms(3)]
        flow = self.joint.flow(regress(self.joint, forms))
        self.beyond = measured.smoothing != "spline" and self._beyond(flow)
        self._step_finely(flow, flow.constants, self.joint.smoothed)

    @property
    def front(self) -> Front:
        """The systems that were fitted."""
        return self.joint.front

    def terms(self, degree: int) -> Terms:
        """All monomials up to a degree, or up to a smaller one where those are too many, or none."""
        for lower in range(degree, 0, -1):
            found = library(self.joint, lower)
            if sum(map(len, found)) <= effort.MOST_OPTIONS:
                return found
        return tuple(() for _ in self.joint.rates)

    def _beyond(self, flow: Flow) -> bool:
        """Whether all monomials of degree 3 together do not even follow some smoothed derivative."""
        joint = self.joint
        if sum(map(len, library(joint, 3))) > effort.MOST_OPTIONS or len(self.search.operations) == 1:
            return False
        coarse = effort.LOOSE * np.sqrt(np.mean(joint.slopes**2, axis=0)) if joint.clean else 0.0
        with np.errstate(all="ignore"):
            left = np.abs(flow.values(joint.rows, flow.constants) - joint.slopes)
            left = left / np.maximum(joint.slope_std, coarse)
        return bool((np.median(left[:, list(joint.searched)], axis=0) > effort.FAR_OFF).any())

    @property
    def structure(self) -> Structure | None:
        """That of the best system."""
        return None if self.best is None else self.best.structure

    @property
    def exact(self) -> bool:
        """Whether the best system leaves nothing that clean data could tell."""
        return self.best is not None and self.joint.within_floor(self.best.path.chi2)

    @property
    def sure(self) -> bool:
        """Whether it does so with forms that are hardly stand-ins."""
        fit, joint = self.best, self.joint
        return fit is not None and self.exact and all(no_stand_in(joint, each) for each in fit.forms)

    @property
    def close(self) -> bool:
        """Whether networks, which learn from smoothed derivatives, could hardly come nearer to the data."""
        joint, fit = self.joint, self.best
        if fit is None:
            return False
        if joint.clean:
            return bool(fit.path.data <= joint.path.count * (effort.NEARLY_CLEAN / joint.share) ** 2)
        told = np.flatnonzero(joint.path.told).tolist()
        return all(joint.misfit(fit, state) <= effort.NEARLY_NOISE for state in told)

    @property
    def short(self) -> bool:
        """Whether no equation is so long, or of such a degree, that it may stand in for another."""
        return self.best is not None and short(self.best)

    @property
    def settled(self) -> bool:
        """Whether what the system leaves of every state looks like noise, or is below what can be told."""
        joint, fit = self.joint, self.best
        if fit is None or self.exact:
            return fit is not None
        if joint.clean:
            return False
        residuals = joint.path.weights * (joint.path.y - fit.path.x)
        seen = joint.path.weights > 0
        told = np.flatnonzero(joint.path.told)
        like_noise = all(leaves_noise(residuals[seen[:, state], state], None) for state in told)
        return like_noise and all(joint.misfit(fit, int(state)) <= MISFIT for state in told)

    @property
    def decided(self) -> bool:
        """Whether no richer form could do better."""
        return self.sure or (self.settled and self.short)

    @property
    def followed(self) -> bool:
        """Whether networks could hardly come nearer to the data."""
        return self.settled or self.close

    def with_other(self, equation: int, forms: Sequence[Expression]) -> list[Proposal]:
        """The best system with other forms of an equation."""
        if self.best is None:
            return []
        systems = [
            tuple(form if place == equation else own for place, own in enumerate(self.best.forms))
            for form in forms
        ]
        return [Proposal(each, start=self.best.path.x) for each in systems]

    def consider(self, proposals: Sequence[Proposal], origin: str) -> None:
        """Fit systems on the path, and take the best of them with what moves lead to.

        Those that come with a path to start from are neighbours of what stands.
        """
        self.tell(origin, "fitting the whole path to what was measured")
        fits: list[Fit] = []
        for each in proposals:
            self._note(each.forms, origin)
            if self.front.get(each.forms) is not None or len(fits) >= effort.FITTED_TOGETHER:
                continue
            found = None
            if each.start is not None and len(each.start) == len(self.joint.smoothed):
                found = self.joint.fit(each.forms, each.start, effort.WARM)
            else:
                found = self.joint.fit(regress(self.joint, each.forms))
            if found is not None:
                fits.append(found)
        before, settled = self.best, None if self.exact else settled_on_coarse_data(self.joint, fits)
        if settled is not None:
            self.joint, self.best = settled
        elif fits:
            self.take(min(fits, key=lambda each: each.score))
        if self.best is not before:
            self._settle()

    def _note(self, system: Sequence[Expression], origin: str) -> None:
        """Remember whose the forms of a system are; those that samples led to are known there."""
        for state, objective in zip(self.joint.searched, self.search.objectives, strict=True):
            known = objective.front.get((system[state],))
            self.origins.note(state, system[state], origin if known is None else known.origin)

    def take(self, found: Fit | None) -> None:
        """Keep a system, after moves among polynomial terms, if it is better than the best."""
        start = self.best if found is None else found
        if start is None or (self.best is not None and start.score > self.best.score + effort.HOPELESS):
            return
        start = stepwise(self.joint, start, self.terms(2 if self.settled or self.best is None else 3))
        if self.best is None or start.score < self.best.score:
            self.best = start

    def increments(self, equation: int) -> Regression | None:
        """An equation of the best system as a regression along its path; made once for several proposers."""
        assert self.best is not None
        if self._along is not self.best:
            self._along, self._regressions = self.best, {}
        if equation not in self._regressions:
            self._regressions[equation] = increments(self.joint, self.best, equation)
        return self._regressions[equation]

    def converge(self) -> None:
        """Fit the best system to its end: fits that only judged a form may have stopped before it."""
        if self.best is not None:
            found = self.joint.fit(self.best.forms, self.best.path.x, ANNEAL[-1:], effort.SETTLING_STEPS)
            if found is not None and found.score < self.best.score - effort.WORTH_TELLING:
                self.best = found

    def _settle(self) -> None:
        """Steps, noise and outliers as the best system asks for, and calls that are none straightened."""
        self._refine()
        if not self.exact and self._weigh_anew():
            self.renewed = True
            self.take(None)
        self._straighten()

    def tell(self, name: str, doing: str) -> None:
        """Say what is being done, with the best system so far."""
        search = self.search
        if search.progress is None:
            return
        equations = search.equations()
        if self.best is not None:
            pairs = enumerate(zip(self.joint.searched, search.samples.target_names, strict=True))
            equations = tuple(
                f"{target}' = {search.words(self.best.forms[state], column)}"
                for column, (state, target) in pairs
            )
        search.tell(name, doing, equations)

    def _refine(self) -> None:
        """Make the steps of the path as fine as the best system needs."""
        if self.best is None:
            return
        fit = self.best
        if self._step_finely(self.joint.flow(fit.as_fitted), fit.constants, fit.path.x):
            self.best = self.joint.fit(fit.forms, fit.path.x) or self.joint.fit(fit.forms) or fit

    def _step_finely(self, flow: Flow, constants: np.ndarray, x: np.ndarray) -> bool:
        """Choose the cheapest steps that are exact enough for some equations; whether they are finer now."""
        paths = [self.joint.path]
        now = next(k for k, each in enumerate(STEPS_OF) if _same(each, self.joint.path))
        for steps in STEPS_OF[now + 1 :]:
            paths.append(route(self.measured, self.search.scaling.inputs, steps, effort.SEARCH_NODES)[0])
            if step_error(flow, constants, paths[-2], paths[-1], x) < SMALL_STEP:
                paths.pop()
                break
        if len(paths) > 1:
            self.joint = replace(self.joint, path=paths[-1], front=Front())
        return len(paths) > 1

    def _weigh_anew(self) -> bool:
        """Take outliers and noise from what the best system leaves, where others were seen; whether so."""
        changed = [self.measure_by(judge) for judge in (reexamined, reweighed)]
        return any(changed)

    def measure_by(self, judge: Callable[..., Measured | None]) -> bool:
        """Go on with what was measured as the best system judges it; whether that is another thing."""
        fit = self.best
        if fit is None:
            return False
        measured = judge(self.joint, fit, self.measured, self.search.scaling.inputs)
        if measured is None:
            return False
        steps = (self.joint.path.method, self.joint.path.substeps)
        joint = make_joint(measured, self.search, effort.SEARCH_NODES, steps)
        best = joint.fit(fit.forms, fit.path.x) or joint.fit(fit.forms)
        if best is None:
            return False
        self.measured, self.joint, self.best = measured, joint, best
        # Sums of squares in other units tell nothing beside the present ones.
        self.looked = {}
        self._refine()
        return True

    def _straighten(self) -> None:
        """Take the series of calls that are nearly straight, and plain powers, where they do as well."""
        if self.best is None:
            return
        rows, start = self.joint.along(self.best), self.best
        tried = {start.forms}
        for order in (3, 1) if self.joint.precise else (3,):
            forms = tuple(straightened(form, rows, order) for form in start.forms)
            for root in (each for each in self.joint.operations if each.name == "sqrt"):
                forms = tuple(plain_powers(form, root, partial(evaluate, rows=rows)) for form in forms)
            found = None if forms in tried else self.joint.fit(forms, start.path.x)
            tried.add(forms)
            if found is not None:
                self.take(found)


def _same(steps: tuple[Tableau, int], path: Path) -> bool:
    return steps[0] is path.method and steps[1] == path.substeps
