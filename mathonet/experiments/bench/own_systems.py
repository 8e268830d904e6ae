"""Systems of our own, none of them in ODEBench: half to tune on, half set aside.

Set aside is every other one within each field, by the order in which they are written: a rule fixed before
any of them was run.
"""

from collections.abc import Sequence

from mathonet.experiments.bench import own_life, own_matter
from mathonet.experiments.bench.own_matter import Row
from mathonet.experiments.bench.recovery_cases import Dynamics

SCIENCES: dict[str, tuple[Row, ...]] = {
    "mechanics": own_matter.MECHANICS,
    "chemistry": own_matter.CHEMISTRY,
    "circuits": own_matter.CIRCUITS,
    "epidemiology": own_life.EPIDEMIOLOGY,
    "neuroscience": own_life.NEUROSCIENCE,
    "ecology": own_life.ECOLOGY,
    "physiology": own_life.PHYSIOLOGY,
}


def _systems(science: str, rows: Sequence[Row]) -> list[Dynamics]:
    return [
        Dynamics(
            name,
            tuple(states.split()),
            equations,
            (first, second),
            end,
            title=title,
            science=science,
            held_out=place % 2 == 1,
        )
        for place, (name, title, states, end, first, second, equations) in enumerate(rows)
    ]


OWN = tuple(system for science, rows in SCIENCES.items() for system in _systems(science, rows))
