"""The command line: mathonet discover | systems | bench | paper. A user's mistakes end with exit code 2."""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mathonet.arguments import PAPER, parser

if TYPE_CHECKING:
    from mathonet.data.trajectory import Trajectory

COLUMNS = ("time", "states", "derivatives", "inputs", "experiment")
"""Parts that columns of a file play."""
RECOVERY = ("odebench", "own")
"""Benchmarks of known systems under many conditions."""
CONDITIONS = ("systems", "grids", "sigmas", "rhos", "derivatives")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    runs = {"discover": _discover, "systems": _systems, "bench": _bench, "paper": _paper}
    options = parser(runs).parse_args(arguments)
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
        options.seeds = ({"states": 50} | dict.fromkeys(RECOVERY, 3)).get(options.name, 20)
    if options.seeds < 1 or options.first_seed < 0:
        raise ConfigError(
            f"--seeds must be a whole number of at least 1 and --first-seed one of at least 0, got "
            f"{options.seeds} and {options.first_seed}."
        )
    _check_bench(options)
    from mathonet.experiments.folder import check_out

    check_out(options.out, ("",))
    _use_compilation_cache()
    from mathonet.experiments.bench import core, ladder, recovery, states

    seeds = range(options.first_seed, options.first_seed + options.seeds)
    if options.name == "states":
        path = states.run(options.out, seeds, _stderr, options.cases, not options.no_peers, options.jobs)
    elif options.name in RECOVERY:
        asked = {name: getattr(options, name) for name in CONDITIONS}
        path = recovery.run(
            options.name, options.out, seeds, _stderr, peers=not options.no_peers, jobs=options.jobs, **asked
        )
    else:
        path = {"core": core, "ladder": ladder}[options.name].run(options.out, seeds, _stderr)
    sys.stdout.write(path.read_text())
    return 0


def _check_bench(options: argparse.Namespace) -> None:
    """Refuse options that belong to another benchmark."""
    from mathonet.errors import ConfigError

    own = {"cases": ("states",), "no_peers": ("states", *RECOVERY), "jobs": ("states", *RECOVERY)}
    for name, benchmarks in (own | dict.fromkeys(CONDITIONS, RECOVERY)).items():
        given = getattr(options, name)
        if given not in (None, False) and (name, given) != ("jobs", 1) and options.name not in benchmarks:
            belongs = " and ".join(f"`bench {each}`" for each in benchmarks)
            raise ConfigError(f"--{name.replace('_', '-')} is for {belongs}, not {options.name!r}.")


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
