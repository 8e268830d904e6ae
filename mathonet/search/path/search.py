"""The search on a measured path: its proposers, in the order of what they cost."""

from mathonet.equation.kinds import kind
from mathonet.search.loop import search
from mathonet.search.objective import Proposer
from mathonet.search.path.coarse_data import no_stand_in
from mathonet.search.path.objective import PathObjective
from mathonet.search.proposers.along_path import AlongPath
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.elimination import Elimination
from mathonet.search.proposers.from_samples import FromSamples
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.polynomials import Polynomials
from mathonet.search.proposers.stepwise import Stepwise
from mathonet.search.samples.on_samples import OnSamples
from mathonet.search.samples.search import SampleSearch


def search_path(path: PathObjective) -> None:
    """Find the system that the path prefers.

    Raises:
        StoppedError: the search is to end.
    """
    search([path], path_proposers(path.search))


def path_proposers(samples: SampleSearch) -> list[Proposer[PathObjective]]:
    """Polynomials, then calls, then networks: on the samples, and along the path that they lead to."""
    effort = samples.effort
    settled, along = (
        Calls(samples.scaling.inputs, samples.precise, effort.along_path(asked_before))
        for asked_before in (False, True)
    )
    if not samples.precise:
        # Of noisy data both look at as much, so that a system is looked at once.
        along = settled
    degrees = effort.quotas(samples.precise).degrees
    found: list[Proposer[PathObjective]] = []
    for inner in samples.proposers:
        if not isinstance(inner, OnSamples):
            continue
        if isinstance(inner.inner, Networks):
            found += [
                FromSamples(inner, samples, _no_accident),
                AlongPath(inner.inner, _followed, effort.turns),
            ]
        elif isinstance(inner.inner, Polynomials):
            found += [
                FromSamples(inner, samples, _beyond_polynomials),
                Elimination(2),
                Elimination(3),
                AlongPath(Polynomials(degrees), turns=effort.polynomial_turns),
                Stepwise(3),
            ]
            found += [AlongPath(settled, _unsettled, effort.turns)] if len(samples.operations) > 1 else []
        elif not isinstance(inner.inner, Calls):
            found += [FromSamples(inner, samples, _sure), AlongPath(inner.inner, turns=effort.turns)]
        else:
            found += [
                FromSamples(inner, samples, _decided),
                Elimination(2, last_resort=True),
                AlongPath(along, turns=effort.turns),
            ]
    if samples.settings.hidden is not None:
        # A network that was asked for is looked at in any case.
        found = [*(FromSamples(each, samples, _never) for each in samples.proposers), Elimination(2)]
        found.append(AlongPath(Polynomials(degrees), turns=effort.polynomial_turns))
    kept = [each for each in found if each.name not in effort.without]
    if not kept:
        samples.check_proposers()
    return kept


def _beyond_polynomials(path: PathObjective) -> bool:
    return path.beyond


def _sure(path: PathObjective) -> bool:
    return path.sure


def _unsettled(path: PathObjective) -> bool:
    return not path.settled


def _decided(path: PathObjective) -> bool:
    return path.decided


def _followed(path: PathObjective) -> bool:
    return path.followed


def _no_accident(path: PathObjective) -> bool:
    """Whether networks have nothing left to find; a sum with calls that may be an accident hides its law."""
    if path.best is None or not path.exact:
        return path.followed
    return all(no_stand_in(path.joint, form) or not kind(form) for form in path.best.forms)


def _never(path: PathObjective) -> bool:
    return False
