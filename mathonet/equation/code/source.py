"""A system of equations as the parts of a source file: identifiers, right-hand sides, guards, a header."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from mathonet.equation import symbolic
from mathonet.equation.assembly import zero_free
from mathonet.equation.code.face import face_of
from mathonet.equation.code.identifier import identifiers, quoted, visible
from mathonet.equation.equation import EquationSystem
from mathonet.operations import Operation

INDENT = "    "


@dataclass(frozen=True)
class Language:
    """How a programming language writes what equations need.

    Attributes:
        name: what it is called in the header.
        comment: mark that begins a comment to the end of the line.
        reserved: words that may not be used as names: keywords, and all names of the code around.
        functions: what the built-in operations are called there.
        guards: definitions, by their name, of functions, powers and fractions where the language has no
            infinity or nan of its own.
        printer: key of SymPy's printer for a user's own operations, see `face`.
        times: between factors.
        power: writes a whole power of at least 1.
        fraction: writes top and bottom; told whether the bottom needs no brackets.
    """

    name: str
    comment: str
    reserved: frozenset[str]
    functions: Mapping[str, str]
    guards: Mapping[str, str]
    printer: str
    times: str = " * "
    power: Callable[[str, int], str] = lambda base, n: base if n == 1 else f"{base}**{n}"
    fraction: Callable[[str, str, bool], str] = lambda top, bottom, bare: (
        f"{top} / {bottom}" if bare else f"{top} / ({bottom})"
    )


@dataclass(frozen=True)
class Source:
    """A system in the words of a language.

    Attributes:
        states: identifiers of the states.
        inputs: identifiers of the control inputs.
        rates: right-hand sides, one a state.
        own: a user's operations that are called: identifier and right-hand side in `h`.
        imports: modules the user's operations need.
    """

    states: Sequence[str]
    inputs: Sequence[str]
    rates: Sequence[str]
    own: Mapping[str, str]
    imports: Sequence[str]

    def guards(self, language: Language) -> list[str]:
        """The guards that are called."""
        text = "\n".join([*self.rates, *self.own.values()])
        return [source for name, source in language.guards.items() if f"{name}(" in text]

    def used(self) -> list[bool]:
        """For each state, then each input, whether a right-hand side has it."""
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in "\n".join(self.rates)).split())
        return [name in words for name in (*self.states, *self.inputs)]


def source_of(system: EquationSystem, language: Language) -> Source:
    """Write the equations in a language.

    Raises:
        ConfigError: an operation of the user's own has no counterpart there.
    """
    own = _own_operations(system, language)
    called = dict(zip(own, identifiers([f"own_{name}" for name in own], language.reserved), strict=True))
    names = identifiers(
        [*system.names, *system.input_names], language.reserved | set(called.values()) | set(language.guards)
    )

    def call(name: str, argument: str) -> str:
        return f"{language.functions.get(name) or called[name]}({argument})"

    # repr is the shortest text that gives back every bit.
    dialect = symbolic.Dialect(
        language.times, language.power, language.fraction, call, lambda value, digits: repr(float(value))
    )
    rates = [
        symbolic.write(zero_free(equation.expression), names, symbolic.MOST_DIGITS, dialect)
        for equation in system.equations
    ]
    faces = {
        called[name]: face_of(operation, language.printer, language.name) for name, operation in own.items()
    }
    states = len(system.names)
    imports = sorted({module for face in faces.values() for module in face.imports})
    return Source(
        names[:states], names[states:], rates, {name: face.text for name, face in faces.items()}, imports
    )


def _own_operations(system: EquationSystem, language: Language) -> dict[str, Operation]:
    """Operations that the language has no name for; `inv` is written as a fraction."""
    calls = (call for equation in system.equations for call in equation.expression.calls())
    known = {*language.functions, "inv"}
    return {call.operation.name: call.operation for call in calls if call.operation.name not in known}


def header(system: EquationSystem, language: Language, source: Source, usage: Sequence[str]) -> list[str]:
    """Comments that say where the code comes from, what it computes and how to call it."""
    lines = [
        f"Equations found by mathonet {version('mathonet')}, exported as {language.name}.",
        "",
        *(f"  {visible(equation.text())}" for equation in system.equations),
        "",
        *usage,
        *_legend("states", source.states, system.names),
        *_legend("inputs", source.inputs, system.input_names),
    ]
    return [commented(language.comment, line) for line in lines]


def commented(mark: str, line: str) -> str:
    """A comment of one line; no last letter may join the next line to it, as a backslash does in C."""
    safe = f"{line} ." if line.endswith(("\\", "/")) else line
    return f"{mark} {safe}".rstrip()


def _legend(what: str, made: Sequence[str], names: Sequence[str]) -> list[str]:
    if not names:
        return []
    pairs = (
        name if name == identifier else f"{identifier} ({quoted(name)})"
        for identifier, name in zip(made, names, strict=True)
    )
    return [f"The {what}, in this order: {', '.join(pairs)}."]
