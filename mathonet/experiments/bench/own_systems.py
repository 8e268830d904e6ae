"""Systems of our own, none of them in ODEBench: some to tune on, others set aside.

They were written in four parts. Of the first 46 (`own_matter`, `own_life`), half were set aside, run once,
and showed a gap to the other half; all have been used for tuning since. The same happened to the next 32
(`..._aside`) and to 31 more (`..._third`). The last 66 were written at once and divided by lot before any of
them was run: 33 to tune on (`..._fourth`), and 33 that are set aside (`..._fifth`).
"""

from mathonet.experiments.bench import (
    own_life,
    own_life_aside,
    own_life_fifth,
    own_life_fourth,
    own_life_third,
    own_matter,
    own_matter_aside,
    own_matter_fifth,
    own_matter_fourth,
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


_PARTS = (
    _by_science(own_matter, own_life),
    _by_science(own_matter_aside, own_life_aside),
    _by_science(own_matter_third, own_life_third),
    _by_science(own_matter_fourth, own_life_fourth),
)
TUNING: Sciences = {science: tuple(row for part in _PARTS for row in part[science]) for science in _PARTS[0]}
"""Rows to tune on."""
ASIDE = _by_science(own_matter_fifth, own_life_fifth)
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
