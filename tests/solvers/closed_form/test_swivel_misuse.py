"""Valid values of `swivel=`, other arms with seven joints, and proofs for redundant arms."""

import numpy as np
from benchmarks import closed_form
from test_closed_form import seeded

import limbik as lk


def test_valid_and_invalid_swivels():
    arm, rng = lk.load("iiwa7"), np.random.default_rng(3)
    T = arm.forward(arm.sample(rng))
    best = arm.solve_all(T, swivel="limits")
    assert len(best) == len(arm.solve_all(T))

    def margin(q):
        return np.min(np.minimum(q - arm.lower, arm.upper - q) / (arm.upper - arm.lower), axis=-1)

    assert (
        margin(best.q).max()
        >= max(margin(arm.solve_all(T, swivel=s).q).max(initial=0) for s in (-2.0, 0.0, 1.0)) - 1e-9
    )
    elbow = arm.forward(arm.solve_all(T, swivel=0.7)[0].q, "link_4" if "link_4" in arm.frames else arm.frames[4])[:3, 3]
    towards = arm.solve_all(T, swivel=elbow)
    assert np.abs(np.abs(towards.swivels - 0.7)).min() < 1e-6
    both = arm.solve_all(T, swivel=0.7, directed=False)
    assert len(both) == len(arm.solve_all(T, swivel=0.7)) + len(arm.solve_all(T, swivel=0.7 + np.pi))
    free = arm.solve_all(T, swivel=0.7, limits=False)
    assert len(free) == 8 and sorted(free.branches.tolist()) == list(range(8))
    assert arm.solve(T, prefer="limits").ok and arm.solve(T, valid=lambda q: q[2] > 0).ok


def test_other_arms_of_seven_joints_fix_one():
    for name in ("panda", "xarm7"):
        arm, rng = lk.load(name), seeded(name)
        assert arm.redundancy.kind == "joint"
        held = arm.joint_names.index(arm.redundancy.joint)
        for q in arm.sample(rng, 40):
            answers = arm.solve_all(arm.forward(q), swivel=q[held])
            assert closed_form.gaps(arm, answers.q, q).min() <= 1e-6 and np.allclose(answers.q[:, held], q[held])
            assert arm.solve(arm.forward(q), seed=q, method="closed_form").method == "closed_form"


def test_redundant_targets_out_of_limits_are_proven():
    arm = lk.load("human_arm_7")
    T = np.array(arm.forward(arm.home))
    T[:3, :3] = T[:3, :3] @ np.diag([-1.0, 1.0, -1.0])
    answer = arm.solve(T)
    assert answer.status == lk.Status.LIMITS and arm.solve_all(T).status == lk.Status.LIMITS
    T[:3, 3] = [0.0, 0.0, 0.9]
    assert arm.solve(T).status == lk.Status.OUT_OF_REACH
