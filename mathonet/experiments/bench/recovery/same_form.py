"""Whether a found form is the true one, however it is written, with all constants free.

Equal normal forms are equal. Others are judged as what they are, families of functions, by three questions:

1. Are there constants for which the found form *is* the true function? It is fitted to the truth's values on
   the box, and has to meet them to `EQUAL`.
2. Does every constant matter there? A term that has to vanish is one too many.
3. Has it no more free constants than the true form, counted as the rank of its slopes in them? Constants of
   the found form that have one size are one, such as the frequencies of a sin x + b cos x, but coefficients
   of terms are not one with constants inside of operations.

So a/(b + x) counts in any scaling, a sin x + b cos x as A sin(x + phase), a logistic function as a
hyperbolic tangent, x^2/(1 + x^2) beside a constant as 1 - 1/(1 + x^2); x - x^3/6 in the place of sin x does
not, nor does a form with one constant more. Where terms of a form cancel (1 - 1/(1 + x^2) for x^2/(1 + x^2)
alone), it is judged as what cancelling leaves.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mathonet.equation.assembly import constants, tape_operations, with_constants, zero_free
from mathonet.equation.expression import Call, Expression, Term, total
from mathonet.equation.flow import evaluate
from mathonet.equation.program import compile_form
from mathonet.equation.sensitivity import sensitivity
from mathonet.fit.face import Faces
from mathonet.fit.separable import Columns, fit_separable
from mathonet.operations import Operation, get

EQUAL = 1e-12
"""Largest relative difference (root mean square) of functions that are the same."""
MATTERS = 1e-6
"""Least share of a constant in the function, so that it counts as being there."""
CANCELS = 1e-4
"""Relative difference up to which coefficients cancel: what is left is zero in the four digits shown."""
INDEPENDENT = 1e-9
"""Least relative singular value of the slopes that counts as another direction."""
STARTS, STEPS = 6, 200


def coefficient_errors(found: Expression, truth: Expression, rows: np.ndarray) -> list[float] | None:
    """The relative error of every constant of the found form; None for a form that is not the true one.

    Call in double precision.

    Args:
        found: what was found.
        truth: the true right-hand side.
        rows: states on which functions are compared, none near a pole.
    """
    for form in _written(found):
        if form.skeleton == truth.skeleton:
            return _errors(_every(form), _every(truth))
    for form in _written(found):
        meant = _constants_of_truth(form, truth, rows)
        if meant is not None:
            return _errors(np.asarray(constants(zero_free(form))), meant)
    return None


def _errors(values: np.ndarray, wanted: np.ndarray) -> list[float]:
    return [float(error) for error in np.abs(values - wanted) / np.abs(wanted)]


def _every(form: Expression) -> np.ndarray:
    """Every constant, also those that equal calls share."""
    found: list[float] = []
    for term in form.terms:
        found.append(term.coefficient)
        found += [c for factor, _ in term.factors if isinstance(factor, Call) for c in factor.constants]
    return np.asarray(found)


def _constants_of_truth(form: Expression, truth: Expression, rows: np.ndarray) -> np.ndarray | None:
    """The constants for which a form is the true function, None if it is another form."""
    form, operations = zero_free(form), _operations(form, truth)
    values = np.asarray(constants(form))
    allowed = _freedom(_apart(truth), rows, operations)
    if 2 * len(values) > len(rows) or _freedom(form, rows, operations, tied=True) > allowed:
        return None
    wanted = evaluate(truth, rows)
    size = _size(wanted)
    rng = np.random.default_rng(0)
    for start in range(STARTS):
        spread = 0.0 if start == 0 else 0.3
        meant = _fitted(
            form, values * (1.0 + spread * rng.standard_normal(len(values))), rows, wanted, operations
        )
        if meant is None:
            continue
        same = with_constants(form, meant.tolist())
        if not _size(evaluate(same, rows) - wanted) <= EQUAL * size:
            continue
        if same.skeleton != form.skeleton:
            # Constants that became zero or one took terms with them; calls that became equal take none.
            return None
        slopes = sensitivity(same, rows, operations)
        shares = np.abs(constants(same)) * np.sqrt(np.mean(slopes**2, axis=0))
        mirrored = np.any([call.operation.name == "abs" for each in (form, truth) for call in each.calls()])
        if shares.min() < MATTERS * size or (mirrored and not _agree(same, truth, -rows)):
            return None
        return meant
    return None


def _fitted(
    form: Expression,
    start: np.ndarray,
    rows: np.ndarray,
    wanted: np.ndarray,
    operations: tuple[Operation, ...],
) -> np.ndarray | None:
    """Constants by least squares from a start."""
    program, faces = compile_form(form, rows), Faces(operations)
    outer, inner = program.outer, program.inner
    values = start.copy()

    def columns(at: np.ndarray) -> Columns:
        values[inner] = at
        ran = program.run(values, faces)
        return Columns(np.stack(ran.columns, axis=1), lambda c: ran.inner(c, inner))

    with np.errstate(all="ignore"):
        found = fit_separable(columns, wanted, start[inner], start[outer], STEPS)
    if found is None or not np.isfinite(found.rss):
        return None
    values[outer], values[inner] = found.outer, found.inner
    return values


def _freedom(
    form: Expression, rows: np.ndarray, operations: tuple[Operation, ...], tied: bool = False
) -> int:
    """Number of independent directions in which the constants of a form can change its function."""
    slopes = sensitivity(form, rows, operations)
    if tied:
        slopes = _tied(form, slopes, rows)
    norms = np.linalg.norm(slopes, axis=0)
    if not np.isfinite(norms).all():
        return len(norms)
    strengths = np.linalg.svd(slopes[:, norms > 0] / norms[norms > 0], compute_uv=False)
    return int(np.sum(strengths > INDEPENDENT * strengths.max(initial=0.0)))


def _tied(form: Expression, slopes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Slopes in the sizes of the constants, one column for all of a kind that have the same size."""
    program = compile_form(form, rows)
    signed, kinds = slopes * np.sign(program.values), []
    for places in (program.outer, program.inner):
        order = places[np.argsort(np.abs(program.values[places]))]
        sizes = np.abs(program.values[order])
        first = np.flatnonzero(np.diff(sizes, prepend=-1.0) > CANCELS * sizes)
        kinds.append(np.add.reduceat(signed[:, order], first, axis=1) if len(order) else signed[:, :0])
    return np.hstack(kinds)


