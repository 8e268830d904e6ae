"""Files: what is read comes back unharmed from every kind, and what cannot be read gets clear words."""

import os
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import savemat

from mathonet.data.choice import Choice
from mathonet.data.files.reading import read_file
from mathonet.data.table import read_table
from mathonet.errors import DataError

T = np.linspace(0.0, 1.0, 6)
X = np.column_stack([np.sin(T), np.cos(T)])


def save(path, table: dict[str, np.ndarray]):
    """Write columns by name, as the ending says."""
    frame = pd.DataFrame(table)
    if path.suffix in (".csv", ".tsv"):
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    else:
        {".npz": lambda: np.savez(path, **table), ".mat": lambda: savemat(path, table)}[path.suffix]()
    return path


KINDS = [".csv", ".tsv", ".parquet", ".npz", ".mat", ".xlsx"]
NUMBER = st.floats(allow_nan=False, allow_infinity=False)


# The writer of Excel files that pandas uses keeps 16 digits, one fewer than some numbers have.
SHORT = st.floats(-1e300, 1e300).map(lambda number: float(f"{number:.15e}"))


@st.composite
def tables(draw, number=NUMBER):
    """Times and states of very different sizes, some missing."""
    t = draw(st.lists(number, min_size=2, max_size=6, unique=True).map(sorted))
    value = st.one_of(number, st.just(np.nan))
    columns = draw(st.lists(st.lists(value, min_size=len(t), max_size=len(t)), min_size=1, max_size=3))
    return {"t": np.array(t)} | {f"s{k}": np.array(column) for k, column in enumerate(columns)}


@pytest.mark.parametrize("suffix", KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_numbers_come_back_to_the_last_bit(tmp_path_factory, suffix, data):
    table = data.draw(tables(SHORT if suffix == ".xlsx" else NUMBER))
    path = save(tmp_path_factory.mktemp("round") / f"data{suffix}", table)
    states = [name for name in table if name != "t"]
    (found,) = read_table(path, states=states)
    np.testing.assert_array_equal(found.t, table["t"])
    np.testing.assert_array_equal(found.x, np.column_stack([table[name] for name in states]))


@pytest.mark.parametrize("suffix", KINDS)
@settings(max_examples=10)
@given(runs=st.lists(st.sampled_from(["a", "b", "the third"]), min_size=2, max_size=8))
def test_experiments_come_back_from_every_kind(tmp_path_factory, suffix, runs):
    t = np.arange(len(runs), dtype=float)
    path = save(tmp_path_factory.mktemp("runs") / f"data{suffix}", {"t": t, "x": t**2, "run": np.array(runs)})
    if len(set(runs)) == len(runs):
        with pytest.raises(DataError, match="another experiment in every row"):
            read_table(path, experiment="run")
        return
    found = read_table(path, experiment="run")
    assert [each.t.tolist() for each in found] == [
        [row for row, run in enumerate(runs) if run == label] for label in dict.fromkeys(runs)
    ]


@pytest.mark.parametrize("suffix", KINDS)
def test_sizes_22_orders_apart_are_unharmed(tmp_path, suffix):
    table = {"t": 1e-12 * T, "small": 1e-11 * X[:, 0], "large": 1e11 * X[:, 1]}
    (found,) = read_table(save(tmp_path / f"data{suffix}", table))
    np.testing.assert_allclose(found.t, table["t"], rtol=5e-16)
    np.testing.assert_allclose(found.x, np.column_stack([table["small"], table["large"]]), rtol=5e-16)


@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_tables_of_two_dimensions_are_cut_into_columns(tmp_path, suffix):
    held = {"t": T, "x": X, "x_dot": 2 * X, "u": np.column_stack([T, T, T])}
    path = tmp_path / f"data{suffix}"
    np.savez(path, **held) if suffix == ".npz" else savemat(path, held)
    (found,) = read_table(path, inputs=["u0", "u1", "u2"])
    assert found.names == ("x0", "x1")
    np.testing.assert_array_equal(found.x, X)
    np.testing.assert_array_equal(found.x_dot, 2 * X)
    np.testing.assert_array_equal(found.u[:, 2], T)


@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_an_array_of_names_names_the_columns(tmp_path, suffix):
    held = {"time": T, "x": X, "dx": 3 * X, "u": X, "input_names": np.array(["heat", "wind"])}
    path = tmp_path / f"data{suffix}"
    if suffix == ".npz":
        np.savez(path, **held, names=np.array(["prey", "hunter"]))
    else:
        savemat(path, held | {"names": np.array(["prey", "hunter"], dtype=object)})  # a cell array
    (found,) = read_table(path, inputs=["heat", "wind"])
    assert (found.names, found.input_names) == (("prey", "hunter"), ("heat", "wind"))
    np.testing.assert_array_equal(found.x_dot, 3 * X)


def test_one_column_of_two_dimensions_keeps_its_name(tmp_path):
    np.savez(tmp_path / "data.npz", t=T[:, None], x=X[:, :1], dx=X[:, 1:], y=X[None, :, 1].T)
    np.savez(tmp_path / "row.npz", t=T[None], x=X[None, :, 0])
    (found,) = read_table(tmp_path / "data.npz", states=["x"])
    np.testing.assert_array_equal(found.x_dot[:, 0], X[:, 1])
    (found,) = read_table(tmp_path / "row.npz")
    np.testing.assert_array_equal(found.x, X[:, :1])


def test_arrays_without_a_row_a_time_are_left_out_aloud(tmp_path):
    np.savez(tmp_path / "data.npz", t=T, x=X, dt=0.2, kernel=np.ones(4))
    with pytest.warns(Choice, match=r"Left out .*having no 6 rows: 'dt' \(\), 'kernel' \(4,\)"):
        assert set(read_file(tmp_path / "data.npz")) == {"t", "x0", "x1"}
    savemat(tmp_path / "data.mat", {"a": T, "b": T**2, "c": np.ones(3), "info": {"who": "me"}})
    with pytest.warns(Choice, match=r"having no 6 rows: 'c' \(3,\), 'info'"):
        assert set(read_file(tmp_path / "data.mat")) == {"a", "b"}


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ({"t": T, "x": X.T}, r"'x' .*shape \(2, 6\) and looks transposed: there are 6 times"),
        ({"t": T, "x": X, "names": np.array(["a"])}, r"'names' .*1 names \(a\), but 'x' has 2 columns"),
        ({"t": T, "x": X, "x_dot": X[:, :1]}, r"'x_dot' .*has 1 columns and 'x' 2"),
        ({"t": T, "x": X, "x0": T}, r"two columns the name 'x0'"),
        ({"cube": np.ones((2, 3, 4))}, r"no arrays with a row a time \('cube' \(2, 3, 4\)\)"),
        ({}, r"no arrays with a row a time \(it is empty\)"),
        ({"t": T, "z": X[:, 0] + 1j}, r"No states among"),
        ({"t": T, "x": np.array([{}] * 6)}, r"Array 'x' .*cannot be read.*may run code"),
    ],
)
def test_arrays_that_are_no_table_are_refused(tmp_path, held, message):
    np.savez(tmp_path / "data.npz", **held)
    with pytest.raises(DataError, match=message):
        read_table(tmp_path / "data.npz")


