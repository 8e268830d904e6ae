"""Cases of the outliers benchmark: systems of the states benchmark in 200 rows, some values far off."""

import zlib
from dataclasses import dataclass, replace

import numpy as np

from mathonet.data.trajectory import Trajectory
from mathonet.experiments.bench.states.cases import Case, Run, all_cases

ROWS = 200
SYSTEMS = ("lorenz", "lv", "vdp", "duffing", "pendulum", "fhn", "sir")
NOISES = (0.0, 0.01, 0.02)
COUNTS = (0, 1, 3, 10)
NEAREST, FARTHEST = 5.0, 300.0
"""Least and most that an outlier is off, in units of the noise; on clean data, of 1 % of the state's RMS."""


@dataclass(frozen=True)
class Spoilt:
    """A case of the states benchmark with some values of it far off.

    Attributes:
        name: as in the records.
        base: the case.
        count: how many values are off, anywhere in the table.
    """

    name: str
    base: Case
    count: int

    def data(self, seed: int) -> tuple[Trajectory, list[tuple[int, str, float]]]:
        """What was measured, and its outliers: row, state, how far off in units of the noise.

        Rows, states and sizes are random, sizes alike on a logarithmic scale, to either side; the noise is
        the same for every count, so that a case without outliers says what is to be kept.
        """
        measured = self.base.data(seed)[0]
        rng = np.random.default_rng([zlib.crc32(self.base.name.encode()), seed, self.count])
        x = measured.x.copy()
        # About the scale of the states benchmark, whose noise is a share of the RMS.
        unit = max(self.base.noise, 0.01) * np.sqrt(np.mean(x**2, axis=0))
        wrong = []
        for cell in np.sort(rng.choice(x.size, self.count, replace=False)):
            row, state = divmod(int(cell), x.shape[1])
            size = float(np.exp(rng.uniform(np.log(NEAREST), np.log(FARTHEST))))
            x[row, state] += rng.choice([-1.0, 1.0]) * size * unit[state]
            wrong.append((row, measured.names[state], size))
        return Trajectory(measured.t, x, names=measured.names, u=measured.u), wrong


def all_spoilt() -> list[Spoilt]:
    """Every case, by noise, system and number of outliers."""
    base = {case.name: case for case in all_cases()}
    base["lorenz"] = base["lorenz-1"]
    found = []
    for noise in NOISES:
        for system in SYSTEMS:
            case = base[system]
            run = case.runs[0]
            name = f"{system}-{noise:.0%}" if noise else f"{system}-clean"
            short = replace(
                case,
                name=name,
                group="outliers",
                noise=noise,
                runs=(Run(run.start, run.end, ROWS),),
                wanted=None,
            )
            found += [Spoilt(f"{name}-{count}", short, count) for count in COUNTS]
    return found
