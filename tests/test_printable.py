"""Text that is fit for messages."""

import pytest

from mathonet.printable import printable, shortened


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b2J", r"\x9b2J"),
        ("bell\x07 back\x08", r"bell\x07 back\x08"),
        ("a\rb", r"a\rb"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\ud800", r"\ud800"),
        ("tab\tand line\n", "tab\tand line\n"),
        ("ẋ = α·x − 3\xa0m, 速度 👩‍🔬", "ẋ = α·x − 3\xa0m, 速度 👩‍🔬"),
    ],
)
def test_a_text_commands_no_terminal(given, shown):
    assert printable(given) == shown


def test_long_texts_keep_both_ends():
    assert shortened("abc") == "abc"
    short = shortened("a" * 130_000 + "z", 1000)
    assert len(short) <= 1000
    assert short.startswith("aaa")
    assert short.endswith("aaz")
    assert "129,001 characters more" in short
