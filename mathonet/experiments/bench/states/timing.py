"""Time and memory of a discovery from states: each size in a process of its own, cold and then warm.

Cold is the first discovery of a process without kept compilations; warm is the second one, of other noise.
"""

import json
import subprocess
import sys
import time

SIZES = {"timing-1000": 1_000, "timing-100000": 100_000}
STEP, NOISE = 0.01, 0.05


def answer(name: str, seed: int) -> dict:
    """Seconds and peak memory, measured in a new process of this file."""
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name if __spec__ else __name__, str(SIZES[name]), str(seed)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"The timed process ended with code {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(points: int, seed: int) -> dict:
    """Two discoveries of the Lorenz system from `points` noisy states, in this process."""
    # Not at the top: Windows has none, and only this function needs it.
    import resource

    began = time.perf_counter()
    from mathonet.experiments.bench.states.cases import Case, Run
    from mathonet.experiments.bench.states.ours import answer as ours

    imported = time.perf_counter() - began
    run = Run((-8.0, 8.0, 27.0), STEP * (points - 1), points)
    case = Case(f"timing-{points}", "timing", "lorenz", (run,), NOISE, wanted=None)
    cold, warm = ours(case, 2 * seed), ours(case, 2 * seed + 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "exact": cold["exact"] and warm["exact"],
        "errors": cold["errors"] + warm["errors"],
        "equations": warm["equations"],
        "cold": imported + cold["seconds"],
        "seconds": warm["seconds"],
        "gibibytes": peak / 2**30,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]))) + "\n")
