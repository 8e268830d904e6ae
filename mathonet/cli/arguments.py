"""What may be asked on the command line: the parser of every command, quick to load."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from mathonet.printable import in_a_line

PAPER = ("lorenz", "noise", "lotka-volterra", "fisher-kpp", "tutorial", "uncertainty", "protocol")
"""Parts of the paper's results; kept here so that `--help` does not wait for them."""

LANGUAGES = ("latex", "python", "numpy", "jax", "julia", "matlab", "c", "sympy")
"""What equations are exported to; the same as in `equation.code.export`, which takes seconds to load."""

BENCHMARKS = (
    *("core", "ladder", "states", "outliers", "odebench", "own", "nested"),
    *("ablation", "networks", "nothing", "start"),
)
RECOVERY_METHODS = ("ours", "blocks", "networks")
"""Ours of `bench odebench`, `own` and `nested`; as in `experiments.bench.recovery.methods`, slow to load."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are short and command no terminal, whatever was given."""

    def error(self, message: str) -> NoReturn:
        """End with a complaint in one line."""
        super().error(in_a_line(message, 1000))


Run = Callable[[argparse.Namespace], int]
"""What a command does with its options; returns the exit code."""


class Gathered(argparse.Action):
    """An option of several values that may be given several times: what a file gave is replaced by all."""

    def __call__(self, _: Any, namespace: argparse.Namespace, values: Any, __: str | None = None) -> None:
        """Add values to those that the command line gave before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, values if before is self.default else [*before, *values])


def parser(
    commands_run: Mapping[str, Run], given: Mapping[str, Any] | None = None
) -> argparse.ArgumentParser:
    """The parser of every command.

    Args:
        commands_run: the function that each command calls.
        given: options of `discover` from a file; those of the command line go before them.
    """
    made = Parser(prog="mathonet", description="Find the governing equations behind measured data.")
    made.add_argument("--version", action="version", version=_version())
    commands = made.add_subparsers(title="commands", required=True, metavar="COMMAND")

    discover = commands.add_parser(
        "discover",
        help="find the equations behind a table or a built-in system",
        description="Find the equations behind a table of measurements (CSV, TSV, Parquet, NPZ, MAT, Excel) "
        "or a built-in system.",
    )
    discover_arguments(discover)
    discover.set_defaults(run=commands_run["discover"], **(given or {}))

    simulate = commands.add_parser(
        "simulate",
        help="simulate the equations of a run, as CSV",
        description="Simulate the equations of a run and write the states as CSV.",
    )
    simulate.add_argument("folder", metavar="RUN", help="folder of a finished run")
    simulate.add_argument(
        "--x0", nargs="+", type=float, metavar="X", help="where to start (default: where the data start)"
    )
    simulate.add_argument(
        "--times",
        nargs="+",
        metavar="T",
        help="increasing times, or one START:END:NUMBER (default: those of the data)",
    )
    simulate.add_argument(
        "--trajectory", type=int, default=1, metavar="N", help="whose start, times and inputs (default: 1)"
    )
    simulate.add_argument("--out", metavar="FILE", help="CSV file (default: standard output)")
    simulate.set_defaults(run=commands_run["simulate"])

    report = commands.add_parser(
        "report",
        help="write the report of a run",
        description="Write the report of a run: one HTML page that needs nothing but itself.",
    )
    report.add_argument("folder", metavar="RUN", help="folder of a finished run")
    report.add_argument("--out", metavar="FILE", help="(default: report.html in RUN)")
    report.set_defaults(run=commands_run["report"])

    export = commands.add_parser(
        "export",
        help="write the equations of a run as source code",
        description="Write the equations of a run as source code that is complete as it stands.",
    )
    export.add_argument("folder", metavar="RUN", help="folder of a finished run")
    export.add_argument("--to", required=True, choices=LANGUAGES)
    export.add_argument("--out", metavar="FILE", help="(default: standard output)")
    export.set_defaults(run=commands_run["export"])

    systems = commands.add_parser("systems", help="list the built-in systems")
    systems.set_defaults(run=commands_run["systems"])

    bench = commands.add_parser("bench", help="run a benchmark and write its tables")
    bench.add_argument(
        "name",
        choices=BENCHMARKS,
    )
    bench.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="(default: 20; states, nothing: 50; start: 5; outliers, odebench, own, nested: 3; ablation, "
        "networks: 1)",
    )
    bench.add_argument("--first-seed", type=int, default=0, metavar="N")
    bench.add_argument("--out", default="benchmarks/results", metavar="FOLDER")
    long = bench.add_argument_group(
        "all but core, ladder and start: they go on where they stopped, from the records in FOLDER"
    )
    long.add_argument("--no-peers", action="store_true", help="leave PySINDy out")
    long.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of one thread each")
    states = bench.add_argument_group("core, states, outliers, nothing, ablation and networks")
    states.add_argument(
        "--cases",
        nargs="+",
        metavar="NAME",
        help="cases, groups or patterns, as 'lorenz-*'; core: its parts, as restarts; ablation: how its "
        "changes begin, as without; networks: its changes, as first-order",
    )
    recovery = bench.add_argument_group(
        "odebench, own and nested; ablation has --systems and --sigmas, networks --systems"
    )
    recovery.add_argument(
        "--systems",
        nargs="+",
        metavar="NAME",
        help="such as 1 2 30; own, nested: names, sciences, tuning or held-out (default: all; own, nested: "
        "tuning)",
    )
    recovery.add_argument("--grids", nargs="+", type=int, metavar="N", help="points (default: 150 512)")
    recovery.add_argument(
        "--sigmas", nargs="+", type=float, metavar="SHARE", help="noise (default: 0 0.01 0.02 0.05)"
    )
    recovery.add_argument(
        "--rhos", nargs="+", type=float, metavar="SHARE", help="of the points, dropped (default: 0 0.5)"
    )
    recovery.add_argument("--derivatives", action="store_true", help="clean states and exact derivatives")
    recovery.add_argument(
        "--methods",
        nargs="+",
        choices=RECOVERY_METHODS,
        metavar="NAME",
        help="ours, with PySINDy beside it; blocks: polynomials, steps and sums with calls alone; networks: "
        "networks alone (default: ours)",
    )
    recovery.add_argument("--against", metavar="FOLDER", help="compare with the same runs recorded there")
    bench.set_defaults(run=commands_run["bench"])

    paper = commands.add_parser("paper", help="repeat a result of the paper and set it beside ours")
    paper.add_argument("name", choices=[*PAPER, "all"])
    paper.add_argument(
        "--seeds", type=int, metavar="N", help="of each part (default: 20, less for the slowest)"
    )
    paper.add_argument("--out", default="paper", metavar="FOLDER")
    paper.set_defaults(run=commands_run["paper"])
    return made


def discover_arguments(discover: argparse.ArgumentParser) -> None:
    """Everything that `discover` may be asked."""
    discover.add_argument(
        "source", nargs="?", metavar="FILE|SYSTEM", help="data.csv, or a name from `mathonet systems`"
    )
    discover.add_argument("--out", metavar="FOLDER", help="where to leave the results (default: runs/NAME)")
    discover.add_argument(
        "--config", metavar="FILE.toml", help="options from a file; those given here go first"
    )
    discover.add_argument(
        "--budget", type=float, metavar="SECONDS", help="end after this time with the best found so far"
    )
    discover.add_argument(
        "--effort",
        choices=["quick", "normal", "thorough"],
        default="normal",
        help="how many forms are looked at (default: normal)",
    )
    discover.add_argument(
        "--resume", metavar="RUN", help="go on with a run that was ended; its own data and options are used"
    )
    discover.add_argument(
        "--dry-run", action="store_true", help="say what is understood and would be searched; search nothing"
    )
    discover.add_argument("--json", action="store_true", help="print the result as JSON and nothing else")
    columns = discover.add_argument_group("columns of the file (found out and told if not given)")
    columns.add_argument("--time", metavar="COLUMN")
    columns.add_argument("--states", nargs="+", action=Gathered, metavar="COLUMN")
    columns.add_argument(
        "--derivatives", nargs="*", metavar="COLUMN", help="in the order of the states; none to ignore them"
    )
    columns.add_argument("--inputs", nargs="+", action=Gathered, metavar="COLUMN", help="control inputs")
    columns.add_argument(
        "--experiment", metavar="COLUMN", help="names the experiment of a row ('' if there is one only)"
    )
    columns.add_argument("--ignore", nargs="+", metavar="COLUMN", help="columns to leave out")
    columns.add_argument("--time-unit", metavar="UNIT", help="of the times: s, min, h, day, year ...")
    columns.add_argument("--sheet", metavar="NAME", help="of an Excel file, or its number")
    alone = discover.add_argument_group("states alone (a file without derivatives)")
    alone.add_argument(
        "--order", type=int, choices=[1, 2], default=1, help="2: x'' = f(x, x') from positions (default: 1)"
    )
    alone.add_argument("--smoothing", choices=["gp", "spline", "savgol"], default="gp", help="(default: gp)")
    search = discover.add_argument_group("search")
    search.add_argument(
        "--known",
        nargs="+",
        action=Gathered,
        metavar="STATE=FORMULA",
        help="terms that are known, such as v=-9.81",
    )
    search.add_argument(
        "--operations", nargs="+", action=Gathered, metavar="NAME", help="such as ident sin exp"
    )
    search.add_argument(
        "--hidden", nargs="+", type=int, metavar="N", help="one fixed network: neurons a layer"
    )
    search.add_argument(
        "--dense",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="later layers see all earlier ones",
    )
    search.add_argument(
        "--joint",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="with --hidden: one network for all equations",
    )
    search.add_argument(
        "--lambdas",
        nargs="+",
        type=float,
        metavar="L",
        help="with --hidden: first lambdas (default: 1e-3)",
    )
    search.add_argument(
        "--restarts",
        type=int,
        metavar="N",
        help="with --hidden: random starts (default: 20; of several layers 200; thorough: more)",
    )
    search.add_argument("--cycles", type=int, metavar="N", help="with --hidden: most cycles (default: 14)")
    search.add_argument("--selection", choices=["score", "validation"], help="(default: score)")
    search.add_argument("--map-step", choices=["newton", "adam"], help="(default: newton)")
    search.add_argument("--epochs", type=int, metavar="N", help="epochs of adam a cycle (default: 800)")
    search.add_argument(
        "--protocol",
        choices=["default", "paper"],
        default="default",
        help="paper: its lambdas, 10 restarts of each, adam, validation; other options go before it",
    )
    search.add_argument("--seed", type=int, default=0)
    search.add_argument(
        "--noise", type=float, default=0.0, metavar="SHARE", help="noise on a built-in system's derivatives"
    )


def _version() -> str:
    from mathonet import __version__

    return f"mathonet {__version__}"
