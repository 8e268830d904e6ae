"""Tables: files in, trajectories out, and clear words for everything else."""

import numpy as np
import pytest

from mathonet.data.choice import Choice
from mathonet.data.table import read_table
from mathonet.errors import DataError

PLAIN = "t,x,y\n0,1,2\n0.5,1.5,2.25\n1,2,2.5\n"
WITH_DERIVATIVES = "t,x,y,dx/dt,dy/dt\n0,1,2,5,6\n1,2,3,7,8\n2,4,5,9,10\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def read_one(path, **options):
    (trajectory,) = read_table(path, **options)
    return trajectory


def test_roles_are_guessed(write):
    trajectory = read_one(write(PLAIN))
    assert trajectory.names == ("x", "y")
    assert trajectory.x_dot is None
    np.testing.assert_array_equal(trajectory.t, [0, 0.5, 1])
    np.testing.assert_array_equal(trajectory.x[:, 1], [2, 2.25, 2.5])


@pytest.mark.parametrize("form", ["dx/dt", "dxdt", "x_dot", "xdot", "dx", "x'", "d_x_dt"])
def test_derivative_names_are_recognised(write, form):
    trajectory = read_one(write(f"t,{form},x\n0,5,1\n1,6,2\n2,7,4\n"))
    assert trajectory.names == ("x",)
    np.testing.assert_array_equal(trajectory.x_dot[:, 0], [5, 6, 7])


@pytest.mark.parametrize("header", ["t", "T", "time", "Time", "t [s]", "time (ms)", " t "])
def test_time_names_are_recognised(write, header):
    trajectory = read_one(write(f"x,{header}\n1,0\n2,1\n4,2\n"))
    assert trajectory.names == ("x",)
    np.testing.assert_array_equal(trajectory.t, [0, 1, 2])


@pytest.mark.parametrize(
    ("separator", "name"), [("\t", "a.tsv"), ("\t", "a.txt"), (";", "a.csv"), (", ", "a.csv")]
)
def test_separators(write, separator, name):
    assert read_one(write(PLAIN.replace(",", separator), name)).names == ("x", "y")


def test_byte_order_mark_and_windows_line_ends(write):
    assert read_one(write(("\ufeff" + PLAIN).replace("\n", "\r\n"))).names == ("x", "y")


def test_given_roles(write):
    trajectory = read_one(
        write("clock,a,b,va,force\n0,1,2,3,4\n1,2,3,4,5\n2,4,5,6,7\n"),
        time="clock",
        states=["a"],
        derivatives=["va"],
        inputs=["force"],
    )
    assert trajectory.names == ("a",)
    assert trajectory.input_names == ("force",)
    np.testing.assert_array_equal(trajectory.x_dot[:, 0], [3, 4, 6])
    np.testing.assert_array_equal(trajectory.u[:, 0], [4, 5, 7])


def test_inputs_are_not_guessed_as_states(write):
    assert read_one(write(PLAIN), inputs=["y"]).names == ("x",)


def test_derivatives_of_inputs_have_no_part(write):
    with pytest.warns(Choice, match="'dx/dt' is left out: it is the derivative of an input"):
        trajectory = read_one(write(WITH_DERIVATIVES), inputs=["x"])
    assert trajectory.names == ("y",)
    assert trajectory.input_names == ("x",)
    np.testing.assert_array_equal(trajectory.x_dot[:, 0], [6, 8, 10])
    own = read_one(write("t,u,du,du_dot\n0,1,2,5\n1,2,3,7\n2,4,5,9\n"), inputs=["u"])
    assert own.names == ("du",)


def test_derivatives_can_be_ignored(write):
    assert read_one(write(WITH_DERIVATIVES), derivatives=[]).x_dot is None


def test_derivatives_follow_the_order_of_the_states(write):
    trajectory = read_one(write(WITH_DERIVATIVES), states=["y", "x"])
    np.testing.assert_array_equal(trajectory.x_dot[0], [6, 5])


def test_rows_are_numbered_when_derivatives_are_known(write):
    trajectory = read_one(write("x,x_dot\n1,2\n2,3\n4,5\n"))
    np.testing.assert_array_equal(trajectory.t, [0, 1, 2])


