"""Names that the documentation of the version before had: they warn, and work."""

import subprocess
import sys

CODE = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from mathonet.discovery.config import Settings
    from mathonet.discovery.history import best_run
    from mathonet.discovery.sweep import make_problem, sweep
from mathonet.search.config import Settings as same
assert Settings is same
print(*(str(each.message) for each in told if each.category is DeprecationWarning))
"""


def test_modules_that_moved_warn_and_work():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "config is mathonet.search.config" in done.stdout
