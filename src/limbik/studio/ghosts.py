"""Every posture that holds a dragged frame where it is: what the page draws as ghosts, to be clicked.

Where the limb has a closed form they are complete; a redundant limb shows one posture for each branch and feasible part of
its swivel. A limb with more freedom and no closed form (the figure's arm, whose wrist turns about the forearm too) shows what
attempts from a few fixed starts find, which is a sample and is said to be one.
"""

from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption
from limbik.model.transform import Array
from limbik.solvers.answer import Status
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.session import Session

# Starts for limbs whose postures are endless, and the seed that they are drawn with.
STARTS, START_SEED = 8, 1996
# Postures of a sample whose joints differ by less are one [rad or m].
DISTINCT = 0.15
# More ghosts than this hide the figure.
MOST = 32


@dataclass(frozen=True, eq=False)
class Ghosts:
    """Postures of the whole robot, (k, n), that differ in one limb; a label each; which is the present one (-1 for none).

    complete: whether these are all there are, up to the swivel of a redundant limb. status, why: how that is known.
    """

    q: Array
    labels: tuple[str, ...]
    present: int
    complete: bool
    status: Status
    why: str

    def __len__(self) -> int:
        return len(self.q)


def ghosts(session: Session, frame: str) -> Ghosts:
    """Return the postures that hold a frame where its gizmo stands. Raises UnknownFrame."""
    q = session.q
    limb = limb_of(session.robot, frame)
    if limb is None:
        return Ghosts(
            np.zeros((0, len(q))), (), -1, False, Status.NOT_FOUND, f"'{frame}' is moved by no limb of its own"
        )
    T = limb.seen(session.robot, q, session.target(frame))
    try:
        every = limb.chain.solve_all(T, seed=limb.part(q), limits=session.state.limits)
    except BadOption:  # endless, without a closed form
        return _sample(session, limb, T)
    names = limb.chain.branch_names
    labels = tuple(names[b] if 0 <= b < len(names) else f"posture {k + 1}" for k, b in enumerate(every.branches[:MOST]))
    postures = limb.put(q, every.q[:MOST])
    return Ghosts(postures, labels, _nearest(postures, q), True, Status(every.status), every.why)


def _sample(session: Session, limb: MovedLimb, T: Array) -> Ghosts:
    q, chain = session.q, limb.chain
    seeds = [limb.part(q), *chain.sample(np.random.default_rng(START_SEED), STARTS)]
    found: list[Array] = []
    answer = None
    for seed in seeds:
        answer = chain.solve(T, seed=seed, limits=session.state.limits)
        if answer.ok and all(np.abs(chain.difference(answer.q, other)).max() > DISTINCT for other in found):
            found.append(np.array(answer.q))
    assert answer is not None
    postures = limb.put(q, np.array(found).reshape(len(found), chain.n))
    labels = tuple(f"posture {k + 1}" for k in range(len(found)))
    status = Status.SOLVED if found else Status(answer.status)
    why = f"{len(found)} of endlessly many postures" if found else answer.why
    return Ghosts(postures, labels, _nearest(postures, q), False, status, why)


def _nearest(postures: Array, q: Array) -> int:
    if not len(postures):
        return -1
    apart = np.abs(postures - q).max(axis=1)
    return int(apart.argmin()) if apart.min() < 1e-6 else -1
