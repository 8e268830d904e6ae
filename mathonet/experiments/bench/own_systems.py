"""Systems of our own, none of them in ODEBench: some to tune on, others set aside.

The first 46 (`own_matter`, `own_life`) were first split in two halves, every other one within each field. The
half that was set aside then was run once, showed a gap to the other half, and has been used for tuning since:
all 46 are for tuning now. The systems of `own_matter_aside` and `own_life_aside` were written afterwards,
before any of them was run, and are the ones set aside.
"""

from collections.abc import Mapping, Sequence

from mathonet.experiments.bench import own_life, own_life_aside, own_matter, own_matter_aside
from mathonet.experiments.bench.own_matter import Row
from mathonet.experiments.bench.recovery_cases import Dynamics

TUNING: dict[str, tuple[Row, ...]] = {
    "mechanics": own_matter.MECHANICS,
    "chemistry": own_matter.CHEMISTRY,
    "circuits": own_matter.CIRCUITS,
    "epidemiology": own_life.EPIDEMIOLOGY,
    "neuroscience": own_life.NEUROSCIENCE,
    "ecology": own_life.ECOLOGY,
    "physiology": own_life.PHYSIOLOGY,
}
"""Rows to tune on, by science."""
ASIDE: dict[str, tuple[Row, ...]] = {
    "mechanics": own_matter_aside.MECHANICS,
    "chemistry": own_matter_aside.CHEMISTRY,
    "circuits": own_matter_aside.CIRCUITS,
    "epidemiology": own_life_aside.EPIDEMIOLOGY,
    "neuroscience": own_life_aside.NEUROSCIENCE,
    "ecology": own_life_aside.ECOLOGY,
    "physiology": own_life_aside.PHYSIOLOGY,
}
"""Rows that are set aside, by science."""


def _systems(sciences: Mapping[str, Sequence[Row]], held_out: bool) -> list[Dynamics]:
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
