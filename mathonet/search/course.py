"""Course: the choice of a system on the measured path, rung by rung.

A rung's forms are learned from smoothed derivatives, whose errors are correlated, so their own scores choose
too much. They only propose; every choice is made by the one score of a joint fit on what was measured.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from mathonet.equation.expression import Term
from mathonet.equation.flow import Flow, evaluate
from mathonet.equation.moves import plain_powers
from mathonet.errors import ConfigError
from mathonet.fit.path import SMALL_STEP, STEPS_OF, Path, Tableau, step_error
from mathonet.fit.residuals import MISFIT, leaves_noise
from mathonet.search.joint import JointFit
from mathonet.search.kinds import other_kinds
from mathonet.search.ladder import Rung
from mathonet.search.measured import CLEAN, TIGHT, Measured
from mathonet.search.probes import probed
from mathonet.search.proposals import forms_of, proposed
from mathonet.search.pursuit import Terms, eliminate, library, pursue, rivals
from mathonet.search.reach import all_terms, beyond, cubic_library
from mathonet.search.reexamining import reexamined
from mathonet.search.replacements import recombined, replacements, straightened
from mathonet.search.reweighing import reweighed
from mathonet.search.route import SEARCH_NODES, make_joint, route
from mathonet.search.search import Search
from mathonet.search.steadiness import steadiest

LOOSE = CLEAN / TIGHT
"""What clean data are sure to tell, in units of the noise that their path is fitted with: where no form
reaches these units themselves, the data came from a coarser integrator or were printed with fewer digits."""
NOISE_GAIN = 40.0
"""What another form may gain in the score where the present one leaves nothing that is not like noise."""
HOPELESS = 30.0
"""Lead in the score that moves from another system will hardly make up: dropping a term gains some 20."""
NEAR, NEARLY_NOISE = 1e-3 / TIGHT, 1.5
"""What a system may leave of clean data (a thousandth of a state's size), and of others (mean square in units
of the noise), and count as close."""
SHORT, LOW = 4, 3
"""Terms of an equation, and degree, up to which it is hardly the stand-in of another."""
PASSES = 2
"""Times that sums of few terms are looked for along the path, at most."""
PER_TARGET = 4
"""Forms of a rung that are tried in an equation's place."""