def test_text_columns_are_left_out_of_guessed_states_aloud(write):
    with pytest.warns(Choice, match="Column 'note' is left out: it holds text"):
        assert read_one(write("t,x,note\n0,1,ok\n1,2,good\n2,4,ok\n")).names == ("x",)


@pytest.mark.parametrize("name", ["u", "u2", "Input", "force"])
def test_a_state_that_sounds_like_an_input_is_told(write, name):
    path = write(f"t,x,{name}\n0,1,2\n1,2,1\n2,4,2\n")
    with pytest.warns(Choice, match="taken for a state.*'inputs'"):
        assert read_one(path).names == ("x", name)
    assert read_table(path, inputs=[name])[0].input_names == (name,)
    assert read_table(path, states=["x", name])[0].names == ("x", name)


def test_numbers_are_read_to_the_last_bit(write):
    values = np.random.default_rng(0).standard_normal(50)
    rows = "\n".join(f"{k},{v!r}" for k, v in enumerate(values.tolist()))
    np.testing.assert_array_equal(read_one(write("t,x\n" + rows)).x[:, 0], values)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "is empty"),
        ("t,x\n", {}, "no rows"),
        ("t,x\n0,1\n1,oops\n2,4\n", {}, "Column 'x' holds text: 'oops' at line 3. .*in all: 1"),
        ("t,x\nnow,1\n1,2\n2,4\n", {}, "Column 't' holds text: 'now' at line 2"),
        ("t,x,dx\n0,1,1\n1,,1\n2,4,1\n", {}, "'x' is NaN at line 3. .*Remove these rows, fill them in"),
        ("t,x,dx\n0,1,1\n1,2,\n2,4,1\n", {}, "derivative of state 'x' is NaN at line 3"),
        ("t,x\n0,1\n1,inf\n2,4\n", {}, "'x' is infinite at line 3"),
        ("t,x,u\n0,1,1\n1,2,\n2,4,1\n", {"inputs": ["u"]}, "input 'u' is NaN at line 3.*numpy.interp"),
        ("t,x\n0,1\n,2\n2,4\n", {}, "time 't' is NaN at line 3"),
        ("t,x\n0,1\n1,2,3\n2,4\n", {}, "not a table"),
        ("x,y\n0,1\n1,2\n2,4\n", {}, r"No time column among 'x', 'y'.*option 'time'.*rows with deriv"),
        ("t,time,x\n0,0,1\n1,2,2\n2,9,4\n", {}, "Several columns could be the time: 't', 'time'.*'time'"),
        ("t,name\n0,a\n1,b\n2,c\n", {}, "No states among.*option 'states'"),
        ("t,x\nnow,1\nsoon,2\n", {}, "No time column among 't', 'x'"),
        (PLAIN, {"states": ["X"]}, "no column 'X' for states.*Columns: 't', 'x', 'y'"),
        ("t,position\n0,1\n", {"states": ["positon"]}, "Did you mean 'position'"),
        (PLAIN, {"time": "tt"}, "no column 'tt' for time"),
        (PLAIN, {"states": ["x", "x"]}, "more than one part: 'x'"),
        (PLAIN, {"states": ["x"], "inputs": ["x"]}, "more than one part: 'x'"),
        (WITH_DERIVATIVES, {"derivatives": ["dx/dt"], "states": ["x", "y"]}, "2 states .* but 1 derivatives"),
        (
            "t,x,y,dx/dt\n0,1,2,5\n1,2,3,7\n2,4,5,9\n",
            {},
            "of 'x' but none of 'y'.*'dy/dt'.*'derivatives' empty",
        ),
        ("t,x,dx,ddx\n0,1,2,5\n1,2,3,7\n2,4,5,9\n", {}, "none of 'ddx'"),
        ("t,x,dx,x_dot\n0,1,2,5\n1,2,3,7\n2,4,5,9\n", {}, "Several columns could be the derivative of 'x'"),
        (b"\xff\xfe\x00\xd8,x\n", {}, "damaged text in UTF-16-LE"),
    ],
)
def test_refusals_say_what_and_where(write, text, options, message):
    with pytest.raises(DataError, match=message):
        read_table(write(text), **options)