def test_complex_states_are_refused_by_name(tmp_path):
    np.savez(tmp_path / "data.npz", t=T, z=X[:, 0] + 1j)
    with pytest.raises(DataError, match="Column 'z' holds complex numbers"):
        read_table(tmp_path / "data.npz", states=["z"])


@pytest.mark.parametrize("suffix", [".npz", ".mat", ".parquet", ".xlsx"])
@pytest.mark.parametrize("content", [b"", b"t,x\n0,1\n", b"PK\x03\x04broken", bytes(range(256))], ids=len)
def test_damaged_files_are_refused(tmp_path, suffix, content):
    path = tmp_path / f"data{suffix}"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"is no (NPZ|MAT|Parquet|Excel) file.*damaged"):
        read_file(path)


def test_one_bare_array_is_refused(tmp_path):
    with (tmp_path / "data.npz").open("wb") as file:
        np.save(file, T)
    with pytest.raises(DataError, match=r"one array without a name.*numpy\.savez"):
        read_file(tmp_path / "data.npz")


def test_matlab_7_3_is_named(tmp_path):
    (tmp_path / "data.mat").write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512))
    with pytest.raises(DataError, match=r"version 7\.3 \(HDF5\).*'-v7'"):
        read_file(tmp_path / "data.mat")


def test_parquet_without_its_package_names_the_command(tmp_path, monkeypatch):
    path = save(tmp_path / "data.parquet", {"t": T, "x": T})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"pip install pyarrow.*extra `files`"):
        read_file(path)


def test_parquet_of_pandas_own_kinds(tmp_path):
    frame = pd.DataFrame(
        {"x": pd.array([1.5, None, 3.0], dtype="Float64"), "n": pd.array([1, 2, None], "Int64")}
    )
    frame["kind"] = pd.Categorical(["a", "a", "b"])
    frame.index = pd.Index([0.0, 0.5, 1.0], name="t")
    frame.to_parquet(tmp_path / "data.parquet")
    first, second = read_table(tmp_path / "data.parquet", experiment="kind")
    np.testing.assert_array_equal(first.t, [0, 0.5])
    np.testing.assert_array_equal(first.x, [[1.5, 1], [np.nan, 2]])
    np.testing.assert_array_equal(second.x, [[3, np.nan]])


def test_a_nameless_index_is_left_out_aloud(tmp_path):
    pd.DataFrame({"t": T, "x": T}, index=T + 5).to_parquet(tmp_path / "data.parquet")
    with pytest.warns(Choice, match="index .* has no name and is left out"):
        assert set(read_file(tmp_path / "data.parquet")) == {"t", "x"}


def test_a_parquet_file_needs_columns_and_rows(tmp_path):
    pd.DataFrame(index=[0]).to_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="has no columns"):
        read_file(tmp_path / "none.parquet")
    save(tmp_path / "data.parquet", {"t": T[:0], "x": T[:0]})
    with pytest.raises(DataError, match="columns but no rows"):
        read_file(tmp_path / "data.parquet")


