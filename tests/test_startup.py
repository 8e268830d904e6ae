"""How long the package takes to start, in units of what else is started in the same run."""

import subprocess
import sys
import time

import pytest


def least(*command: str, times: int = 3) -> float:
    """The least time of a command, so that a busy machine disturbs little."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True, timeout=120)
        found.append(time.perf_counter() - began)
    return min(found)


@pytest.fixture(scope="module")
def jax() -> float:
    return least("-c", "import jax", times=2)


@pytest.mark.parametrize("command", [("-c", "import mathonet"), ("-m", "mathonet.cli", "--help")], ids=str)
def test_starting_does_not_wait_for_jax(jax, command):
    """Measured: a tenth of `import jax`, or some four times an empty Python; half is far from both."""
    assert least(*command) < 0.5 * jax
