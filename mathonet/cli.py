"""The command line: mathonet discover | systems | bench | paper. A user's mistakes end with exit code 2."""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mathonet.data.trajectory import Trajectory

PAPER = ("lorenz", "noise", "lotka-volterra", "fisher-kpp", "tutorial", "uncertainty", "protocol")
"""Parts of the paper's results; kept here so that `--help` does not wait for them."""

COLUMNS = ("time", "states", "derivatives", "inputs", "experiment")
"""Parts that columns of a file play."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    from mathonet.errors import ArchiveError, ConfigError, DataError, SimulationError

    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output wanted no more of it; results are written before they are shown.
        _hush()
        return 0
    except (ArchiveError, ConfigError, DataError, SimulationError) as error:
        _stderr(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        _stderr("stopped")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mathonet", description="Find the governing equations behind measured data."
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    discover = commands.add_parser(
        "discover",
        help="find the equations behind a table or a built-in system",
        description="Find the equations behind a table of measurements (CSV, TSV, Parquet, NPZ, MAT, Excel) "
        "or a built-in system.",
    )
    discover.add_argument("source", metavar="FILE|SYSTEM", help="data.csv, or a name from `mathonet systems`")
    discover.add_argument("--out", metavar="FOLDER", help="where to leave the results (default: runs/NAME)")
    columns = discover.add_argument_group("columns of the file (guessed from the header if not given)")
    columns.add_argument("--time", metavar="COLUMN")
    columns.add_argument("--states", nargs="+", metavar="COLUMN")
    columns.add_argument(
        "--derivatives", nargs="*", metavar="COLUMN", help="in the order of the states; none to ignore them"
    )
    columns.add_argument("--inputs", nargs="+", metavar="COLUMN", help="control inputs")
    columns.add_argument(
        "--experiment", metavar="COLUMN", help="names the experiment of a row ('' if there is one only)"
    )
    alone = discover.add_argument_group("states alone (a file without derivatives)")
    alone.add_argument(
        "--order", type=int, choices=[1, 2], default=1, help="2: x'' = f(x, x') from positions (default: 1)"
    )
    alone.add_argument("--smoothing", choices=["gp", "spline", "savgol"], default="gp", help="(default: gp)")
    search = discover.add_argument_group("search")
    search.add_argument(
        "--known", nargs="+", metavar="STATE=FORMULA", help="terms that are known, such as v=-9.81"
    )
    search.add_argument("--operations", nargs="+", metavar="NAME", help="such as ident sin exp")
    search.add_argument(
        "--hidden", nargs="+", type=int, metavar="N", help="one fixed network: neurons a layer"
    )
    search.add_argument("--dense", action="store_true", help="later layers see all earlier ones")
    search.add_argument("--joint", action="store_true", help="one network for all equations")
    search.add_argument("--lambdas", nargs="+", type=float, metavar="L", help="first lambdas (default: 1e-3)")
    search.add_argument(
        "--restarts",
        type=int,
        metavar="N",
        help="random starts (default: 20; deeper networks 200, 60 on the ladder)",
    )
    search.add_argument("--cycles", type=int, metavar="N", help="most cycles (default: 14)")
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
    discover.set_defaults(run=_discover)

    systems = commands.add_parser("systems", help="list the built-in systems")
    systems.set_defaults(run=_systems)

    bench = commands.add_parser("bench", help="run a benchmark and write its tables")
    bench.add_argument("name", choices=["core", "ladder", "states"])
    bench.add_argument("--seeds", type=int, metavar="N", help="(default: 20; states: 50)")
    bench.add_argument("--first-seed", type=int, default=0, metavar="N")
    bench.add_argument("--out", default="benchmarks/results", metavar="FOLDER")
    states = bench.add_argument_group("states only: it goes on where it stopped, from the records in FOLDER")
    states.add_argument("--cases", nargs="+", metavar="NAME", help="cases, groups or patterns, as 'lorenz-*'")
    states.add_argument("--no-peers", action="store_true", help="leave PySINDy out")
    states.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of one thread each")
    bench.set_defaults(run=_bench)

    paper = commands.add_parser("paper", help="repeat a result of the paper and set it beside ours")
    paper.add_argument("name", choices=[*PAPER, "all"])
    paper.add_argument(
        "--seeds", type=int, metavar="N", help="of each part (default: 20, less for the slowest)"
    )
    paper.add_argument("--out", default="paper", metavar="FOLDER")
    paper.set_defaults(run=_paper)
    return parser


def _version() -> str:
    from mathonet import __version__

    return f"mathonet {__version__}"


def _stderr(text: str) -> None:
    with suppress(BrokenPipeError):
        sys.stderr.write(text + "\n")


def _hush() -> None:
    """Let what is still to be printed vanish: nobody reads it, and Python would complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _console():
    """A console that goes on in silence when its reader leaves, as `head` does: a search is worth more."""
    from rich.console import Console

    class Lasting(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            _hush()

    return Lasting()


@contextmanager
def _warnings_in_a_line():
    """Warnings as one line each, and what was chosen for the user as a note."""
    from mathonet.data.choice import Choice

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        _stderr(f"{'note' if issubclass(category, Choice) else 'warning'}: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _discover(options: argparse.Namespace) -> int:
    from mathonet.discovery.folder import check_folder
    from mathonet.errors import ConfigError

    if options.out is not None and not options.out.strip():
        raise ConfigError("--out is empty. Name a folder, or leave it out for runs/NAME.")
    step = options.map_step or ("adam" if options.protocol == "paper" else "newton")
    if options.epochs is not None and step != "adam":
        raise ConfigError("--epochs belongs to adam: give --map-step adam as well, or leave it out.")
    folder = check_folder(options.out or Path("runs") / Path(options.source).stem)
    # Read first: a mistake in the file should not wait for the numerical stack.
    with _warnings_in_a_line():
        trajectories, operations, hidden = _source(options)
    hidden = options.hidden or hidden
    if options.dense and (hidden is None or len(hidden) < 2):
        raise ConfigError(
            "--dense joins later layers to earlier ones, so it needs two or more: give --hidden as well, "
            "such as --hidden 2 1."
        )
    _use_compilation_cache()
    from mathonet.data.trajectories import summary
    from mathonet.discovery.archive import write_run
    from mathonet.display import LiveProgress, show_result
    from mathonet.estimator import Discoverer

    console = _console()
    estimator = Discoverer(
        operations=options.operations or operations,
        hidden=hidden,
        known=_known(options.known),
        order=options.order,
        smoothing=options.smoothing,
        dense=options.dense,
        joint=options.joint,
        lambdas=options.lambdas,
        restarts=options.restarts,
        cycles=options.cycles,
        selection=options.selection,
        map_step=options.map_step,
        epochs=options.epochs,
        protocol=options.protocol,
        seed=options.seed,
    )
    console.print(f"{options.source}: {summary(trajectories)}", markup=False, soft_wrap=True)
    # On second order the equations are those of the velocities, one for each position.
    with _warnings_in_a_line(), LiveProgress(console, trajectories[0].names) as progress:
        estimator.fit(
            *_arguments(trajectories),
            names=trajectories[0].names,
            input_names=trajectories[0].input_names or None,
            progress=progress,
        )
    write_run(estimator.discovery_, folder)
    show_result(console, estimator.discovery_, folder)
    return 0


def _arguments(trajectories: Sequence["Trajectory"]) -> list:
    """States, times, derivatives and inputs as `fit` takes them: bare for one trajectory, else in lists."""
    parts = [[getattr(each, part) for each in trajectories] for part in ("x", "t", "x_dot", "u")]
    parts = [None if part[0] is None else part for part in parts]
    return parts if len(trajectories) > 1 else [part and part[0] for part in parts]


def _known(given: Sequence[str] | None) -> dict[str, str] | None:
    """Known terms by state, from STATE=FORMULA."""
    from mathonet.errors import ConfigError

    for each in given or ():
        if not all(part.strip() for part in each.partition("=")):
            raise ConfigError(f"--known takes STATE=FORMULA such as v=-9.81, got {each!r}.")
    parts = [each.partition("=") for each in given or ()]
    return {name.strip(): formula.strip() for name, _, formula in parts} or None


def _source(options: argparse.Namespace):
    """The trajectories to learn from, and operations and architecture that come with a built-in system."""
    from mathonet import systems
    from mathonet.data.table import read_table
    from mathonet.data.trajectories import check_together
    from mathonet.errors import ConfigError, DataError

    path = Path(options.source)
    looks_like_file = path.suffix != "" or os.sep in options.source
    if looks_like_file or (path.exists() and options.source not in systems.names()):
        if not path.exists() and path.stem in systems.names():
            raise DataError(f"There is no file {str(path)!r}. The built-in system is called {path.stem!r}.")
        if options.noise:
            raise ConfigError("--noise is for built-in systems; the noise of a file is its own.")
        trajectories = read_table(path, **{part: getattr(options, part) for part in COLUMNS})
        check_together(trajectories)
        return trajectories, None, None
    tables = sorted(entry.name for entry in Path().iterdir() if entry.stem == options.source)
    if tables and options.source not in systems.names():
        raise DataError(
            f"There is no built-in system {options.source!r}. Did you mean the file {tables[0]!r}?"
        )
    system = systems.get(options.source)
    told = [name for name in COLUMNS if getattr(options, name) is not None]
    if told:
        raise ConfigError(f"--{told[0]} is for files; the columns of a built-in system are its own.")
    if not 0 <= options.seed < 2**63:
        raise ConfigError(f"--seed must be a whole number from 0 to 2^63 - 1, got {options.seed}.")
    if not 0.0 <= options.noise < 10.0:
        raise ConfigError(f"--noise must be a share such as 0.01, got {options.noise}.")
    trajectory = system.simulate(derivative_noise=options.noise, seed=options.seed)
    return [trajectory], system.operations, system.hidden


def _systems(options: argparse.Namespace) -> int:
    from mathonet.display import show_systems

    show_systems(_console())
    return 0


def _bench(options: argparse.Namespace) -> int:
    from mathonet.errors import ConfigError

    if options.seeds is None:
        options.seeds = 50 if options.name == "states" else 20
    if options.seeds < 1 or options.first_seed < 0:
        raise ConfigError(
            f"--seeds must be a whole number of at least 1 and --first-seed one of at least 0, got "
            f"{options.seeds} and {options.first_seed}."
        )
    if options.name != "states" and (options.cases or options.no_peers or options.jobs != 1):
        raise ConfigError(f"--cases, --no-peers and --jobs are for `bench states`, not {options.name!r}.")
    from mathonet.experiments.folder import check_out

    check_out(options.out, ("",))
    _use_compilation_cache()
    from mathonet.experiments.bench import core, ladder, states

    seeds = range(options.first_seed, options.first_seed + options.seeds)
    if options.name == "states":
        path = states.run(options.out, seeds, _stderr, options.cases, not options.no_peers, options.jobs)
    else:
        path = {"core": core, "ladder": ladder}[options.name].run(options.out, seeds, _stderr)
    sys.stdout.write(path.read_text())
    return 0


def _paper(options: argparse.Namespace) -> int:
    from mathonet.errors import ConfigError
    from mathonet.experiments.folder import check_out

    if options.seeds is not None and options.seeds < 1:
        raise ConfigError(f"--seeds must be a whole number of at least 1, got {options.seeds}.")
    names = PAPER if options.name == "all" else (options.name,)
    folder = check_out(options.out, names)
    _use_compilation_cache()
    from mathonet.experiments.bench.table import command_line
    from mathonet.experiments.paper.parts import run

    shown = run(names, folder, options.seeds, _stderr, command_line())
    sys.stdout.write(shown.read_text())
    return 0


def _use_compilation_cache() -> None:
    """Keep compiled programs between runs; the command line may do so, an import may not."""
    import jax

    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    jax.config.update("jax_compilation_cache_dir", str(Path(cache) / "mathonet" / "jax"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


if __name__ == "__main__":
    sys.exit(main())
