"""The trust summary: what the judgement of `discovery.trust` means for whoever uses an equation."""

import math
from dataclasses import dataclass

from markupsafe import Markup

from mathonet.fit.score import DECIDED
from mathonet.report.page.numerals import rounded, share
from mathonet.report.page.subject import Subject
from mathonet.result.trust import TRUSTED, Level, Trust

ORDER: tuple[Level, ...] = ("exact", "good", "undecided", "doubtful", "poor")
MEANS: dict[Level, str] = {
    "exact": "fits the data down to rounding",
    "good": "explains the data up to noise, ahead of every rival",
    "undecided": "may be right, and so may another form",
    "doubtful": "has something against it",
    "poor": "does not explain the data",
}
VERDICT: dict[Level, str] = {
    "exact": "You can rely on these equations within the range of the data.",
    "good": "You can rely on these equations within the range of the data.",
    "undecided": "The form of these equations is not decided: measure more, or at other places, before you "
    "read a law from them.",
    "doubtful": "Use these equations with care: what speaks against them is said below.",
    "poor": "Do not rely on these equations: they do not explain the data.",
}
MARKS: dict[Level, str] = {"exact": "✓", "good": "✓", "undecided": "?", "doubtful": "!", "poor": "✕"}


SHOWN = ("fits to rounding", "leads the best rival by")
"""How words begin that the level and the figures say already."""


@dataclass(frozen=True)
class Judgement:
    """One equation's trust, ready to be shown."""

    level: Level
    means: str
    words: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    rival: Markup | None


def cut_short(subject: Subject) -> list[str]:
    """States without an equation, and what a search that ended early did not come to."""
    cut, missing = subject.discovery.cut, subject.discovery.missing()
    if missing is not None:
        return [missing]
    if cut is None:
        return []
    left = f" Left out or not finished: {', '.join(cut.left_out)}." if cut.left_out else ""
    return [f"The search was cut short ({cut.why}); shown is the best that it had found.{left}"]


def worst(subject: Subject) -> Level:
    """The least level of all equations."""
    return ORDER[max(ORDER.index(subject.discovery.trust[place].level) for place in subject.telling)]


def judgements(subject: Subject) -> list[Judgement]:
    """One an equation that says something, in the order of the system."""
    return [
        Judgement(
            trust.level,
            MEANS[trust.level],
            tuple(_sentence(words) for words in trust.words if not words.startswith(SHOWN)),
            _figures(trust),
            _rival(subject, number),
        )
        for number, trust in ((place, subject.discovery.trust[place]) for place in subject.telling)
    ]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _figures(trust: Trust) -> tuple[tuple[str, str], ...]:
    found = [("explains", _explained(trust.explained))]
    if trust.correlation is not None:
        found.append(("neighbouring residuals correlate by", f"{trust.correlation:.2f}".replace("-", "−")))
    if trust.gap is not None and trust.gap < 0:
        found.append(("behind the best rival by", f"{rounded(-trust.gap, 3)} nats"))
    elif trust.gap is not None:
        # Odds suppose that all is well: beside a form that fits as well they would say too much.
        told = trust.gap < DECIDED or trust.level in TRUSTED
        odds = f" (odds of {rounded(math.exp(trust.gap), 2)} to 1)" if told and 0 < trust.gap < 12 else ""
        found.append(("leads the best rival by", f"{rounded(trust.gap, 3)} nats{odds}"))
    return tuple(found)


def _explained(value: float) -> str:
    """A share near one with as many nines as it has."""
    if value >= 1.0 - 1e-12:
        return "100 %"
    left = 1.0 - value
    return share(value) if left > 0.01 else f"all but {share(left)}"


def _rival(subject: Subject, number: int) -> Markup | None:
    """The best form that says something else, as an equation."""
    discovery = subject.discovery
    chosen = discovery.chosen_for(number)
    name = discovery.system.names[number]
    if chosen is None or name not in discovery.samples.target_names:
        return None
    target = discovery.samples.target_names.index(name)
    gap = discovery.trust[number].gap
    if gap is None:
        return None
    # The judgement keeps the rival's lead and not the rival; it is the candidate that lies so far behind.
    place = next(
        (
            at
            for at, each in enumerate(discovery.candidates[target])
            if each is not chosen and math.isclose(chosen.evidence - each.evidence, gap, rel_tol=1e-9)
        ),
        None,
    )
    return None if place is None else subject.line(name, subject.candidate(target, place)).math
