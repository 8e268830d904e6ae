"""The layers that are fuzzed: each makes a case from numbers drawn for it."""

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from tests.fuzz import archive, command_line, journal, reading
from tests.fuzz.case import Case

LAYERS: dict[str, Callable[[np.random.Generator], Case]] = {
    "reading": reading.case,
    "command-line": command_line.case,
    "archive": archive.case,
    "journal": journal.case,
}
SHARES = {"reading": 10, "command-line": 4, "archive": 4, "journal": 2}
"""Cases of each layer in twenty: reading is quickest, and has most to go wrong."""


def make(layer: str, seed: int, number: int) -> Case:
    """A case: the same for the same layer, seed and number."""
    drawn = np.random.default_rng([seed, zlib.crc32(layer.encode()), number])
    return LAYERS[layer](drawn)


def jobs(layers: list[str], seed: int) -> Iterator[tuple[str, int, int]]:
    """Layers, seed and numbers without end, the layers in their shares."""
    turn = [layer for layer in layers for _ in range(SHARES[layer])]
    place = np.random.default_rng(0).permutation(len(turn))
    numbers = dict.fromkeys(layers, 0)
    while True:
        for each in place:
            layer = turn[each]
            yield layer, seed, numbers[layer]
            numbers[layer] += 1
