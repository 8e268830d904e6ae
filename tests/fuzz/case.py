"""A case: what lies in a folder, and what is asked of it. As JSON it is kept beside the tests."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.steps import do
from tests.fuzz.table import Table

Step = tuple[Any, ...]
"""A verb of `steps`, the path it is done to, and whatever else it needs."""


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        layer: reading, command-line, archive or journal.
        steps: what is put in an empty folder, in this order.
        verb: read, main, load or open: what is asked.
        given: its arguments, by name.
        note: how it was made, for whoever reads it.
    """

    layer: str
    steps: tuple[Step, ...]
    verb: str
    given: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def prepare(self, here: Path) -> None:
        """Put in a folder what the case needs."""
        for verb, path, *rest in self.steps:
            do(verb, here / path, *rest)

    @property
    def table(self) -> Table | None:
        """The table to be read, if its content is known."""
        tables = [step[2] for step in self.steps if isinstance(step[-1], Table)]
        return tables[0] if len(tables) == 1 and self.verb == "read" else None

    def text(self) -> str:
        """The case as JSON."""
        content = {
            "layer": self.layer,
            "note": self.note,
            "steps": [[_plain(part) for part in step] for step in self.steps],
            "verb": self.verb,
            "given": self.given,
        }
        # Letters that are no text, as in a file name that is not UTF-8, are escaped by JSON itself.
        return json.dumps(content, indent=1) + "\n"

    @property
    def name(self) -> str:
        """A name for the case: the same for the same case."""
        told = json.dumps([[[_plain(p) for p in step] for step in self.steps], self.verb, self.given])
        return f"{self.layer}-{hashlib.sha256(told.encode()).hexdigest()[:10]}"


def from_text(text: str) -> Case:
    """A case from its JSON."""
    content = json.loads(text)
    steps = tuple(tuple(_rich(part) for part in step) for step in content["steps"])
    return Case(content["layer"], steps, content["verb"], content["given"], content["note"])


def _plain(part: Any) -> Any:
    if isinstance(part, bytes):
        try:
            text = part.decode("utf-8")
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(part).decode()}
        return {"utf-8": text}
    return {"table": part.document()} if isinstance(part, Table) else part


def _rich(part: Any) -> Any:
    if not isinstance(part, dict) or len(part) != 1:
        return part
    ((kind, content),) = part.items()
    if kind == "utf-8":
        return content.encode("utf-8")
    if kind == "base64":
        return base64.b64decode(content)
    return Table.from_document(content) if kind == "table" else part