class Course:
    """The choice on the measured path, rung by rung.

    Attributes:
        joint: fits systems on the path.
        best: the best system so far.
        beyond: whether no polynomial of degree 3 can be right, so that the rungs of polynomials need no joint
            fits of their own. Splines say too little about the deviations of their slopes.
    """

    def __init__(self, measured: Measured, search: Search) -> None:
        """Begin with nothing."""
        self.measured, self.search = measured, search
        self.joint = make_joint(measured, search, SEARCH_NODES)
        self.best: JointFit | None = None
        # A first guess at how fine steps must be, from all terms on the smoothed derivatives.
        flow = all_terms(self.joint)
        self.beyond = measured.smoothing != "spline" and beyond(self.joint, flow)
        self._step_finely(flow, flow.constants, self.joint.smoothed)

    @property
    def exact(self) -> bool:
        """Whether the best system leaves nothing that clean data could tell."""
        return self.best is not None and self.joint.within_floor(self.best.shot.chi2)

    @property
    def close(self) -> bool:
        """Whether networks, which learn from smoothed derivatives, could hardly come nearer to the data."""
        joint, fit = self.joint, self.best
        if fit is None:
            return False
        if joint.clean:
            return bool(fit.shot.data <= joint.path.count * NEAR**2)
        told = np.flatnonzero(joint.path.told).tolist()
        return all(joint.misfit(fit, state) <= NEARLY_NOISE for state in told)

    @property
    def short(self) -> bool:
        """Whether no equation is so long, or of such a degree, that it may stand in for another."""
        return self.best is not None and all(
            len(form.terms) <= SHORT and all(_degree(term) <= LOW for term in form.terms)
            for form in self.best.forms
        )

    @property
    def settled(self) -> bool:
        """Whether what the system leaves of every state looks like noise, or is below what can be told."""
        joint, fit = self.joint, self.best
        if fit is None or self.exact:
            return fit is not None
        residuals = joint.path.weights * (joint.path.y - fit.shot.x)
        seen = joint.path.weights > 0
        told = np.flatnonzero(joint.path.told)
        like_noise = all(leaves_noise(residuals[seen[:, state], state], None) for state in told)
        return like_noise and all(joint.misfit(fit, int(state)) <= MISFIT for state in told)

    def improve(self, rung: Rung) -> None:
        """Take what a rung proposes, then what lies near: terms of degree 2, if need be 3, and calls."""
        first = self.best is None
        self._tell(rung.name, "fitting the whole path to what was measured")
        quadratic, cubic = library(self.joint, 2), cubic_library(self.joint)
        self._take(proposed(self.joint, self.search.pools), quadratic)
        if first:
            self._take(eliminate(self.joint, quadratic), quadratic)
            self._refine()
            if self._weigh_anew():
                self._take(eliminate(self.joint, quadratic), quadratic)
        if self.exact:
            self._straighten(quadratic)
            return
        if not first or not self.settled:
            self._take(eliminate(self.joint, cubic) if first else None, cubic)
            self._refine()
        self._exchange(rung, cubic)
        if self._weigh_anew():
            self._take(None, cubic)
        self._straighten(cubic)
        if first or rung.calls:
            self._recombine(rung, cubic)
            self._straighten(cubic)
        if self.best is None or self.search.settings.hidden is not None or self.exact:
            return
        self._tell(rung.name, "trying other terms on the path")
        self.best = pursue(self.joint, self.best, cubic)
        # Where the search goes on, sums of few terms look at far more, and in less time.
        if self.settled and self.short and not rung.calls:
            self._tell(rung.name, "trying operations on the path")
            for other in probed(self.joint, self.best):
                self._take(other, cubic)
            for other in replacements(self.joint, self.best, NOISE_GAIN):
                self._take(other, cubic)

    def _tell(self, rung: str, doing: str) -> None:
        """Say what is being done, with the best system so far."""
        search = self.search
        if search.progress is None:
            return
        equations = search.equations()
        if self.best is not None:
            pairs = enumerate(zip(self.joint.searched, search.samples.target_names, strict=True))
            equations = tuple(
                f"{name}' = {search.words(self.best.forms[state], column)}" for column, (state, name) in pairs
            )
        search.tell(rung, doing, equations)

    def cut_short(self) -> JointFit:
        """The best system that was met, where there is no time for more.

        Raises:
            ConfigError: nothing could be fitted.
        """
        if not self.joint.seen and self.best is not None:
            self.joint.fit(self.best.forms, self.best.shot.x)
        if not self.joint.seen:
            eliminate(self.joint, library(self.joint, 2))
        if not self.joint.seen:
            raise ConfigError(
                "The search was ended before any system could be fitted on what was measured. Give it more "
                "time."
            )
        return self.joint.cheapest()

    def finish(self) -> JointFit:
        """The best system, chosen anew on all that was measured, beside its rivals.

        Raises:
            ConfigError: nothing could be fitted.
        """
        if self.best is None:
            raise ConfigError(
                "No system could be fitted on what was measured. Give more samples, leave states out that "
                "others do not depend on, or give derivatives."
            )
        self._tell("all rungs", "comparing with rivals on all that was measured")
        terms = library(self.joint, 2)
        if self._measure_by(reexamined):
            self._measure_by(reweighed)
            self._take(None, terms)
        if self.joint.clean and not self.exact:
            self.joint = self.joint.loosened(LOOSE)
            self.best = self.joint.cheapest()
            self.best = pursue(self.joint, self.best, terms)
        if len(self.joint.smoothed) < len(self.measured.x):
            self._look_at_all(terms)
        for rival in rivals(self.joint, self.best, terms):
            if rival.score < self.best.score:
                self._take(rival, terms)
        self._look_at_other_kinds(terms)
        return steadiest(self.joint, self.best)

    def _look_at_other_kinds(self, terms: Terms) -> None:
        """Fit forms of other kinds beside a system that would be called good."""
        # Of clean data the price of forms is nothing beside what the path tells.
        if self.best is None or self.joint.clean or not self.settled:
            return
        for rival in other_kinds(self.joint, self.best, self.search.scaling.inputs):
            if rival.score < self.best.score:
                self._take(rival, terms)

    def _look_at_all(self, terms: Terms) -> None:
        """Whether all that was measured, and not only stretches of it, asks for another system."""
        assert self.best is not None
        steps = (self.joint.path.method, self.joint.path.substeps)
        joint = make_joint(self.measured, self.search, None, steps)
        whole = joint.fit(self.best.forms)
        better = None if whole is None else pursue(joint, whole, terms)
        if better is not None and better.skeleton != self.best.skeleton:
            self.joint, self.best = joint, better

    def _take(self, found: JointFit | None, terms: Terms) -> None:
        """Keep a system, after moves among some terms, if it is better than the best."""
        if found is None and self.best is None:
            return
        start = found if found is not None else self.best
        assert start is not None
        if self.best is not None and start.score > self.best.score + HOPELESS:
            return
        start = pursue(self.joint, start, terms)
        if self.best is None or start.score < self.best.score:
            self.best = start

    def _refine(self) -> None:
        """Make the steps of the path as fine as the best system needs."""
        if self.best is None:
            return
        fit = self.best
        if self._step_finely(fit.flow, fit.shot.constants, fit.shot.x):
            self.best = self.joint.fit(fit.forms, fit.shot.x) or self.joint.fit(fit.forms) or fit

    def _step_finely(self, flow: Flow, constants: np.ndarray, x: np.ndarray) -> bool:
        """Choose the cheapest steps that are exact enough for some equations; whether they are finer now."""
        paths = [self.joint.path]
        now = next(k for k, each in enumerate(STEPS_OF) if _same(each, self.joint.path))
        for steps in STEPS_OF[now + 1 :]:
            paths.append(route(self.measured, self.search.scaling.inputs, steps, SEARCH_NODES)[0])
            if step_error(flow, constants, paths[-2], paths[-1], x) < SMALL_STEP:
                paths.pop()
                break
        if len(paths) > 1:
            self.joint = replace(self.joint, path=paths[-1], seen={}, tried=set())
        return len(paths) > 1

    def _weigh_anew(self) -> bool:
        """Take outliers and noise from what the best system leaves, where others were seen; whether so."""
        changed = [self._measure_by(judge) for judge in (reexamined, reweighed)]
        return any(changed)

    def _measure_by(self, judge: Callable[..., Measured | None]) -> bool:
        """Go on with what was measured as the best system judges it; whether that is another thing."""
        fit = self.best
        if fit is None:
            return False
        measured = judge(self.joint, fit, self.measured, self.search.scaling.inputs)
        if measured is None:
            return False
        steps = (self.joint.path.method, self.joint.path.substeps)
        joint = make_joint(measured, self.search, SEARCH_NODES, steps)
        best = joint.fit(fit.forms, fit.shot.x) or joint.fit(fit.forms)
        if best is None:
            return False
        self.measured, self.joint, self.best = measured, joint, best
        self._refine()
        return True

    def _recombine(self, rung: Rung, terms: Terms) -> None:
        """Look for sums of few terms again: the path of the best system says more than smoothing did."""
        for number in range(PASSES):
            before = self.best
            for equation in self.joint.searched:
                if self.best is None or self.exact:
                    return
                self._tell(rung.name, "comparing all sums of few terms along the path")
                units, plain = self.search.scaling.inputs, not rung.calls
                # Rarer terms and companies take their time, so they are looked at once.
                precise = self.joint.precise and number == 0
                other = recombined(self.joint, self.best, equation, units, plain, precise)
                if other is not None:
                    self._take(other, terms)
            if self.best is before:
                return

    def _straighten(self, terms: Terms) -> None:
        """Take the series of calls that are nearly straight, and plain powers, where they do as well."""
        if self.best is None:
            return
        rows, start = self.joint.along(self.best), self.best
        tried = {start.forms}
        for order in (3, 1) if self.joint.precise else (3,):
            forms = tuple(straightened(form, rows, order) for form in start.forms)
            for root in (each for each in self.joint.operations if each.name == "sqrt"):
                forms = tuple(plain_powers(form, root, partial(evaluate, rows=rows)) for form in forms)
            found = None if forms in tried else self.joint.fit(forms, start.shot.x)
            tried.add(forms)
            if found is not None:
                self._take(found, terms)

    def _exchange(self, rung: Rung, terms: Terms) -> None:
        """Try forms of a rung in the place of each equation."""
        for column, state in enumerate(self.joint.searched):
            if self.best is None:
                return
            tried = []
            for form in forms_of(self.search.pools[column], rung.name)[:PER_TARGET]:
                system = tuple(form if s == state else own for s, own in enumerate(self.best.forms))
                if tuple(each.skeleton for each in system) not in self.joint.seen:
                    tried.append(self.joint.fit(system, self.best.shot.x))
            fitted = [each for each in tried if each is not None]
            if fitted:
                self._take(min(fitted, key=lambda each: each.score), terms)


def _degree(term: Term) -> int:
    return sum(abs(power) for factor, power in term.factors if isinstance(factor, int))


def _same(steps: tuple[Tableau, int], path: Path) -> bool:
    return steps[0] is path.method and steps[1] == path.substeps
