"""The journal layer: unfinished runs with something changed in them, opened and resumed."""

from tests.fuzz.archive import damage
from tests.fuzz.case import Case, Step
from tests.fuzz.draw import Random, chance, one_of


def case(random: Random) -> Case:
    """A case of an unfinished run."""
    steps: tuple[Step, ...] = (("copy", "run", "unfinished"),)
    for _ in range(int(random.integers(1, 3))):
        if chance(random, 0.85):
            steps += damage(random, "unfinished", "unfinished", ("run.json",))
        else:
            steps += damage(random, "unfinished", "", ("archive.json", "config.json"))
    if chance(random, 0.6):
        # Without its checksums, nothing that was forged would come further than they.
        steps += (("seal", "run/unfinished"),)
    if chance(random, 0.15):
        steps += (_aside(random),)
    note = "an unfinished run that was changed"
    if chance(random, 0.7):
        return Case("journal", steps, "open", {"folder": "run"}, note)
    argv = ["discover", "--resume", "run", "--budget", "0.01"]
    return Case("journal", steps, "main", {"argv": argv}, note)


def _aside(random: Random) -> Step:
    """What a killed process may have left, or somebody who knows how such a thing is called."""
    return one_of(
        random,
        (
            ("folder", "run/.unfinished-abcdefgh"),
            ("bytes", "run/.unfinished-abcdefgh", b""),
            ("copy", "run/.unfinished-abcdefgh/unfinished", "unfinished/unfinished"),
            ("copy", ".run-abcdefgh-old", "finished"),
            ("link", "run/unfinished/lock", "lock"),
            ("link", "run/unfinished/lock", "../../foreign"),
            ("folder", "run/unfinished/lock"),
            ("pipe", "run/unfinished/lock"),
            ("bytes", "run/unfinished/.run.json", b"somebody's"),
        ),
    )
