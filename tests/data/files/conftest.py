"""What tests of reading share."""

import warnings

import pytest

from mathonet.data.table import understand


@pytest.fixture
def write(tmp_path):
    """A file of a header and rows."""

    def write(header, rows, name="data.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes("\n".join([header, *rows, ""]).encode(encoding))
        return path

    return write


@pytest.fixture
def read(write):
    """What is understood of a file of a header and rows, and the notes."""

    def read(header, rows, name="data.csv", **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            reading = understand(write(header, rows, name), **options)
        return reading, " ".join(str(each.message) for each in caught)

    return read
