"""The studio: the solve inside a drag, the round trip of a mouse move, updates that a browser acknowledges, a soak.

The browser is Chromium without a graphics card, so every picture is drawn by the processor that also solves.
"""

import gc
import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most

HERE = Path(__file__).parents[1]
# Drags whose solve is timed, each a walk of small steps.
DRAGS = 2000
# The soak: an hour.
SOAK_SECONDS = 3600
# Growth of memory over a soak that counts as none [MB]: allocators keep some pages.
NO_GROWTH = 15.0


def studio(out: Path) -> list[Measurement]:
    """Measure the solve time per drag; and in a process with a browser the round trip, acknowledged updates and a soak."""
    measured = [
        at_most(f"{name}: solve inside a drag, median of {DRAGS}", drag_time(name), 1.0, "ms")
        for name in ("panda", "human")
    ]
    file = out / "studio.json"
    run = [sys.executable, str(HERE / "studio_page.py"), "--out", str(file), "--soak", str(SOAK_SECONDS)]
    done = subprocess.run(run, check=False, capture_output=True, text=True)
    if done.returncode or not file.exists():
        return [*measured, at_most("the page in a browser: it could not be measured", 1, 0, "runs", done.stderr[-300:])]
    found = json.loads(file.read_text())
    return [
        *measured,
        at_most("mouse to page and back, median", found["round_trip_ms"], 60.0, "ms", f"{found['round_trips']} moves"),
        at_least("human: updates that the browser acknowledged", found["acknowledged_per_s"], 30.0, "1/s"),
        at_most(
            f"soak of {found['soak_seconds']:.0f} s: growth of the server's memory",
            found["growth_mb"],
            NO_GROWTH,
            "MB",
            f"{found['soak_actions']} actions",
        ),
    ]


def drag_time(name: str) -> float:
    """Return the median time of one `Session.drag` [ms]; each moves the gizmo by some millimetres."""
    from limbik.studio.session import Session

    session = Session(lk.load(name))
    frame = session.tips[0] if isinstance(session.robot, lk.Chain) else "leftHand"
    rng = np.random.default_rng(SEED)
    start = session.target(frame)
    times = []
    gc.disable()
    for k in range(DRAGS):
        T = np.array(start)
        T[:3, 3] += 0.05 * np.sin([k / 30, k / 41, k / 53]) + rng.normal(scale=1e-4, size=3)
        begin = perf_counter()
        session.drag(frame, T)
        times.append(perf_counter() - begin)
    gc.enable()
    return 1000 * float(np.median(times))
