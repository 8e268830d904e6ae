"""The command line. A user's mistakes end with exit code 2 and a line that says what to correct."""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from mathonet.cli.arguments import PAPER, parser
from mathonet.cli.terminal import console, hush, stderr, write_anything
from mathonet.process import INTERRUPTED, end_at_ctrl_c, end_now, process_began

RECOVERY = ("odebench", "own", "nested")
"""Benchmarks of known systems under many conditions."""
CONDITIONS = ("systems", "grids", "sigmas", "rhos", "derivatives", "against", "methods")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: of a command inside another program; None for those of this process, which is the command.
    """
    if arguments is not None:
        return _run(arguments, time.monotonic())
    end_at_ctrl_c()
    code = _run(sys.argv[1:], process_began())
    # Nothing is left to do, but libraries would take a second to leave, and wait for threads at work.
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    end_now(code)
    return code


def _run(arguments: Sequence[str], began: float) -> int:
    """Run one command and return its exit code."""
    runs = {
        "discover": _discover,
        "simulate": _simulate,
        "report": _report,
        "export": _export,
        "systems": _systems,
        "bench": _bench,
        "paper": _paper,
    }
    write_anything()
    asked = parser(runs)
    options = asked.parse_args(arguments)
    from mathonet.errors import ArchiveError, ConfigError, DataError, SimulationError

    try:
        if getattr(options, "config", None) is not None:
            from mathonet.cli.configuration import read_config

            asked = parser(runs, read_config(options.config))
            options = asked.parse_args(arguments)
        if options.run is _discover and options.source is None and options.resume is None:
            asked.error("name a file or a built-in system, or go on with a run: discover --resume RUN")
        options.began = began
        code = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output wanted no more of it; results are written before they are shown.
        hush()
        return 0
    except (ArchiveError, ConfigError, DataError, SimulationError) as error:
        stderr(f"error: {error}")
        return 2
    except OSError as error:
        # Disks, permissions and networks of files can fail anywhere; what they say is all there is to say.
        where = "" if error.filename is None else f"{error.filename}: "
        stderr(f"error: {where}{error.strerror or error}")
        return 2
    except MemoryError as error:
        stderr(
            f"error: There is not enough memory ({error or 'none is left'}). Give less data, or fewer runs."
        )
        return 2
    except KeyboardInterrupt:
        stderr("stopped")
        return INTERRUPTED


def _discover(options: argparse.Namespace) -> int:
    if options.dry_run:
        from mathonet.cli.dry_run import show

        return show(options)
    from mathonet.cli.running import discover

    return discover(options, _use_compilation_cache)


def _simulate(options: argparse.Namespace) -> int:
    _use_compilation_cache()
    from mathonet.cli.saved_run import simulate

    return simulate(options)


def _report(options: argparse.Namespace) -> int:
    from mathonet.cli.saved_run import report

    return report(options)


def _export(options: argparse.Namespace) -> int:
    from mathonet.cli.saved_run import export

    return export(options)


def _systems(options: argparse.Namespace) -> int:
    from mathonet.cli.display import show_systems

    show_systems(console())
    return 0


def _bench(options: argparse.Namespace) -> int:
    from mathonet.errors import ConfigError

    if options.seeds is None:
        many, few, other = (
            ("states", "nothing"),
            (*RECOVERY, "outliers"),
            {"start": 5, "ablation": 1, "networks": 1},
        )
        options.seeds = (dict.fromkeys(many, 50) | dict.fromkeys(few, 3) | other).get(options.name, 20)
    if options.seeds < 1 or options.first_seed < 0:
        raise ConfigError(
            f"--seeds must be a whole number of at least 1 and --first-seed one of at least 0, got "
            f"{options.seeds} and {options.first_seed}."
        )
    _check_bench(options)
    from mathonet.experiments.folder import check_out

    check_out(options.out, (f"{options.name}.md",))
    _use_compilation_cache()
    from mathonet.experiments.bench import ablation, core, ladder, networks, nothing, outliers, start
    from mathonet.experiments.bench.recovery import run as recovery
    from mathonet.experiments.bench.states import run as states

    seeds = range(options.first_seed, options.first_seed + options.seeds)
    if options.name == "states":
        path = states.run(options.out, seeds, stderr, options.cases, not options.no_peers, options.jobs)
    elif options.name in ("nothing", "outliers"):
        bench = {"nothing": nothing, "outliers": outliers}[options.name]
        path = bench.run(options.out, seeds, stderr, options.cases, options.jobs)
    elif options.name == "ablation":
        path = ablation.run(
            options.out, seeds, stderr, options.systems, options.sigmas, options.cases, options.jobs
        )
    elif options.name == "networks":
        path = networks.run(options.out, seeds, stderr, options.systems, options.cases, options.jobs)
    elif options.name in RECOVERY:
        asked = {name: getattr(options, name) for name in CONDITIONS}
        path = recovery.run(
            options.name, options.out, seeds, stderr, peers=not options.no_peers, jobs=options.jobs, **asked
        )
    elif options.name == "core":
        path = core.run(options.out, seeds, stderr, options.cases)
    else:
        path = {"ladder": ladder, "start": start}[options.name].run(options.out, seeds, stderr)
    sys.stdout.write(path.read_text(encoding="utf-8"))
    return 0


def _check_bench(options: argparse.Namespace) -> None:
    """Refuse options that belong to another benchmark."""
    from mathonet.errors import ConfigError

    own = {
        "cases": ("core", "states", "nothing", "outliers", "ablation", "networks"),
        "no_peers": ("states", *RECOVERY),
        "jobs": ("states", "nothing", "outliers", "ablation", "networks", *RECOVERY),
    }
    conditions = dict.fromkeys(CONDITIONS, RECOVERY)
    conditions |= {"systems": (*RECOVERY, "ablation", "networks"), "sigmas": (*RECOVERY, "ablation")}
    for name, benchmarks in (own | conditions).items():
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
    tables = [f"{name}/table.md" for name in names]
    folder = check_out(options.out, tables if len(names) == 1 else [*tables, "summary.md"])
    _use_compilation_cache()
    from mathonet.experiments.bench.table import command_line
    from mathonet.experiments.paper.parts import run

    shown = run(names, folder, options.seeds, stderr, command_line())
    sys.stdout.write(shown.read_text(encoding="utf-8"))
    return 0


def _use_compilation_cache() -> None:
    """Keep compiled programs between runs; the command line may do so, an import may not."""
    from mathonet.compilation import keep_compiled
    from mathonet.errors import ConfigError

    # Without a place to keep them, programs are compiled again.
    with suppress(ConfigError):
        keep_compiled()
