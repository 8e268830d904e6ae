"""Result tables: Markdown and CSV with the command, commit, machine and date in the header."""

import os
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from mathonet.experiments.folder import is_table
from mathonet.writing import make_folders, write_file


def header(command: str) -> list[str]:
    """Where a table comes from."""
    return [
        f"command: {command}",
        f"commit: {commit()}",
        f"machine: {platform.machine()}, {_cores()}, Python {platform.python_version()}, "
        f"JAX {_jax_version()} on {_device()}",
        f"date: {datetime.now(UTC):%Y-%m-%d}",
    ]


def write_tables(folder: str | Path, name: str, command: str, parts: dict[str, pd.DataFrame]) -> Path:
    """Write `name.md` with one table a part, and `name-part.csv` for each; returns the Markdown file."""
    folder = Path(folder)
    make_folders(folder)
    lines = [f"# {name}", "", *(f"- {line}" for line in header(command)), ""]
    for title, table in parts.items():
        lines += [f"## {title}", "", markdown(table), ""]
        body = "".join(f"# {line}\n" for line in header(command)) + table.to_csv(index=False)
        write_file(folder / f"{name}-{title.split(':')[0].replace(' ', '-')}.csv", body)
    return write_file(folder / f"{name}.md", "\n".join(lines), is_table)


def markdown(table: pd.DataFrame) -> str:
    """A Markdown table; numbers with four significant digits."""

    def cell(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|")

    rows = [list(table.columns), ["---"] * len(table.columns)]
    rows += [[cell(value) for value in row] for row in table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def _cores() -> str:
    """Cores this process may use, and of how many; not every system can tell the former."""
    whole = os.cpu_count() or 1
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else whole
    return f"{own} cores" if own == whole else f"{own} of {whole} cores"


def commit() -> str:
    """The commit that is running, and whether files were changed since."""
    try:
        here = Path(__file__).parent
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=True, cwd=here
        )
        return found.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown (not a checkout)"


def _jax_version() -> str:
    import jax

    return jax.__version__


def _device() -> str:
    import jax

    return jax.devices()[0].device_kind


def command_line() -> str:
    """The command that is running, as a user would type it."""
    return shlex.join(["mathonet", *sys.argv[1:]])
