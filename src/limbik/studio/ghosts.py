"""All postures with the present pose of a dragged frame, which the page draws as clickable ghosts.

With a closed form they are complete. A redundant limb shows one posture per branch and feasible range of its swivel, and, at
rest, samples of the present branch every few degrees of the swivel. A two-bone limb without a closed form (the figure's arm,
whose wrist also twists the forearm) shows a posture for every few degrees of its swivel inside the limits. Any other limb shows
the results of attempts from a few fixed starts, as does the figure's arm during a drag, since that is faster. Both are samples
and labelled so.
"""

from dataclasses import dataclass

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.jointed_limb import JointedLimb
from limbik.solvers.table.finder import POSE_JOINTS
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.session import Session
from limbik.studio.swivels import two_bones

# The spacing of swivels at which a redundant limb is shown [rad].
STEP = np.radians(15)
# The number of random starts for limbs with infinitely many postures, and their seed.
STARTS, START_SEED = 8, 1996
# Postures of a sample whose joints differ by less count as equal [rad or m].
DISTINCT = 0.15
# A posture within this distance of the present one is the present one [rad or m].
SAME = 1e-6
# The largest number of ghosts; more would hide the figure.
MOST = 32


@dataclass(frozen=True, eq=False)
class Ghosts:
    """Postures of the whole robot, (k, n), that differ in one limb; their labels; the index of the present one (-1 for none).

    complete: whether the list is complete, up to the swivel of a redundant limb. status, why: the outcome.
    """

    q: Array
    labels: tuple[str, ...]
    present: int
    complete: bool
    status: Status
    why: str

    def __len__(self) -> int:
        return len(self.q)


def ghosts(session: Session, frame: str, *, quick: bool = False) -> Ghosts:
    """Return the postures with a frame at its gizmo. quick: a sample is sufficient. Raises UnknownFrame."""
    q = session.q
    limb = limb_of(session.robot, frame)
    if limb is None:
        return Ghosts(np.zeros((0, len(q))), (), -1, False, Status.NOT_FOUND, f"'{frame}' is not the end of a limb")
    T = limb.seen(session.robot, q, session.target(frame))
    if limb.chain.n > POSE_JOINTS and not limb.chain.branch_names:  # infinitely many, without a closed form
        bones = None if quick else two_bones(session.robot, frame)
        return _sample(session, limb, T) if bones is None else _swivels(session, frame, bones, STEP)
    every = limb.chain.solve_all(T, seed=limb.part(q), limits=session.state.limits)
    names = limb.chain.branch_names
    found, why = every.q, every.why
    labels = tuple(names[b] if 0 <= b < len(names) else f"posture {k + 1}" for k, b in enumerate(every.branches))
    if not quick and limb.chain.redundancy is not None and session.report.ok:
        swung, at = _at_swivels(session, limb.chain, T, limb.part(q))
        most = MOST - len(swung)
        found, labels = np.concatenate([found[:most], swung]), (*labels[:most], *at)
        why += f"; its swivel is sampled every {np.degrees(STEP):.0f}°"
    postures, labels = limb.put(q, found[:MOST]), labels[:MOST]
    return Ghosts(postures, labels, _nearest(postures, q), every.complete, Status(every.status), why)


def _at_swivels(session: Session, chain: Chain, T: Array, q: Array) -> tuple[Array, tuple[str, ...]]:
    """Return the present branch of a redundant arm at steps of its swivel or free joint, and a label each."""
    redundancy, limits = chain.redundancy, session.state.limits
    assert redundancy is not None
    if redundancy.joint is None:
        low, high, what, own = -np.pi, np.pi, "elbow", float(chain.swivel(q))
    else:
        j = chain.joint_names.index(redundancy.joint)
        low, high, what, own = chain.lower[j], chain.upper[j], redundancy.joint, float(q[j])
        if not (limits and np.isfinite(high - low)):
            low, high = -np.pi, np.pi
    here = chain.solve_all(T, q, limits=limits, swivel=own)
    branch = [b for b, x in zip(here.branches, here.q, strict=True) if np.abs(x - q).max() < SAME]
    found, labels = [np.zeros((0, chain.n))], []
    for angle in np.arange(low, high - SAME, STEP) if branch else ():
        every = chain.solve_all(T, q, limits=limits, swivel=float(angle))
        same = every.q[every.branches == branch[0]][:1]
        found.append(same)
        labels += [f"{what} at {np.degrees(angle):.0f}°"] * len(same)
    return np.concatenate(found), tuple(labels)


def _swivels(session: Session, frame: str, bones: JointedLimb, step: float) -> Ghosts:
    """Return the present posture and those at multiples of a step of the swivel, in order, inside the limits and verified."""
    q, T = session.q, session.target(frame)
    angles = np.arange(-np.pi, np.pi - 1e-9, step)
    found = bones.solve_batch(
        np.tile(T, (len(angles), 1, 1)), swivels=angles, seeds=q, limits=session.state.limits, give_way=False, threads=1
    )
    rows = np.flatnonzero(found.ok)
    postures, at = np.asarray(found.q)[rows], angles[rows]
    if session.report.ok:
        own = float(bones.swivel_of(q))
        k = int(np.searchsorted(at, own))
        postures, at = np.insert(postures, k, q, axis=0), np.insert(at, k, own)
    labels = tuple(f"elbow at {np.degrees(angle):.0f}°" for angle in at)
    if not len(at):
        return Ghosts(postures, (), -1, False, Status.NOT_FOUND, "no elbow swivel reaches the target")
    why = f"a sample of infinitely many: one per {np.degrees(step):.0f}° of the elbow's swivel inside the limits"
    return Ghosts(postures, labels, _nearest(postures, q), False, Status.SOLVED, why)


def _sample(session: Session, limb: MovedLimb, T: Array) -> Ghosts:
    q, chain = session.q, limb.chain
    seeds = [limb.part(q), *chain.sample(np.random.default_rng(START_SEED), STARTS)]
    found: list[Array] = []
    answer = None
    for seed in seeds:
        answer = chain.solve(T, seed=seed, limits=session.state.limits)
        if answer.ok and all(np.abs(chain.model.difference(answer.q, other)).max() > DISTINCT for other in found):
            found.append(np.array(answer.q))
    assert answer is not None
    postures = limb.put(q, np.array(found).reshape(len(found), chain.n))
    labels = tuple(f"posture {k + 1}" for k in range(len(found)))
    status = Status.SOLVED if found else Status(answer.status)
    why = f"{len(found)} of infinitely many postures" if found else answer.why
    return Ghosts(postures, labels, _nearest(postures, q), False, status, why)


def _nearest(postures: Array, q: Array) -> int:
    if not len(postures):
        return -1
    apart = np.abs(postures - q).max(axis=1, initial=0.0)
    return int(apart.argmin()) if apart.min() < SAME else -1
