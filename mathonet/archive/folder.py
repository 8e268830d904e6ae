"""The place of a run's folder: ours to use or not, and a finished folder put there, whole or not at all.

Nothing heavy is imported: the command line looks here before the numerical stack is loaded.
"""

import errno
import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from mathonet.errors import ArchiveError
from mathonet.paths import kind_of, local_path

try:
    import fcntl
except ImportError:  # Windows: two runs in one folder are not told from one another there.
    fcntl = None

MARK, ARCHIVE = "equations.json", "archive.json"
UNFINISHED, LOCK, REQUEST, EARLIER = "unfinished", "lock", "run.json", "earlier"
OWN = frozenset(
    {MARK, ARCHIVE, "candidates.csv", "config.json", "config.toml", "data.npz", "history.npz", "report.html"}
)
"""What a run leaves; a folder with anything else in it, but an unfinished run, is not ours to replace."""

MADE = "[a-z0-9_]{8}"
"""What `tempfile` puts at the end of a name."""
PASSING = re.compile(rf"{UNFINISHED}|\.{UNFINISHED}-{MADE}|\.(?:writing|report)-{MADE}.*")
"""What lies in a run's folder while something is being written there."""
ATTEMPTS = 100


def at_work(path: Path) -> ArchiveError:
    """The error of a folder that another run is using."""
    return ArchiveError(
        f"Another run is at work in {path}. Wait until it has ended, or choose another folder."
    )


