"""Methods at work: every step of a method on its way to a target, for the page to play."""

from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.solvers.registry import METHODS
from limbik.studio.limbs import limb_of
from limbik.studio.session import Session

# The methods that can be watched: the iterative ones.
WATCHABLE = tuple(name for name, method in METHODS.items() if method.iterative)
# More steps than this are thinned before they are shown; the first and the last stay.
MOST = 600


@dataclass(frozen=True, eq=False)
class Watched:
    """The course of a method. q: (k, n) postures of the whole robot; position_error [m], rotation_error [rad]: (k,).

    steps: (k,) the number of the step that each row is. why: one sentence about how it ended.
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
    """Return the steps of a method from the present posture to where a frame's gizmo stands. Raises BadOption."""
    if method not in WATCHABLE:
        raise BadOption(f"method={shown(method)} cannot be watched; {suggest(str(method), WATCHABLE)}")
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption(f"'{frame}' is moved by no limb of its own; choose the end of one")
    q = session.q
    T = limb.seen(session.robot, q, session.target(frame))
    course = limb.chain.trace(T, seed=limb.part(q), method=method, limits=session.state.limits)
    rows = np.unique(np.linspace(0, len(course), min(len(course) + 1, MOST)).round().astype(int))
    ended = "at the target" if course.ok else f"{1000 * course.position_error[-1]:.3g} mm away"
    why = f"{METHODS[method].title}: {len(course)} steps, {int(course.evaluations[-1])} evaluations, ends {ended}"
    return Watched(method, limb.put(q, course.q[rows]), course.position_error[rows], course.rotation_error[rows],
                   rows.astype(float), course.ok, why)  # fmt: skip
