"""Systems of our own, none of them in ODEBench: some to tune on, others set aside.

They were written in three parts. Of the first 46 (`own_matter`, `own_life`), half were set aside, run once,
and showed a gap to the other half; all have been used for tuning since. The same happened to the next 32
(`own_matter_aside`, `own_life_aside`). The last 31 (`own_matter_third`, `own_life_third`) were written
afterwards, before any of them was run, and are the ones set aside.
"""

from mathonet.experiments.bench import (
    own_life,
    own_life_aside,
    own_life_third,
    own_matter,
    own_matter_aside,
    own_matter_third,
)
from mathonet.experiments.bench.own_matter import Row
from mathonet.experiments.bench.recovery_cases import Dynamics

Sciences = dict[str, tuple[Row, ...]]
"""Rows by science."""


def _by_science(matter, life) -> Sciences:
    return {
        "mechanics": matter.MECHANICS,
        "chemistry": matter.CHEMISTRY,
        "circuits": matter.CIRCUITS,
        "epidemiology": life.EPIDEMIOLOGY,
        "neuroscience": life.NEUROSCIENCE,
        "ecology": life.ECOLOGY,
        "physiology": life.PHYSIOLOGY,
    }


_SECOND = _by_science(own_matter_aside, own_life_aside)
TUNING: Sciences = {
    science: (*rows, *_SECOND[science]) for science, rows in _by_science(own_matter, own_life).items()
}
"""Rows to tune on."""
ASIDE = _by_science(own_matter_third, own_life_third)
"""Rows that are set aside."""


def _systems(sciences: Sciences, held_out: bool) -> list[Dynamics]:
    return [
        Dynamics(
            name,
            tuple(states.split()),
            equations,
            (first, second),
            end,
            title=title,
            science=science,
            held_out=held_out,
        )
        for science, rows in sciences.items()
        for name, title, states, end, first, second, equations in rows
    ]


OWN = (*_systems(TUNING, held_out=False), *_systems(ASIDE, held_out=True))