class Hold:
    """A folder held for one run: another one is refused until this is released or its process has ended."""

    def __init__(self, unfinished: Path, path: Path) -> None:
        """Hold the folder of an unfinished run; `path` is what the user calls the run.

        Raises:
            ArchiveError: another process holds it.
        """
        # A link is not followed: a lock would be made wherever it leads to.
        self._file = os.open(unfinished / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever held it may have put another folder in its place before letting it go.
                same = os.path.samestat(os.fstat(self._file), os.stat(unfinished / LOCK))
            except OSError:
                same = False
            if not same:
                os.close(self._file)
                raise at_work(path)

    def release(self) -> None:
        """Let others have the folder."""
        with suppress(OSError):
            os.close(self._file)


def refuse_held(path: Path) -> None:
    """Refuse a folder in which another run is at work."""
    if (path / UNFINISHED / LOCK).exists():
        # One that cannot be opened cannot be written to either, which is told where that is tried.
        with suppress(OSError):
            Hold(path / UNFINISHED, path).release()


def settle(path: Path) -> None:
    """Complete what a killed process began: a folder or a journal that was about to take another's place.

    Only for those who are about to write there; readers take what stands aside as it is.

    Raises:
        ArchiveError: it was not killed, and is at work.
    """
    place = path.resolve()
    for old, new in _aside(place):
        with suppress(OSError):
            (new or old).rename(place)
            shutil.rmtree(old, ignore_errors=True)
    with suppress(OSError):
        _settle_journal(place, path)


def _settle_journal(place: Path, path: Path) -> None:
    """Put a journal in its place that a killed process was about to put there."""
    waiting = [] if (place / UNFINISHED).exists() else sorted(place.glob(f".{UNFINISHED}-*/{UNFINISHED}"))
    # One that has moved the journal before it aside has come further.
    for own in sorted(waiting, key=lambda each: not (each.parent / EARLIER).exists()):
        # The lock is taken first and the request written last: without both it was not ready.
        if (own / LOCK).exists() and (own / REQUEST).exists() and PASSING.fullmatch(own.parent.name):
            hold = Hold(own, path)
            own.rename(place / UNFINISHED)
            hold.release()
            shutil.rmtree(own.parent / EARLIER, ignore_errors=True)
            own.parent.rmdir()
            return


def standing(path: Path) -> Path:
    """Where a run is to be read: in its place, or aside while its place is empty."""
    return next((new or old for old, new in _aside(path.resolve())), path)


def _aside(place: Path) -> list[tuple[Path, Path | None]]:
    """What stands aside of an empty place, each with its whole successor if that is still to arrive."""
    pattern, found = re.compile(rf"\.{re.escape(place.name)}-{MADE}-old"), []
    # What cannot be looked at, or has gone since, is not taken.
    with suppress(OSError):
        beside = [] if place.exists() else sorted(place.parent.iterdir())
        for old in (each for each in beside if pattern.fullmatch(each.name)):
            new = old.with_name(old.name.removesuffix("-old"))
            arriving = new if new.exists() else None
            if _is_run(arriving or old) and (_is_run(old) or not any(old.iterdir())):
                found.append((old, arriving))
    return found


def _is_run(place: Path) -> bool:
    """Whether a folder holds a run and nothing else."""
    try:
        _refuse_foreign(place, place)
    except ArchiveError:
        return False
    return not place.is_symlink() and any((place / name).exists() for name in (MARK, UNFINISHED))


def settle_on_disk(folder: Path) -> None:
    """Have the names in a folder on the disk; systems that cannot open a folder do so by themselves."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def refuse_place(folder: str | Path) -> Path:
    """Refuse a folder that holds something other than an earlier run; nothing is written to find out."""
    path = local_path(folder, "The folder")
    if path.resolve() in (Path.cwd(), *Path.cwd().parents):
        raise ArchiveError(
            f"{path} is the working folder or holds it. Choose a folder of its own for results."
        )
    _refuse_foreign(path.resolve(), path)
    return path


def check_folder(folder: str | Path, held: bool = False) -> Path:
    """Refuse a folder that holds something other than an earlier run, or no run could be written to.

    Whether one can be written is tried: permissions do not tell of a full disk or a special file system.

    Args:
        folder: where a run is to be written.
        held: whether this process holds it already; else another run that is at work there is refused.
    """
    path = refuse_place(folder)
    settle(path)
    # Resolved, because a link stays where it is and the folder it names is replaced.
    _refuse_foreign(path.resolve(), path)
    if not held:
        refuse_held(path)
    parent = next(p for p in path.resolve().parents if p.exists())
    if not parent.is_dir():
        raise ArchiveError(f"{parent} is a file, so {path} cannot be made. Choose another folder.")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=parent) as trial:
            (Path(trial) / MARK).write_text("{}\n", encoding="utf-8")
    except OSError as error:
        raise ArchiveError(
            f"Results cannot be written in {parent} ({error.strerror or error}). Choose another folder."
        ) from error
    return path


def put(new: Path, path: Path) -> None:
    """Rename a finished folder to its place; an earlier run there gives way, or comes back on failure.

    Several may do so at once for one place: each arrives whole, and the last one stays.
    """
    new.chmod(0o755)
    old = path.with_name(f"{new.name}-old")
    for _ in range(ATTEMPTS):
        try:
            # Aside first, then looked at: nobody else moves or removes what has this name.
            with suppress(FileNotFoundError):
                path.rename(old)
            _refuse_foreign(old, path)
            new.rename(path)
        except BaseException as error:
            if isinstance(error, (OSError, ArchiveError)) and not new.exists() and path.exists():
                return  # whoever found the place empty has completed the move
            if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                # Another run arrived in between; what stood aside is older than both.
                shutil.rmtree(old, ignore_errors=True)
                continue
            if os.path.lexists(old) and not os.path.lexists(path):
                old.rename(path)
            raise
        shutil.rmtree(old, ignore_errors=True)
        return
    raise ArchiveError(f"Other runs keep writing to {path}. Choose another folder for this one.")


def _refuse_foreign(place: Path, path: Path) -> None:
    """Refuse what is in a place if it is no run; the message speaks of the path the user knows."""
    try:
        found = os.lstat(place)
        if not stat.S_ISDIR(found.st_mode):
            raise ArchiveError(f"{path} is {kind_of(found)}. Choose another folder for the results.")
        held = {}
        with os.scandir(place) as entries:
            for entry in entries:
                # Another run that begins at the same moment may have moved it meanwhile.
                with suppress(FileNotFoundError):
                    held[entry.name] = entry.stat(follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return  # what is below a file is told where it is tried
    except OSError as error:
        raise ArchiveError(
            f"The folder {path} cannot be read ({error.strerror or error}). Choose another folder."
        ) from error
    passing = {name for name in held if PASSING.fullmatch(name)}
    if held.keys() - passing and not held.keys() & {MARK, UNFINISHED}:
        raise ArchiveError(
            f"The folder {path} is not empty and holds no earlier run ({MARK} is missing). "
            "Choose another folder, so that nothing of yours is replaced."
        )
    foreign = held.keys() - OWN - passing
    if foreign:
        raise ArchiveError(
            f"The folder {path} holds an earlier run, and also {min(foreign)!r}. "
            "Choose another folder, so that nothing of yours is replaced."
        )
    for name, found in sorted(held.items()):
        if not (stat.S_ISDIR if UNFINISHED in name else stat.S_ISREG)(found.st_mode):
            raise ArchiveError(
                f"{name!r} in the folder {path} is {kind_of(found)}. Choose another folder, so that nothing "
                "of yours is replaced."
            )
