"""mathonet discover: one run from its source to its folder, begun, ended early, or gone on with."""

import argparse
import json
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathonet.configuration import options_of_discover, write_config
from mathonet.errors import ArchiveError, ConfigError, DataError
from mathonet.interruption import Watch, watched
from mathonet.source import read_source
from mathonet.terminal import console, stderr, warnings_in_a_line

if TYPE_CHECKING:
    from mathonet.discovery.journal import FolderJournal
    from mathonet.estimator import Discoverer

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended."""
BY_HAND = "Ctrl-C was pressed"
RESERVE = 3.0
"""Seconds of a budget that are kept for writing the results and the report."""


def discover(options: argparse.Namespace, prepare: Callable[[], None]) -> int:
    """Find equations, or go on with a run; returns the exit code.

    Args:
        options: of the command line.
        prepare: called before anything is compiled.
    """
    watch = Watch(options.budget, min(RESERVE, 0.25 * (options.budget or 0.0)))
    if options.resume is not None:
        return _resume(options, prepare, watch)
    from mathonet.discovery.folder import UNFINISHED, check_folder

    if options.out is not None and not options.out.strip():
        raise ConfigError("--out is empty. Name a folder, or leave it out for runs/NAME.")
    folder = check_folder(options.out or Path("runs") / Path(options.source).stem)
    # Read first: a mistake in the file should not wait for the numerical stack.
    with warnings_in_a_line():
        trajectories, parameters = read_source(options)
    prepare()
    from mathonet.discovery.config import check_budget
    from mathonet.discovery.journal import FolderJournal

    check_budget(options.budget)
    if (folder / UNFINISHED).exists():
        stderr(f"note: The unfinished run in {folder} is replaced. (--resume would have gone on with it.)")
    request = {"source": options.source, "parameters": parameters, "config": write_config(options)}
    journal = FolderJournal.begin(folder, request, trajectories)
    return _carry_out(journal, options.json, watch, begun=True)


def _resume(options: argparse.Namespace, prepare: Callable[[], None], watch: Watch) -> int:
    """Go on with a run that was ended; show the result of one that is finished."""
    own = {name: action.default for name, action in options_of_discover().items() if name != "budget"}
    told = [name for name, default in own.items() if getattr(options, name) != default]
    if told:
        name = "a source" if told[0] == "source" else f"--{told[0].replace('_', '-')}"
        raise ConfigError(
            f"--resume goes on with the run's own data and options, so {name} cannot be given. "
            "Leave it out, or start a new run."
        )
    prepare()
    from mathonet.discovery.config import check_budget
    from mathonet.discovery.journal import FolderJournal

    check_budget(options.budget)
    folder = Path(options.resume)
    journal = FolderJournal.open(folder)
    if journal is not None:
        journal.request["parameters"]["budget"] = options.budget
        return _carry_out(journal, options.json, watch, begun=False)
    from mathonet.loading import load

    estimator = load(folder)
    if not options.json:
        console().print(f"The run in {folder} is finished: nothing is left to do.", markup=False)
    _show(estimator, folder, options.json)
    return 0


def _carry_out(journal: "FolderJournal", as_json: bool, watch: Watch, begun: bool) -> int:
    """Search, write what was found, and show it.

    Args:
        journal: of the run.
        as_json: whether the result is printed as JSON.
        watch: over the search.
        begun: whether the run was begun by this command, so that nothing is lost with its journal.
    """
    from mathonet.data.trajectories import summary
    from mathonet.discovery.archive import write_run
    from mathonet.display import LiveProgress
    from mathonet.estimator import Discoverer

    trajectories, request = journal.trajectories, journal.request
    screen = console(apart=as_json)
    again = f"mathonet discover --resume {shlex.quote(str(journal.path))}"
    screen.print(f"{request['source']}: {summary(trajectories)}", markup=False, soft_wrap=True)
    try:
        estimator = Discoverer(**request["parameters"])
        with (
            _interruptible(watch, again),
            warnings_in_a_line(),
            watched(watch),
            LiveProgress(screen, trajectories[0].names, watch) as progress,
        ):
            estimator.fit(trajectories, progress=progress, journal=journal)
    except (ArchiveError, ConfigError, DataError):
        if begun and not watch.ended:
            journal.discard()
        else:
            journal.close()
            stderr(f"the run is kept; to go on: {again}")
        raise
    except KeyboardInterrupt:
        journal.close()
        stderr(f"stopped before a result was written; to go on: {again}")
        return INTERRUPTED
    cut = estimator.discovery_.cut
    write_run(
        estimator.saved(),
        journal.path,
        {"config.toml": request["config"]},
        held=True,
        carried=() if cut is None else journal.contents(),
    )
    journal.close()
    _show(estimator, journal.path, as_json, again)
    return INTERRUPTED if cut is not None and cut.why == BY_HAND else 0


def _show(estimator: Any, folder: Path, as_json: bool, again: str = "") -> None:
    """Print the result, then write the report where there is none: it takes seconds."""
    from mathonet.discovery.equations_file import equations
    from mathonet.display import show_result

    if as_json:
        content = {**equations(estimator.discovery_), "folder": str(folder)}
        sys.stdout.write(json.dumps(content, indent=2, allow_nan=False) + "\n")
        sys.stdout.flush()
    else:
        show_result(console(), estimator.discovery_, folder, again)
    if not (folder / "report.html").exists():
        _report(estimator, folder)


def _report(estimator: "Discoverer", folder: Path) -> None:
    from mathonet.report.page import write_report

    try:
        write_report(estimator, folder / "report.html")
    except Exception as error:
        # The equations are found and saved; a page that could not be drawn must not hide them.
        stderr(f"warning: The report could not be written ({type(error).__name__}: {error}).")


@contextmanager
def _interruptible(watch: Watch, again: str) -> Iterator[None]:
    """Ctrl-C ends the search at its next chance, a second one at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        if watch.why() == BY_HAND:
            raise KeyboardInterrupt
        watch.stop(BY_HAND)
        stderr(f"stopping at the next chance; Ctrl-C once more ends at once. To go on later: {again}")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
