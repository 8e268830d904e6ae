"""keep_compiled: another process finds what was compiled before."""

import subprocess
import sys
from pathlib import Path

import pytest

from mathonet import keep_compiled
from mathonet.compilation import size_to_compile
from mathonet.errors import ConfigError

CODE = """
import sys, jax, jax.numpy as jnp
from mathonet import keep_compiled
print(keep_compiled(sys.argv[1]))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
jax.jit(lambda x: jnp.sin(x) @ jnp.cos(x))(jnp.ones((3, 3)))
"""


def test_programs_are_kept_where_one_says(tmp_path):
    folder = tmp_path / "kept"
    ran = subprocess.run(
        [sys.executable, "-c", CODE, str(folder)], capture_output=True, text=True, check=True
    )
    assert Path(ran.stdout.strip()) == folder
    assert list(folder.iterdir())


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ConfigError, match="give another folder"):
        keep_compiled(file)


def test_an_import_changes_nothing_of_jax():
    code = (
        "import jax, mathonet; from mathonet import Discoverer; print(jax.config.jax_compilation_cache_dir)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={})
    assert ran.stdout.strip() == "None"


def test_sizes_are_powers_of_two_that_hold_what_there_is():
    assert [size_to_compile(count) for count in (0, 1, 2, 3, 4, 5, 1000)] == [1, 1, 2, 4, 4, 8, 1024]
    assert [size_to_compile(count, 16) for count in (1, 16, 17)] == [16, 16, 32]
