"""The start benchmark: a large file read beside pandas, and how long imports take."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.data.table import read_table
from mathonet.experiments.bench.table import command_line, write_tables

ROWS, WIDE = 1_000_000, 2000
"""Rows of the long file, and columns of the wide one."""
IMPORTS = {
    "an empty Python": "pass",
    "import jax": "import jax",
    "import mathonet": "import mathonet",
    "mathonet --help": "from mathonet.cli import main; main(['--help'])",
    "from mathonet import Discoverer": "from mathonet import Discoverer",
}
Say = Callable[[str], None]


def run(folder: str | Path, seeds: range, say: Say, rows: int = ROWS, wide: int = WIDE) -> Path:
    """Time everything once a seed, in turn, and write `start.md`."""
    parts = {
        "reading: seconds, and how many times those of pandas.read_csv": reading(seeds, say, rows, wide),
        "imports: seconds of a whole process": imports(seeds, say),
    }
    return write_tables(folder, "start", command_line(), parts)


def reading(seeds: range, say: Say, rows: int, wide: int) -> pd.DataFrame:
    """One row a file, long and wide."""
    return pd.DataFrame([_beside_pandas(rows, 4, seeds, say), _beside_pandas(rows // wide, wide, seeds, say)])


def _beside_pandas(rows: int, columns: int, seeds: range, say: Say) -> dict:
    """One file read by pandas and by us, alternately, in this process."""
    states = [f"x{number}" for number in range(1, columns)]
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "waves.csv"
        _waves(rows, states).to_csv(path, index=False)
        for _ in seeds:
            pandas = _seconds(lambda: pd.read_csv(path))
            ours = _seconds(lambda: read_table(path, states=states))
            pairs.append((pandas, ours, ours / pandas))
            say(f"{rows:,} x {columns}: pandas {pandas:.3f} s, ours {ours:.3f} s")
    middle = np.median(pairs, axis=0)
    return {
        "file": f"{rows:,} x {columns}",
        "times read": len(pairs),
        "pandas (median)": middle[0],
        "ours (median)": middle[1],
        "ratio (median)": middle[2],
        "ratio, first": pairs[0][2],
        "ratio, largest": max(pair[2] for pair in pairs),
    }


def imports(seeds: range, say: Say) -> pd.DataFrame:
    """One row a command: the whole time of a process that does nothing else."""
    found = {name: [] for name in IMPORTS}
    for _ in seeds:
        for name, code in IMPORTS.items():
            found[name].append(
                _seconds(
                    lambda code=code: subprocess.run(
                        [sys.executable, "-c", code], check=True, capture_output=True, timeout=120
                    )
                )
            )
    for name, seconds in found.items():
        say(f"{name}: {np.median(seconds):.2f} s")
    return pd.DataFrame(
        [{"what": name, "median": np.median(each), "largest": max(each)} for name, each in found.items()]
    )


def _waves(rows: int, states: list[str]) -> pd.DataFrame:
    t = 0.01 * np.arange(rows)
    return pd.DataFrame({"t": t} | {name: np.sin((1.0 + 0.1 * n) * t) for n, name in enumerate(states)})


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