def _apart(form: Expression) -> Expression:
    """The form with slightly different constants, so that equal calls share none."""
    rng = np.random.default_rng(0)

    def moved(part: Expression) -> Expression:
        terms = []
        for term in part.terms:
            factors = tuple(
                (Call(f.operation, moved(f.argument)) if isinstance(f, Call) else f, p)
                for f, p in term.factors
            )
            terms.append(Term(term.coefficient * (1.0 + 0.01 * rng.standard_normal()), factors))
        return Expression(tuple(terms))

    return moved(form)


def _agree(form: Expression, truth: Expression, rows: np.ndarray) -> bool:
    """Whether both are the same where both are finite: beyond the kink of |x| as well."""
    left, right = evaluate(form, rows), evaluate(truth, rows)
    good = np.isfinite(left) & np.isfinite(right)
    return _size((left - right)[good]) <= EQUAL * _size(right[good])


def _written(form: Expression) -> Iterator[Expression]:
    """The form as it is, and with what cancels between whole terms and fractions taken out, step by step."""
    yield form
    while (shorter := _cancelled(form)) is not None:
        form = shorter
        yield form


def _cancelled(form: Expression) -> Expression | None:
    """The form with c m/q + c' m' over q together, where c m cancels a term of c' m' q; None if none does."""
    for fraction in form.terms:
        for factor, exponent in fraction.factors:
            if not (isinstance(factor, Call) and factor.operation.name == "inv" and exponent > 0):
                continue
            over = Expression((Term(1.0, ((factor, 1),)),))
            # The fraction times q, as a term with one factor 1/q less.
            rest = Expression((_without(fraction, factor),))
            for whole in form.terms:
                if whole == fraction:
                    continue
                expanded = Expression((whole,)) * factor.argument
                summed = expanded + rest
                if len(summed.terms) > len(expanded.terms):
                    continue
                at = {term.factors: term.coefficient for term in expanded.terms}
                kept = [t for t in summed.terms if abs(t.coefficient) > CANCELS * abs(at.get(t.factors, 0.0))]
                if len(kept) < len(expanded.terms):
                    others = [term for term in form.terms if term not in (fraction, whole)]
                    return total([*others, *(Expression(tuple(kept)) * over).terms])
    return None


def _without(term: Term, factor: Call) -> Term:
    lower = tuple((f, p - 1 if f == factor else p) for f, p in term.factors)
    return replace(term, factors=tuple((f, p) for f, p in lower if p))


def _operations(*forms: Expression) -> tuple[Operation, ...]:
    used = dict.fromkeys(call.operation for form in forms for call in form.calls())
    return tape_operations((*used, get("inv")))


def _size(values: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
