"""Networks: many small super-graphs, pruned by sparse group Bayesian learning, read as forms.

In rounds of ever richer graphs. In each, what cannot win ends early, judged by the evidence:

    random starts of sparse parts, output weights solved exactly    the better half of every graph
    some steps of variable projection, then some more               ever fewer of every graph
    steps to the minimum                                            the best of all
    cycles of pruning                                               the best are read as forms and fitted
"""

from collections.abc import Iterator

import jax
import numpy as np

from mathonet.equation.expression import Call, Expression, Term, TooLargeError, number, variable
from mathonet.equation.reading import read_graph
from mathonet.interruption import checkpoint
from mathonet.learning.projected import COARSE, FINE
from mathonet.learning.pruning import Numbers, Pruned, living, score
from mathonet.learning.restarts import Batches, Learner, Reached, batch_of
from mathonet.network.subgraph import sparse
from mathonet.network.supergraph import SuperGraph, stack, take, without
from mathonet.operations import Operation
from mathonet.search import effort
from mathonet.search.blocks import forms_with_calls
from mathonet.search.effort import Restarts
from mathonet.search.fit import Fit, structure
from mathonet.search.graphs import KNOWN, KNOWN_CALLS, Round, rounds
from mathonet.search.objective import EquationProposer, Limit
from mathonet.search.rows import ChosenRows, choose_rows
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.rewrites import simplify
from mathonet.search.samples.simplest import simplest_calls

LEARNING = {"lam": 1e-3, "decay": 0.1, "kappa": 1e6, "zero": 1e-5, "groups": 1.0, "evidence": 1.0}
"""Numbers of sparse group Bayesian learning, on weights in units of what they do to the output."""
LEARNER = Learner()
"""How restarts begin, and the map step."""


class Networks(EquationProposer):
    """Small MathONets, the paper's way to laws."""

    name = "networks"

    def __init__(
        self,
        operations: tuple[Operation, ...],
        quotas: Restarts,
        precise: bool | None = None,
        seed: int = 0,
    ) -> None:
        """Set what is the same for all equations.

        Args:
            operations: that may be called.
            quotas: how many restarts.
            precise: whether the data have hardly any noise; None where the samples' own floor tells.
            seed: of the random starts.
        """
        self.operations, self.quotas, self.precise, self.seed = operations, quotas, precise, seed

    def forms(self, regression: Regression, limit: Limit | None = None) -> Iterator[Fit]:
        """What the networks of all rounds were read as, up to one with a short form that leaves nothing."""
        if limit is not None and not could_reach(limit, regression, self.operations):
            return
        precise = regression.floor <= effort.PRECISE_FLOOR if self.precise is None else self.precise
        # Noise is followed by many forms, so that fewer of them tell as much.
        quotas, found = self.quotas if precise else self.quotas.times(0.5), []
        chosen = choose_rows(regression)
        for place, each in enumerate(rounds(regression.inputs, self.operations)):
            checkpoint()
            if each.name == KNOWN_CALLS and not known_calls(regression):
                continue
            learning = Learning(regression, chosen, each, self.operations, quotas, limit)
            fits = list(learning.fits(np.random.default_rng((self.seed, place))))
            found += fits
            if any(learning.enough(fit) for fit in fits):
                break
        ranked = sorted(found, key=lambda each: each.score)
        # Many long forms come near smooth data, and to clean each takes longer than all its learning did.
        for rank, fit in enumerate(ranked):
            if rank < quotas.handed_on or regression.fits_to_rounding(fit):
                yield fit


