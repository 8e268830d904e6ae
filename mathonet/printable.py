"""Text from files and options, made fit for messages: nothing in it commands a terminal, and it is short."""

import re

# Controls but tab and line feed, line separators, halves of letters, and what turns the direction of writing.
COMMANDS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""A text with control characters by their numbers, such as \x1b, so that a terminal only shows them."""
    return COMMANDS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def in_a_line(text: object, most: int = 200) -> str:
    """A text, such as what another package says of an error, in one line of at most so many characters."""
    return printable(shortened(" ".join(str(text).split()), most))


def shortened(text: str, most: int = 200) -> str:
    """A text of at most so many characters: its beginning and its end, with how much is left out."""
    if len(text) <= most:
        return text
    left_out = f" ... ({len(text) - most:,} characters more) ... "
    kept = most - len(left_out)
    return text[: kept * 2 // 3] + left_out + text[-(kept // 3) :]
