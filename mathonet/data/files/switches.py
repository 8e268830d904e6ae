"""Columns of two words, such as on and off, become ones and zeros, aloud."""

import pandas as pd

from mathonet.data.choice import tell

_PAIRS = (
    *(("yes", "no"), ("y", "n"), ("on", "off"), ("true", "false"), ("t", "f"), ("open", "closed")),
    *(
        ("open", "shut"),
        ("opened", "closed"),
        ("ja", "nein"),
        ("an", "aus"),
        ("ein", "aus"),
        ("wahr", "falsch"),
    ),
    *(("auf", "zu"), ("offen", "geschlossen"), ("oui", "non"), ("vrai", "faux"), ("ouvert", "fermé")),
    *(("si", "no"), ("sí", "no"), ("sì", "no"), ("sim", "não"), ("high", "low"), ("active", "inactive")),
    *(("enabled", "disabled"), ("running", "stopped"), ("light", "dark"), ("day", "night")),
)
"""Words for one and for zero."""


def switched(name: str, cells: pd.Series) -> pd.Series:
    """A column of two such words as ones and zeros; any other as it is."""
    if cells.dtype.kind != "O" or cells.empty:
        return cells
    filled = cells.dropna()
    # A first look is cheap: most columns of text hold more than two words.
    if filled.empty or len({str(each) for each in filled.iloc[:50]}) > 4:
        return cells
    words = filled.map(lambda each: each.strip().lower() if isinstance(each, str) else "")
    found = set(words)
    pair = next((pair for pair in _PAIRS if found == set(pair)), None)
    if pair is None:
        return cells
    tell(f"In column {name!r}, {pair[0]} is taken as 1 and {pair[1]} as 0.")
    return words.map({pair[0]: 1.0, pair[1]: 0.0}).astype(float).reindex(cells.index)
