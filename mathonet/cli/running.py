"""mathonet discover: one run from its source to its folder, begun, ended early, or resumed."""

import argparse
import copy
import json
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathonet.cli.configuration import check_parameters, options_of_discover, write_config
from mathonet.cli.source import read_source
from mathonet.cli.terminal import console, stderr, warnings_in_a_line
from mathonet.errors import ArchiveError, ConfigError, DataError
from mathonet.interruption import StoppedError, Watch, watched
from mathonet.paths import local_path
from mathonet.process import INTERRUPTED, spared_once

if TYPE_CHECKING:
    from mathonet.archive.journal import FolderJournal
    from mathonet.estimators.discoverer import Discoverer

BY_HAND = "Ctrl-C was pressed"
CHOICE, REPORT = 0.3, 1.8
"""What the last choice and the files of a run take, and its report, in units of the start of the command,
which tells how fast the machine is just now: measured 0.1 to 0.3, and 1.2 to 1.8."""
REQUEST = {"source": str, "parameters": dict, "config": str}
"""What a run is asked, in its journal, and the types of it."""
SHARE, ENOUGH = 0.35, 0.8
"""Of a budget, what a report may take at most; of the usual time of a report, what must be left when it is
begun. Else it is left for later."""


def discover(options: argparse.Namespace, prepare: Callable[[], None]) -> int:
    """Find equations, or go on with a run; returns the exit code.

    Args:
        options: of the command line.
        prepare: called before anything is compiled.
    """
    watch = Watch(options.budget, began=options.began)
    if options.resume is not None:
        return _resume(options, prepare, watch)
    from mathonet.archive.folder import UNFINISHED, check_folder

    if options.out is not None and not options.out.strip():
        raise ConfigError("--out is empty. Name a folder, or leave it out for runs/NAME.")
    folder = check_folder(options.out or Path("runs") / Path(options.source).stem)
    # Read first: a mistake in the file should not wait for the numerical stack.
    with warnings_in_a_line():
        trajectories, parameters = read_source(options)
    prepare()
    from mathonet.archive.journal import FolderJournal
    from mathonet.estimators.discoverer import Discoverer

    Discoverer(**parameters).check_parameters()
    if (folder / UNFINISHED).exists():
        stderr(f"note: The unfinished run in {folder} is replaced. (--resume would have resumed it.)")
    request = {"source": options.source, "parameters": parameters, "config": _config(options)}
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
    from mathonet.archive.journal import FolderJournal
    from mathonet.search.config import check_budget

    check_budget(options.budget)
    folder = local_path(options.resume, "--resume")
    journal = FolderJournal.open(folder)
    if journal is not None:
        _check_request(journal, options.budget)
        return _carry_out(journal, options.json, watch, begun=False)
    from mathonet.estimators.loading import load

    estimator = load(folder)
    if not options.json:
        console().print(f"The run in {folder} is finished: nothing is left to do.", markup=False)
    _show(estimator, folder, options.json)
    return _finish(estimator, folder, options.json, watch, watch.spent)


def _config(options: argparse.Namespace) -> str:
    """The options as a file, with the whole path of the data: it is read from anywhere."""
    from mathonet import systems

    told = copy.copy(options)
    if options.source not in systems.names():
        told.source = str(Path(options.source).absolute())
    return write_config(told)


def _check_request(journal: "FolderJournal", budget: float | None) -> None:
    """Refuse a journal whose request no command has written; its budget is the one that is given now.

    Raises:
        ArchiveError: they are forged or damaged.
    """
    from mathonet.estimators.discoverer import Discoverer

    request = journal.request
    try:
        for name, kind in REQUEST.items():
            if not isinstance(request.get(name), kind):
                raise ConfigError(f"{name!r} is {type(request.get(name)).__name__} and not {kind.__name__}")
        request["parameters"]["budget"] = budget
        check_parameters(request["parameters"])
        Discoverer(**request["parameters"]).check_parameters()
    except (ConfigError, TypeError) as error:
        journal.close()
        raise ArchiveError(
            f"The unfinished run in {journal.path} is damaged ({error}). Start it again with "
            "`mathonet discover FILE`."
        ) from error


def _carry_out(journal: "FolderJournal", as_json: bool, watch: Watch, begun: bool) -> int:
    """Search, write what was found, and show it.

    Args:
        journal: of the run.
        as_json: whether the result is printed as JSON.
        watch: over the search.
        begun: whether the run was begun by this command, so that nothing is lost with its journal.
    """
    from mathonet.archive.run import write_run
    from mathonet.cli.display import LiveProgress
    from mathonet.data.trajectories import summary
    from mathonet.estimators.discoverer import Discoverer

    started = watch.spent
    watch.reserve = _reserve(watch, started)
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
    code = _finish(estimator, journal.path, as_json, watch, started)
    return INTERRUPTED if cut is not None and cut.why == BY_HAND else code


def _reserve(watch: Watch, started: float) -> float:
    """Seconds of a budget that are kept for what follows the search: its choice, the files, the report."""
    if watch.budget is None:
        return 0.0
    report = REPORT * started if REPORT * started < SHARE * watch.budget else 0.0
    return min(CHOICE * started + report, 0.5 * watch.budget)


def _show(estimator: Any, folder: Path, as_json: bool, again: str = "") -> None:
    """Print the result."""
    from mathonet.archive.equations_file import equations
    from mathonet.cli.display import show_result

    if as_json:
        content = {**equations(estimator.discovery_), "folder": str(folder)}
        sys.stdout.write(json.dumps(content, indent=2, allow_nan=False) + "\n")
        sys.stdout.flush()
    else:
        show_result(console(), estimator.discovery_, again)
        sys.stdout.flush()


def _finish(estimator: Any, folder: Path, as_json: bool, watch: Watch, started: float) -> int:
    """Write the report where there is none, and say how long all took; returns the exit code.

    The result is shown by then: the report takes seconds, and waits where the budget has no room for it.
    """
    code, later = 0, f"to write it: mathonet report {shlex.quote(str(folder))}"
    if not (folder / "report.html").exists():
        left = Watch(watch.budget, began=watch.began)
        if left.left < ENOUGH * REPORT * started:
            stderr(f"note: There was no time left for the report; {later}")
        else:
            try:
                with watched(left):
                    _report(estimator, folder)
            except StoppedError:
                stderr(f"note: There was not enough time left for the report; {later}")
            except KeyboardInterrupt:
                stderr(f"stopped before the report was written; {later}")
                code = INTERRUPTED
    if not as_json:
        from mathonet.cli.display import show_end

        show_end(console(), watch.spent, folder)
    return code


def _report(estimator: "Discoverer", folder: Path) -> None:
    from mathonet.report.page.page import write_report

    try:
        write_report(estimator, folder / "report.html")
    except StoppedError:
        raise
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
        with spared_once(f"stopped before a result was written; to go on: {again}"):
            yield
    finally:
        signal.signal(signal.SIGINT, before)