class Learning:
    """One round of networks on the samples of one equation."""

    def __init__(
        self,
        regression: Regression,
        chosen: ChosenRows,
        round_: Round,
        operations: tuple[Operation, ...],
        quotas: Restarts,
        limit: Limit | None = None,
    ) -> None:
        """Set what they learn from.

        Args:
            regression: has the samples.
            chosen: some of its rows.
            round_: the graphs.
            operations: that may be called.
            quotas: how many restarts.
            limit: what a form must reach to be of use; None for anything.
        """
        self.regression, self.operations, self.limit = regression, operations, limit
        backend = jax.default_backend()
        self.quotas = quotas if backend == "cpu" else quotas.on_accelerator()
        self.graphs, inputs = stack(round_.graphs), regression.inputs
        self.parts = round_.parts
        places = round_.shape.inputs - KNOWN
        empty = [Expression()] * max(places - inputs, 0)
        known = [*known_calls(regression), *[Expression()] * KNOWN][:KNOWN]
        self.given = [number(1.0), *map(variable, range(inputs)), *empty, *known]
        self.graphs = without(self.graphs, [k for k, each in enumerate(self.given) if not each.terms])
        self.rows, size = chosen.given(regression, self.given), chosen.size
        self.restarts = Batches(self.rows, operations, batch_of(backend), LEARNER)
        self.numbers = Numbers(
            **LEARNING,
            floor=max(regression.floor / size, effort.RESOLVED / 10) ** 2,
            price=effort.RANKING_PRICE,
            count=regression.count,
        )

    def fits(self, rng: np.random.Generator) -> Iterator[Fit]:
        """The best networks as fitted forms, and after one that is enough those that may be shorter."""
        pruned, met, most = self._pruned(rng), set(), np.inf
        for place in np.argsort(pruned.score, kind="stable"):
            if not pruned.score[place] < most or len(met) >= self.quotas.read:
                return
            form = self._read(pruned, int(place))
            if form is None or structure((form,)) in met:
                continue
            met.add(structure((form,)))
            if self.limit is not None and self._least(form) >= self.limit.score:
                continue
            fit = self._fitted(form)
            yield fit
            if self.enough(fit):
                # Clean-up may leave less of a network that has some weights more.
                most = min(most, pruned.score[place] + effort.SIMILAR * effort.RANKING_PRICE)

    def enough(self, fit: Fit) -> bool:
        """Whether a form is short and leaves nothing, and so ends the search."""
        return self.regression.is_exact(fit) and fit.cancelling < effort.CANCELLING

    def _pruned(self, rng: np.random.Generator) -> Pruned:
        """Restarts of sparse parts of all graphs, fewer and fewer, and those that are left pruned."""
        count = len(self.graphs.operation)
        starts, *kept = self.quotas.each(count)
        graphs = take(self.graphs, np.repeat(np.arange(count), starts))
        if self.parts is not None:
            graphs = sparse(graphs, self.parts, rng)
        seed = int(rng.integers(2**31))
        at = self.restarts.drawn(graphs, seed, COARSE, least=0.0 if self.parts is None else 1.0)
        for each, steps in zip(kept, effort.NETWORK_STEPS, strict=True):
            checkpoint()
            best = np.argsort(self._worth(graphs, at).reshape(count, -1), axis=1, kind="stable")[:, :each]
            places = (best + len(at.rss) // count * np.arange(count)[:, None]).reshape(-1)
            graphs, at = take(graphs, places), at.some(places)
            ridge = FINE if steps == effort.NETWORK_STEPS[-1] else COARSE
            at = self.restarts.advanced(graphs, at, steps, ridge)
        checkpoint()
        best = np.argsort(self._worth(graphs, at), kind="stable")[: self.quotas.pruned]
        return self.restarts.pruned(take(graphs, best), at.w[best], self.numbers)

    def _worth(self, graphs: SuperGraph, at: Reached) -> np.ndarray:
        """What restarts are compared by: smaller is better."""
        weights = living(graphs).sum(axis=-1)
        worth = score(at.rss, weights, self.rows, self.numbers)
        # With as many weights as residuals any network fits anything.
        return np.where(weights > effort.CONSTANTS_SHARE * float(self.rows.count), np.inf, worth)

    def _read(self, pruned: Pruned, place: int) -> Expression | None:
        graph, w, output = jax.tree.map(lambda each: each[place], (pruned.graph, pruned.w, pruned.output))
        try:
            return read_graph(graph, w, output, self.operations, self.given)
        except (TooLargeError, OverflowError):
            return None

    def _least(self, form: Expression) -> float:
        """The score of a form that leaves as little as any could, without what clean-up may save."""
        assert self.limit is not None
        return self.regression.score(form, self.limit.chi2) - effort.SIMILAR * effort.RANKING_PRICE

    def _fitted(self, form: Expression) -> Fit:
        """A form fitted on all samples, and cleaned up where it may end the search."""
        fit = self.regression.fit(form, effort.SETTLING_STEPS)
        if not np.isfinite(fit.score) or not self.regression.fits_to_rounding(fit):
            return fit
        fit = simplify(fit.expression, self.regression)
        shorter = [self.regression.fit(form) for form in forms_with_calls(self.regression, fit)]
        return min([fit, *shorter], key=lambda each: each.score)


def could_reach(limit: Limit, regression: Regression, operations: tuple[Operation, ...]) -> bool:
    """Whether the cheapest form with a call would be of use if it left as little as any could."""
    simplest = simplest_calls(regression.inputs, operations)
    return any(regression.score(form, limit.chi2) < limit.score for form in simplest)


def known_calls(regression: Regression) -> list[Expression]:
    """Calls of the best forms so far, each kind once."""
    found: dict[tuple, Expression] = {}
    for fit in regression.front.ranked()[: effort.KNOWN_FROM]:
        for term in fit.expression.terms:
            for factor, _ in term.factors:
                if isinstance(factor, Call):
                    found.setdefault(factor.skeleton, Expression((Term(1.0, ((factor, 1),)),)))
    return list(found.values())[:KNOWN]
