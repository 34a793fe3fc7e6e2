"""Limbs of random build: axes at any angle, skew elbows, balls and hinges, ends beyond the wrist, a joint above."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk


def random_limb(rng: np.random.Generator) -> lk.Chain:
    """A chain with a spherical root, an elbow, mostly a wrist, and lengths and ranges of any kind."""
    joints: list[lk.model.Joint] = []

    def pose(turned, place):
        T = np.eye(4)
        T[:3, :3] = turned
        T[:3, 3] = place
        return T

    def anywhere(size):
        return pose(Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3) * size)

    def add(kind, T, **fields):
        k = len(joints)
        parent = joints[-1].child if joints else "base"
        joints.append(lk.model.Joint(f"j{k}", kind, parent, f"link{k}", T, **fields))

    def hinge(T, axis=(0, 0, 1)):
        low = rng.uniform(-3, 2.4)
        limits = {} if rng.random() < 0.3 else {"lower": low, "upper": rng.uniform(low + 0.5, 3)}
        add(lk.model.Kind.REVOLUTE, T, axis=np.array(axis, float), **limits)

    def spherical(T):
        if rng.random() < 0.5:
            cone = {
                "axis": rng.normal(size=3),
                "swing": rng.uniform(0.5, 3),
                "twist": tuple(sorted(rng.uniform(-3, 3, 2))),
            }
            add(lk.model.Kind.BALL, T, **(cone if rng.random() < 0.6 else {}))
            return
        hinge(T)
        for _ in range(2):
            bend = np.pi / 2 if rng.random() < 0.5 else rng.uniform(0.6, 2.5)
            hinge(pose(Rotation.from_euler("xyz", [bend, rng.choice([0, 0.3]), rng.uniform(-3, 3)]).as_matrix(), 0.0))

    if rng.random() < 0.5:
        hinge(anywhere(1.0))
    spherical(anywhere(1.0))
    if rng.random() < 0.5:
        add(lk.model.Kind.BALL, anywhere(rng.uniform(0.1, 1)))
    else:
        hinge(anywhere(rng.uniform(0.1, 1)), rng.normal(size=3))
    if wristed := rng.random() < 0.7:
        spherical(anywhere(rng.uniform(0.1, 1)))
    if not wristed or rng.random() < 0.4:
        add(lk.model.Kind.FIXED, anywhere(0.3))
    links = [lk.model.Link("base"), *(lk.model.Link(j.child) for j in joints)]
    return lk.Chain(lk.model.Mechanism("random limb", tuple(links), tuple(joints)), "base", joints[-1].child)


@pytest.mark.parametrize("build", range(10))
def test_limbs_of_any_build_match_and_claim_nothing_false(build):
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    rng = np.random.default_rng(seed)
    arm = random_limb(rng)
    limb = lk.JointedLimb(arm, arm.tip)
    Q = arm.sample(rng, 4)
    T = arm.forward(Q)
    targets = T if limb.turns_hand else T[:, :3, 3]
    back = limb.solve_batch(targets, limb.pole_of(Q), seeds=Q)
    assert (
        back.ok.all() and np.abs(arm.model.difference(Q, back.q)).max() < 1e-5
    )  # a double root is good to half the digits
    other = limb.solve_batch(targets, rng.normal(size=3))
    ok = other.ok
    assert np.isfinite(other.rows).all()
    assert np.abs(arm.forward(other.q)[ok, :3, 3] - T[ok, :3, 3]).max(initial=0.0) < 1e-8
    assert arm.within_limits(other.q[ok]).all()
    if (
        len(limb.places) == arm.n
    ):  # every joint is the limb's, so these targets can be reached: nobody may say otherwise
        assert not np.isin(other.status, (lk.Status.LIMITS, lk.Status.OUT_OF_REACH)).any()
    for low, high in limb.swivel_ranges(targets[0], seed=Q[0]):
        for swivel in (low, 0.5 * (low + high), high):
            assert limb.solve(targets[0], swivel=swivel, seed=Q[0], nearest=False).ok
