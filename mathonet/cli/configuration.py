"""Options of `mathonet discover` in a TOML file: read, checked as those of the command line, and written."""

import argparse
import difflib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mathonet.cli.arguments import discover_arguments
from mathonet.errors import ConfigError
from mathonet.paths import local_path, read_file
from mathonet.printable import shortened

APART = ("help", "config", "resume", "json", "dry_run")
"""Options that say how to run, not what; a file cannot hold them."""
LARGEST = 1_000_000
"""Bytes of a file of options."""


def options_of_discover() -> dict[str, argparse.Action]:
    """The options that a file may hold, by the names of their values."""
    bare = argparse.ArgumentParser(add_help=False)
    discover_arguments(bare)
    return {action.dest: action for action in bare._actions if action.dest not in APART}


def read_config(path: str | Path) -> dict[str, Any]:
    """The options in a TOML file; a data file that is not in the working folder is looked for beside it.

    Raises:
        ConfigError: it cannot be read, or holds a key or a value that no option takes.
    """
    path = local_path(path, "--config")
    try:
        found = tomllib.loads(read_file(path, LARGEST).decode())
    except OSError as error:
        raise ConfigError(f"The file {str(path)!r} cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is no TOML file: {error}.") from error
    options, given = options_of_discover(), {}
    for key, value in found.items():
        name = key.replace("-", "_")
        if name not in options:
            raise ConfigError(
                f"{path} has the key {shortened(key)!r}, which is no option.{_suggestion(name, options)}"
            )
        given[name] = _checked(f"{path}: {key}", options[name], value)
    if "source" in given:
        given["source"] = _found(given["source"], path)
    return given


def _found(source: str, path: Path) -> str:
    """A data file that a file of options names: in the working folder, else beside that file."""
    here, beside = Path(source), path.parent / source
    try:
        if not beside.is_file() or (here.is_file() and here.samefile(beside)):
            return source
        if not here.is_file():
            return str(beside)
    except OSError:
        return source  # told where it is read
    raise ConfigError(
        f"{path} names {source!r}, and there is one in the working folder and one beside {path}. Give its "
        "whole path, or name it on the command line."
    )


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse parameters from a file that no option could have led to.

    Raises:
        ConfigError: there is no such parameter, or it is of another type.
    """
    options = options_of_discover()
    for name, value in parameters.items():
        if name == "known" and isinstance(value, dict):
            value = list(value.values())
        if name not in options or name in ("source", "out"):
            raise ConfigError(f"{shortened(name)!r} is no parameter of a search.")
        if value is not None:
            _checked(name, options[name], value)


def _suggestion(name: str, options: Mapping[str, Any]) -> str:
    if name in APART:
        return f" --{name} belongs on the command line."
    close = difflib.get_close_matches(name, options, n=1)
    known = ", ".join(each.replace("_", "-") for each in options)
    return f" Did you mean {close[0].replace('_', '-')!r}?" if close else f" Known keys: {known}."


def _checked(what: str, action: argparse.Action, value: Any) -> Any:
    """A value as the command line would have given it."""
    if isinstance(action, argparse.BooleanOptionalAction):
        if not isinstance(value, bool):
            raise ConfigError(f"{what} must be true or false, got {shortened(repr(value))}.")
        return value
    if action.nargs in ("+", "*"):
        several = value if isinstance(value, list) else [value]
        if not several and action.nargs == "+":
            raise ConfigError(f"{what} is an empty list. Give a value, or leave the key out.")
        return [_one(what, action, each) for each in several]
    return _one(what, action, value)


def _one(what: str, action: argparse.Action, value: Any) -> Any:
    kinds = {int: ((int,), "a whole number"), float: ((int, float), "a number")}
    types, words = kinds.get(action.type, ((str,), "text"))  # pyright: ignore[reportArgumentType]
    if not isinstance(value, types) or isinstance(value, bool):
        raise ConfigError(f"{what} must be {words}, got {shortened(repr(value))}.")
    if action.choices is not None and value not in action.choices:
        raise ConfigError(f"{what} must be one of {list(action.choices)}, got {shortened(repr(value))}.")
    if isinstance(value, str) and "\0" in value:
        raise ConfigError(f"{what} holds a NUL character: {shortened(repr(value))}.")
    try:
        return float(value) if action.type is float else value
    except OverflowError:
        raise ConfigError(f"{what} is too large: {shortened(str(value))}.") from None


def write_config(options: argparse.Namespace) -> str:
    """The options of a run as TOML that `--config` takes; what was left open stays open."""
    lines = ["# The options of this run. To repeat it: mathonet discover --config config.toml"]
    for name in options_of_discover():
        value = getattr(options, name)
        if value is not None and name != "out":
            lines.append(_line(name.replace("_", "-"), _toml(value)))
    return "\n".join(lines) + "\n"


def _line(key: str, value: str) -> str:
    """One option; TOML has no place for a file name that is no text, so that one is only told."""
    try:
        value.encode()
    except UnicodeEncodeError:
        told = value.encode(errors="backslashreplace").decode()
        return f"# {key} = {told} is no text; give it on the command line."
    return f"{key} = {value}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for one letter that JSON leaves as it is.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
