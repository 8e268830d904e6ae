"""Names of the data in source code: identifiers for the code, quoted text for its comments.

A column may be called `dx/dt`, `1st`, `lambda`, `θ` or anything else; nothing of it may act in the code.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence

from mathonet.equation.latex_name import greek_name

LONGEST = 40
"""Letters of an identifier that are kept: MATLAB and C look at 63, and room is needed to tell names apart."""


def identifiers(names: Sequence[str], reserved: Collection[str], default: str = "x") -> list[str]:
    """An identifier for each name, no two alike: ASCII letters, digits and inner underscores.

    Args:
        names: what the data call them.
        reserved: words of the language and of the code around, which get an underscore behind them.
        default: what a name begins with that has no letter to begin with.
    """
    # Names that are identifiers already come first to their own: `a_b` stays, whatever became of `a b`.
    made: dict[int, str] = {}
    for place in sorted(range(len(names)), key=lambda i: _plain(names[i], default) != names[i]):
        found = _plain(names[place], default)
        found = f"{found}_" if found in reserved else found
        taken, number, base = set(made.values()), 2, found
        while found in taken or found in reserved:
            found, number = f"{base}_{number}", number + 1
        made[place] = found
    return [made[place] for place in range(len(names))]


def _plain(name: str, default: str) -> str:
    letters = "".join(greek_name(letter) or letter for letter in name)
    ascii_ = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode()
    # Bytes of accents are gone, those of other scripts too; what is between words becomes one underscore.
    joined = re.sub(r"[^A-Za-z0-9]+", "_", ascii_).strip("_")[:LONGEST].rstrip("_")
    return joined if joined[:1].isalpha() else f"{default}_{joined}".rstrip("_")


def quoted(name: str) -> str:
    """A name for a comment: in quotes, on one line, with everything invisible written as an escape."""
    return repr(name)


def visible(text: str) -> str:
    """A line of text for a comment, with line breaks and everything invisible written as escapes."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
