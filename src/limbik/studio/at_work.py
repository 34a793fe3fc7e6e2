"""Traces of methods: every iteration towards a target, for the page to play."""

from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.methods import trace
from limbik.solvers.registry import METHODS, traceable
from limbik.studio.limbs import limb_of
from limbik.studio.session import Session

# The methods that can be traced: the iterative ones.
WATCHABLE = traceable()
# The largest number of steps that is shown; longer traces are thinned, without their ends.
MOST = 600


@dataclass(frozen=True, eq=False)
class Watched:
    """The trace of a method. q: (k, n) postures of the whole robot; position_error [m], rotation_error [rad]: (k,).

    steps: (k,) the iteration of each row. why: the outcome in one sentence.
    """

    method: str
    q: Array
    position_error: Array
    rotation_error: Array
    steps: Array
    ok: bool
    why: str

    def __len__(self) -> int:
        return len(self.q)


def watch(session: Session, frame: str, method: str) -> Watched:
    """Return the trace of a method from the present posture to the pose of a frame's gizmo. Raises BadOption."""
    if method not in WATCHABLE:
        raise BadOption(f"method={shown(method)} cannot be traced; {suggest(str(method), WATCHABLE)}")
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption(f"'{frame}' is not the end of a limb; choose another tip")
    q = session.q
    T = limb.seen(session.robot, q, session.target(frame))
    run = trace(limb.chain, T, limb.part(q), method, limits=session.state.limits)
    rows = np.unique(np.linspace(0, len(run), min(len(run) + 1, MOST)).round().astype(int))
    ended = "at the target" if run.ok else f"{1000 * run.position_error[-1]:.3g} mm away"
    why = f"{METHODS[method].title}: {len(run)} steps, {int(run.evaluations[-1])} evaluations, ends {ended}"
    return Watched(method, limb.put(q, run.q[rows]), run.position_error[rows], run.rotation_error[rows],
                   rows.astype(float), run.ok, why)  # fmt: skip
