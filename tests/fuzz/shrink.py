"""Shrinking: delta debugging on whatever a case consists of, as long as it fails in the same way."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tests.fuzz.case import Case, Step
from tests.fuzz.table import Table

Fails = Callable[[Case], bool]
Part = TypeVar("Part")
MOST = 200
"""Trials that one failure is worth."""
FEW = 3_000
"""Lines or bytes among which it is worth looking for those that matter."""


def reduced(parts: Sequence[Part], fails: Callable[[Sequence[Part]], bool]) -> Sequence[Part]:
    """Fewer parts that still fail, none of which can be left out alone (Zeller's ddmin)."""
    pieces = 2
    while len(parts) > 0:
        size = max(len(parts) // pieces, 1)
        for start in range(0, len(parts), size):
            rest = (*parts[:start], *parts[start + size :])
            if fails(rest):
                parts, pieces = rest, max(pieces - 1, 2)
                break
        else:
            if size == 1:
                break
            pieces = min(2 * pieces, len(parts))
    return parts


def shrink(case: Case, fails: Fails, most: int = MOST) -> Case:
    """A smaller case that fails as this one does.

    Args:
        case: one that fails.
        fails: whether another one does, in the same way.
        most: trials.
    """
    left = most

    def still(other: Case) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and fails(other)

    steps = reduced(case.steps, lambda kept: still(replace(case, steps=tuple(kept))))
    case = replace(case, steps=tuple(steps))
    for place, step in enumerate(case.steps):
        case = _smaller_step(case, place, step, still)
    if "argv" in case.given:
        command, *rest = case.given["argv"] or [""]
        fewer = reduced(rest, lambda kept: still(replace(case, given={"argv": [command, *kept]})))
        case = replace(case, given={"argv": [command, *fewer]})
    else:
        for name in [name for name in case.given if name not in ("path", "folder")]:
            other = replace(case, given={key: value for key, value in case.given.items() if key != name})
            case = other if still(other) else case
    return case


def _smaller_step(case: Case, place: int, step: Step, still: Fails) -> Case:
    def made(content: Any) -> Case:
        return replace(case, steps=(*case.steps[:place], (*step[:2], content), *case.steps[place + 1 :]))

    if step[0] == "table":
        table: Table = step[2]
        every = range(len(table.names))
        rows = reduced(range(table.rows), lambda kept: still(made(table.part(kept, every))))
        columns = reduced(every, lambda kept: len(kept) > 0 and still(made(table.part(rows, kept))))
        return made(table.part(rows, columns))
    if step[0] == "bytes":
        lines: Sequence[bytes] = step[2].splitlines(keepends=True)
        if len(lines) <= FEW:
            lines = reduced(lines, lambda kept: still(made(b"".join(kept))))
        content = b"".join(lines)
        if len(content) <= FEW:
            content = bytes(reduced(content, lambda kept: still(made(bytes(kept)))))
        return made(content)
    for number, part in enumerate(step):
        # How often, how many: half of it, as long as that does.
        while type(part) is int and part > 1:
            part //= 2
            step = (*step[:number], part, *step[number + 1 :])
            other = replace(case, steps=(*case.steps[:place], step, *case.steps[place + 1 :]))
            if not still(other):
                break
            case = other
    return case
