"""Proposals: from the pools of the search to systems that are fitted on the path."""

from collections.abc import Sequence

from mathonet.equation.expression import Expression
from mathonet.search.candidate import Candidate, Pool
from mathonet.search.joint import Joint, JointFit
from mathonet.search.pursuit import regress


def proposed(joint: Joint, pools: Sequence[Pool]) -> JointFit | None:
    """The system of the best forms; of precise data, that of the closest or shortest ones if it is better."""
    choices = [[pool.best for pool in pools]]
    if joint.precise:
        choices += [[pool.closest for pool in pools], [pool.shortest for pool in pools]]
    systems = [system for system in (_system(joint, each) for each in choices) if system is not None]
    fits = [joint.fit(regress(joint, system)) for system in dict.fromkeys(systems)]
    return min((fit for fit in fits if fit is not None), key=lambda fit: fit.score, default=None)


def forms_of(pool: Pool, rung: str) -> list[Expression]:
    """Forms that a rung found, best first."""
    own = [each for each in pool.entries.values() if each.rung == rung]
    return [each.fitted.expression for each in sorted(own, key=lambda each: each.fitted.score)]


def _system(joint: Joint, candidates: Sequence[Candidate | None]) -> tuple[Expression, ...] | None:
    """One form a state; what is known needs none."""
    found = [each.fitted.expression for each in candidates if each is not None]
    if len(found) < len(candidates):
        return None
    forms = dict(zip(joint.searched, found, strict=True))
    return tuple(forms.get(state, Expression()) for state in range(len(joint.rates)))
