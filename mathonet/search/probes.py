"""Probes: calls of operations laid beside a fitted system, to see which equation would gain from one.

A form with one call of one or two inputs, or an input times such a call, is met here without any luck: its
column for a few constants inside, with the slope in these, stands beside the system in the quadratic model.
Those with the best predicted score, after terms that it makes needless are dropped, are fitted in earnest.
"""

from collections.abc import Iterator

import numpy as np

from mathonet.equation.expression import HOMOGENEOUS, Expression, Term, apply, number, variable
from mathonet.equation.flow import evaluate
from mathonet.operations import Operation
from mathonet.search.joint import Joint, JointFit
from mathonet.search.pursuit import WARM, path_model
from mathonet.search.stepwise import PathModel

SCALES = (0.7, 1.6, 3.5)
"""Factors inside of a call, in units of the argument's size; the fit finds the right one from the nearest."""
OFFSETS = (0.3, 1.0, 3.0)
"""What is added inside of calls that take a factor outside, 1/(c + x) for one."""
MOST_TRIED = 6
PROMISE = 4.0
"""A probe is fitted if its predicted score is below the present one plus this."""
CHUNK = 50
MOST_PRUNED = 5
"""Calls of a chunk, those that gain most by themselves, whose company is pruned."""


def probe_terms(joint: Joint) -> list[Term]:
    """Calls of every operation on inputs and their products, alone and times an input."""
    inputs, rows = [variable(i) for i in range(joint.inputs)], joint.rows
    products = [a * b for n, a in enumerate(inputs) for b in inputs[n:]]
    found: dict[tuple, Term] = {}
    for operation in joint.operations:
        for argument in (*inputs, *products):
            for call in calls_of(operation, argument, rows):
                outside = (number(1.0), *inputs) if argument in inputs else (number(1.0),)
                for by in outside:
                    for term in (by * call).terms[:1]:
                        found.setdefault(term.factors, Term(0.0, term.factors))
    return [term for term in found.values() if _usable(term, rows)]


def calls_of(operation: Operation, argument: Expression, rows: np.ndarray) -> Iterator[Expression]:
    """An operation of an argument, with a few constants inside; none for the identity."""
    if operation.name == "ident":
        return
    size = float(np.sqrt(np.mean(evaluate(argument, rows) ** 2))) or 1.0
    if operation.name in HOMOGENEOUS:
        yield apply(operation, argument)
        for offset in OFFSETS:
            yield apply(operation, argument + number(offset * size))
            yield apply(operation, argument + number(-offset * size))
        return
    for scale in SCALES:
        yield apply(operation, argument.scale(scale / size))
        if operation.name == "exp":
            yield apply(operation, argument.scale(-scale / size))


def _usable(term: Term, rows: np.ndarray) -> bool:
    """Whether a term is one call that is finite, and no monomial, on the data."""
    if all(isinstance(factor, int) and power > 0 for factor, power in term.factors):
        return False
    with np.errstate(all="ignore"):
        values = evaluate(Expression((Term(1.0, term.factors),)), rows)
    return bool(np.isfinite(values).all() and np.abs(values).max() < 30.0 * np.sqrt(np.mean(values**2)))


def probed(joint: Joint, fit: JointFit) -> Iterator[JointFit]:
    """Fitted systems in which a call has come in and what it makes needless has gone, best promise first."""
    terms = probe_terms(joint)
    promised = []
    for equation in joint.searched:
        for start in range(0, len(terms), CHUNK):
            beside: list[list[Term]] = [[] for _ in fit.forms]
            beside[equation] = terms[start : start + CHUNK]
            model, own = path_model(joint, fit, beside)
            promised += _promises(model, own, equation)
    promised.sort(key=lambda each: each[0])
    tried = 0
    skeletons = set()
    for score, forms in promised:
        if score > fit.score + PROMISE or tried == MOST_TRIED:
            return
        key = tuple(form.skeleton for form in forms)
        if key in skeletons or key in joint.seen:
            continue
        skeletons.add(key)
        tried += 1
        found = joint.fit(forms, fit.shot.x, WARM) or joint.fit(forms)
        if found is not None:
            yield found


def _promises(
    model: PathModel, own: frozenset[int], equation: int
) -> list[tuple[float, tuple[Expression, ...]]]:
    """Predicted scores with one call in an equation, after the drops that it allows."""
    found = []
    calls = [
        k
        for k, option in enumerate(model.options)
        if k not in own
        and option.equation == equation
        and any(not isinstance(f, int) or p < 0 for f, p in option.term.factors)
    ]
    local = model.local
    gains = local.gains(own, np.array(calls, int))
    for k in [calls[at] for at in np.argsort(-gains)[:MOST_PRUNED]]:
        score, kept = local.score(own | {k}), own | {k}
        while True:
            drops = (each for each in local.moves(kept, add=False) if k in each[1])
            best = next(drops, (np.inf, kept))
            if best[0] >= score:
                break
            score, kept = best
        found.append((score, kept))
    found.sort(key=lambda each: each[0])
    return [(score, model.solved(kept)) for score, kept in found[:MOST_TRIED]]