def write_sheets(path, **sheets):
    with pd.ExcelWriter(path) as book:
        for name, rows in sheets.items():
            pd.DataFrame(rows).to_excel(book, sheet_name=name, index=False, header=False)
    return path


def test_the_only_sheet_with_a_table_is_read_aloud(tmp_path):
    path = write_sheets(
        tmp_path / "data.xlsx", cover=[], data=[["t", "x"], [0, 1], [None, None], [1, "NA"]], more=[["a"]]
    )
    with pytest.warns(Choice, match="3 sheets; only 'data' holds a table and is read"):
        (found,) = read_table(path)
    np.testing.assert_array_equal(found.x[:, 0], [1, np.nan])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no table in 'data'"),
        ([["t", "x"]], "no table in 'data'"),
        ([["t", "x"], [0, "oops"], [1, 2]], "Column 'x' holds text: 'oops' at row 2 of the sheet"),
    ],
)
def test_sheets_that_are_no_table_are_refused(tmp_path, rows, message):
    with pytest.raises(DataError, match=message):
        read_table(write_sheets(tmp_path / "data.xlsx", data=rows))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.npy", "numpy.savez"),
        ("a.xls", "save it as .xlsx"),
        ("a.ods", "LibreOffice"),
        ("a.pkl", "may run code"),
        ("a.pickle", "may run code"),
        ("a.h5", "HDF5"),
        ("a.hdf5", "HDF5"),
        ("a.bin", "is no text.*told by their endings: .parquet"),
    ],
)
def test_other_files_get_a_way_out(tmp_path, name, message):
    (tmp_path / name).write_bytes(b"\x80\x04\xff\0")
    with pytest.raises(DataError, match=message):
        read_file(tmp_path / name)


def test_a_missing_file_gets_a_hint(tmp_path):
    with pytest.raises(DataError, match=r"no file .*No table \(.csv.*Check the path"):
        read_file(tmp_path / "measured.csv")
    for name in ("lorenz.csv", "b.tsv", "c.npz", "d.csv", "e.xlsx", "f.TXT"):
        (tmp_path / name).write_text("t,x\n0,1\n")
    with pytest.raises(DataError, match=r"no file .*Did you mean .*lorenz.csv"):
        read_file(tmp_path / "lorentz.csv")
    with pytest.raises(
        DataError, match=r"Tables in its folder: b.tsv, c.npz, d.csv, e.xlsx, f.TXT and 1 more"
    ):
        read_file(tmp_path / "nonexist.csv")
    with pytest.raises(DataError, match=r"no folder .*nowhere.* either"):
        read_file(tmp_path / "nowhere" / "else.csv")
    with pytest.raises(DataError, match=r"is a folder. Give the path of one file \(.csv"):
        read_file(tmp_path)


def test_a_file_that_may_not_be_read_is_told(tmp_path, monkeypatch):
    (tmp_path / "data.csv").write_text("t,x\n0,1\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(DataError, match=r"cannot be read \(Permission denied\)"):
        read_file(tmp_path / "data.csv")


def test_of_several_tables_the_user_says_which(tmp_path):
    rows = [["t", "x"], [0, 1], [1, 3]]
    path = write_sheets(tmp_path / "data.xlsx", one=rows, two=[["t", "y"], [0, 5], [1, 7]])
    with pytest.raises(DataError, match=r"Several sheets .* hold tables: 'one', 'two'.*option 'sheet'"):
        read_table(path)
    assert read_table(path, sheet="two")[0].names == ("y",)
    assert read_table(path, sheet="1")[0].names == ("x",)
    with pytest.raises(DataError, match=r"no sheet 'three'. Its sheets: 'one', 'two'"):
        read_table(path, sheet="three")


def test_header_and_units_of_a_sheet_are_found(tmp_path):
    rows = [["My data", None], [None, None], ["time", "speed"], ["s", "m/s"], [0, 1], [1, 3], [2, 4]]
    with pytest.warns(Choice, match="Above the header is left out: 'My data'"):
        (found,) = read_table(write_sheets(tmp_path / "data.xlsx", data=rows))
    assert (found.units, found.time_unit, found.time_name) == (("m/s",), "s", "time")
    np.testing.assert_array_equal(found.x[:, 0], [1, 3, 4])


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "data.csv")
    with pytest.raises(DataError, match="is no plain file"):
        read_file(tmp_path / "data.csv")


def test_arrays_larger_than_memory_are_refused(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "data.npz", t=np.zeros(10**6), x=np.zeros(10**6))
    monkeypatch.setattr("mathonet.data.files.memory.SHARE", 1e-9)
    with pytest.raises(DataError, match=r"unpacks to 1.6e\+07 bytes"):
        read_file(tmp_path / "data.npz")


def test_whole_tables_are_read_without_a_word(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for suffix in KINDS:
            assert set(read_file(save(tmp_path / f"data{suffix}", {"t": T, "x": T}))) == {"t", "x"}
