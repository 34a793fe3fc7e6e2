"""Closed forms: complete, verified, distinct, inside the limits; the same for one target and many; honest at singularities."""

import pickle

import numpy as np
import pytest
from benchmarks import closed_form
from cases.random_arms import STRUCTURES, random_arm, random_srs_arm

import limbik as lk

SIX = ("puma560", "ur5", "kr6", "human_arm_6", "gantry", "ur10e", "scara", "planar3_chin", "planar2_guez")
SWINGING = ("iiwa7", "human_arm_7", "human_leg_7")


def seeded(name: str) -> np.random.Generator:
    return np.random.default_rng(sum(map(ord, name)))


@pytest.mark.parametrize("name", STRUCTURES)
def test_every_structure_is_solved_completely(name):
    rng = seeded(name)
    for _ in range(4):
        arm = STRUCTURES[name](rng)
        assert "closed form" in str(arm.structure) and "no closed form" not in str(arm.structure)
        found = closed_form.recall(arm, rng, 250)
        assert found.missed == 0 and found.repeated == 0 and found.worst_error <= closed_form.EXACT, found


@pytest.mark.parametrize("name", SIX)
def test_catalogue_arms_inside_their_limits(name):
    arm, rng = lk.load(name), seeded(name)
    found = closed_form.recall(arm, rng, 1000)
    assert found.missed == 0 and found.repeated == 0 and found.worst_error <= closed_form.EXACT
    for T in arm.forward(arm.sample(rng, 50)):
        answers = arm.solve_all(T)
        assert answers.ok and arm.within_limits(answers.q).all() and len(set(answers.branches.tolist())) == len(answers)
        assert np.abs(arm.forward(answers.q) - T).max() <= closed_form.EXACT
        assert answers.outside == len(arm.solve_all(T, limits=False)) - len(answers)


def test_no_posture_found_by_attempts_is_missing():
    rng = np.random.default_rng(5)
    for name in ("spherical wrist", "2, 3, 4 parallel", "RRP and wrist", "4, 5, 6 parallel"):
        arm = STRUCTURES[name](rng)
        for T in arm.forward(arm.sample(rng, 8)):
            every = arm.solve_all(T).q
            for seed in arm.sample(rng, 24):
                answer = arm.solve(T, seed=seed, method="lm")
                if answer.ok:
                    assert closed_form.gaps(arm, every, answer.q).min() <= 1e-5


def test_arms_without_closed_form_report_it_and_are_solved_by_attempts():
    rng = np.random.default_rng(3)
    arm = random_arm(rng, "RRRRRR")
    assert str(arm.structure).endswith("no closed form") and arm.branch_names == () and arm.redundancy is None
    q = arm.sample(rng)
    answers = arm.solve_all(arm.forward(q))
    assert closed_form.gaps(arm, answers.q, q).min() <= 1e-5 and "attempts" in answers.why and answers.ok
    with pytest.raises(lk.BadOption, match="closed_form"):
        arm.solve(arm.forward(q), method="closed_form")
    batch = arm.solve_all_batch(arm.forward(q)[None])
    assert batch.count[0] == len(answers) and np.array_equal(batch.q[0, : batch.count[0]], answers.q)
    with pytest.raises(lk.BadOption, match="infinitely many"):
        lk.load("human_arm_8").solve_all_batch(np.eye(4)[None])


# ---- batches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ("puma560", "ur5", "spherical wrist", "SCARA RRPR"))
def test_a_row_of_a_batch_is_the_single_answer_bit_for_bit(name):
    rng = seeded(name)
    arm = lk.load(name) if name in lk.CATALOGUE else STRUCTURES[name](rng)
    T = np.array(arm.forward(arm.sample(rng, 203)))
    T[7, :3, 3] *= 5.0
    seeds = arm.sample(rng, len(T))
    for threads in (1, 2):
        batch = arm.solve_all_batch(T, seeds=seeds, threads=threads)
        assert batch == arm.solve_all_batch(T, seeds=seeds) and batch == pickle.loads(pickle.dumps(batch))
        for k, target in enumerate(T):
            answers = arm.solve_all(target, seed=seeds[k])
            n = batch.count[k]
            assert n == len(answers) and np.array_equal(batch.q[k, :n], answers.q) and np.isnan(batch.q[k, n:]).all()
            assert np.array_equal(batch.branches[k, :n], answers.branches) and batch.status[k] == answers.status
            assert batch.outside[k] == answers.outside


def test_no_rows_and_bad_rows():
    arm = lk.load("puma560")
    assert len(arm.solve_all_batch(np.zeros((0, 4, 4)))) == 0
    T = np.stack([np.eye(4)] * 3)
    T[1, 0, 0] = np.nan
    with pytest.raises(lk.LimbikError, match="target 1"):
        arm.solve_all_batch(T)
    for call in (
        lambda: arm.solve_all(np.eye(3)),
        lambda: arm.solve_all(np.eye(4), seed=[1, 2]),
        lambda: arm.solve_all(np.eye(4), turns="some"),
        lambda: arm.solve_all(np.eye(4), swivel=0.1),
        lambda: arm.solve_all(np.eye(4), limits="yes"),
        lambda: arm.swivel_ranges(np.eye(4)),
        lambda: lk.load("iiwa7").solve_all(np.eye(4), swivel=np.nan),
        lambda: lk.load("iiwa7").solve_all(np.eye(4), swivel="best"),
        lambda: lk.load("iiwa7").solve_all(np.eye(4), swivel=[1.0, 2.0]),
        lambda: lk.load("iiwa7").solve_all_batch(np.eye(4)[None]),
    ):
        with pytest.raises(lk.LimbikError):
            call()


def test_answers_are_a_frozen_sequence():
    arm = lk.load("puma560")
    answers = arm.solve_all(arm.forward(arm.home + 0.3))
    assert [a.branch for a in answers] == answers.branches.tolist() and answers[-1] == answers[len(answers) - 1]
    assert all(a.ok and a.method == "closed_form" and arm.branch_names[a.branch] in a.why for a in answers)
    assert pickle.loads(pickle.dumps(answers)) == answers and hash(answers) == hash(pickle.loads(pickle.dumps(answers)))
    assert pickle.loads(pickle.dumps(answers)).why == answers.why
    with pytest.raises(IndexError):
        answers[len(answers)]
    with pytest.raises(AttributeError):
        answers.status = 0


# ---- whole turns, branches, seeds ------------------------------------------------------------------------------------


def test_whole_turns():
    arm = lk.load("ur5")
    q = np.array([0.3, -1.0, 1.2, -0.5, 0.7, 0.2])
    T = arm.forward(q)
    for shift in (-2 * np.pi, 0.0, 2 * np.pi):
        seed = np.clip(q + shift, arm.lower, arm.upper)
        answers = arm.solve_all(T, seed=seed)
        assert arm.within_limits(answers.q).all() and (np.abs(answers.q - seed) <= 2 * np.pi).all()
    every = arm.solve_all(T, turns="all")
    assert len(every) > len(answers) and arm.within_limits(every.q).all()
    assert np.abs(arm.forward(every.q) - T).max() < 1e-10
    assert len(np.unique(np.round(every.q, 6), axis=0)) == len(every)
    with pytest.raises(lk.BadOption, match="infinitely many"):
        arm.solve_all(T, turns="all", limits=False)


def test_the_answer_is_the_closest_posture():
    rng = np.random.default_rng(0)
    for name in ("puma560", "ur5", "kr6", "scara"):
        arm = lk.load(name)
        for q, seed in zip(arm.sample(rng, 100), arm.sample(rng, 100), strict=True):
            T = arm.forward(q)
            answer, every = arm.solve(T, seed=seed), arm.solve_all(T, seed=seed)
            assert answer.ok and np.abs(answer.q - seed).max() == np.abs(every.q - seed).max(axis=1).min()


def test_a_branch_keeps_its_number_along_a_motion_without_singularity():
    for name in ("puma560", "ur5", "kr6", "human_arm_6"):
        arm, rng = lk.load(name), np.random.default_rng(2)
        for _ in range(10):
            q, v = arm.sample(rng), rng.normal(size=6)
            path = q + np.linspace(0, 0.3, 40)[:, None] * v
            det = np.linalg.det(arm.jacobian(path))
            own = []
            for k, p in enumerate(path):
                if k and det[k] * det[k - 1] <= 0:
                    break
                answers = arm.solve_all(arm.forward(p), limits=False)
                gap = closed_form.gaps(arm, answers.q, p)
                if gap.min() > 1e-6:
                    break
                own.append(int(answers.branches[gap.argmin()]))
            assert len(set(own)) <= 1


def test_a_branch_can_be_required():
    arm = lk.load("puma560")
    T = arm.forward(np.array([0.4, -0.8, 0.3, 0.5, 0.7, -0.2]))
    inside = {a.branch: a for a in arm.solve_all(T)}
    for branch in range(8):
        answer = arm.solve(T, branch=branch)
        if branch in inside:
            assert answer.ok and answer.branch == branch and np.array_equal(answer.q, inside[branch].q)
        else:
            assert answer.status == lk.Status.LIMITS and "outside the limits" in answer.why
            assert arm.solve(T, branch=branch, limits=False).branch == branch
    assert len(arm.branch_names) == 8 and arm.branch_names[0] == "shoulder+ elbow+ wrist+"


# ---- not reached, and singular ---------------------------------------------------------------------------------------


def test_unreachable_targets_are_proven():
    arm = lk.load("puma560")
    T = np.array(arm.forward(arm.home))
    for place, status in (([3.0, 0, 0], lk.Status.OUT_OF_REACH), ([0, 0, 0.02], lk.Status.OUT_OF_REACH)):
        T[:3, 3] = place
        answers = arm.solve_all(T)
        assert len(answers) == 0 and answers.status == status and not answers.ok and "no posture" in answers.why
    tight = arm.with_limits(arm.home - 0.01, arm.home + 0.01)
    answers = tight.solve_all(arm.forward(arm.home + 0.5))
    assert answers.status == lk.Status.LIMITS and answers.outside == 8 and "limit" in answers.why


@pytest.mark.parametrize(
    "name", ("puma560", "ur5", "human_arm_6", "spherical wrist", "RRP and wrist", "3, 4, 5 parallel")
)
def test_singularities(name):
    rng = seeded(name)
    arm = lk.load(name) if name in lk.CATALOGUE else STRUCTURES[name](rng)
    seen = closed_form.near_singularities(arm, rng, 12)
    assert seen.targets >= 100 and seen.empty == seen.not_exact == seen.wrongly_flagged == seen.missed == 0, seen
    assert seen.not_flagged == 0, seen


@pytest.mark.parametrize(("name", "seed"), [("4, 5, 6 parallel", 62), ("1, 2, 3 parallel", 200)])
def test_double_roots_are_flagged_where_an_outer_joint_hardly_counts(name, seed):
    rng = np.random.default_rng(seed)
    seen = closed_form.near_singularities(STRUCTURES[name](rng), rng, 4)
    assert seen.targets == 44 and seen.empty == seen.not_exact == seen.missed == 0, seen
    assert seen.not_flagged == seen.wrongly_flagged == 0, seen


def test_a_straight_wrist_is_a_family_that_keeps_the_seed():
    arm = lk.load("puma560")
    q = np.array([0.4, -0.8, 0.3, 0.5, 0.0, -0.2])
    seed = q + 0.1
    answers = arm.solve_all(arm.forward(q), seed=seed)
    flagged = answers.q[answers.families]
    assert len(flagged) and (np.abs(flagged[:, 3] - seed[3]) < 1e-12).any()
    assert np.abs(arm.forward(answers.q) - arm.forward(q)).max() < 1e-12


def test_a_family_finds_a_member_inside_the_limits():
    rng = np.random.default_rng(1)
    arm = lk.load("puma560").with_limits({"joint4": -0.6, "joint6": -0.6}, {"joint4": 0.6, "joint6": 0.6})
    for q in arm.sample(rng, 100):
        q[4] = 0.0
        T = arm.forward(q)
        assert arm.solve(T).ok and arm.solve_all(T).status == lk.Status.SOLVED


def test_scale_does_not_matter():
    arm = lk.load("ur5")
    big, rng = arm.scaled(1000.0), np.random.default_rng(0)
    for q in arm.sample(rng, 50):
        T = np.array(arm.forward(q))
        answers = arm.solve_all(T)
        T[:3, 3] *= 1000.0
        assert np.allclose(big.solve_all(T).q, answers.q, atol=1e-7)


def test_limits_are_kept_exactly():
    rng = np.random.default_rng(4)
    arm = lk.load("puma560")
    for q in arm.sample(rng, 60):
        j = int(rng.integers(6))
        q[j] = arm.upper[j] if rng.random() < 0.5 else arm.lower[j]
        answers = arm.solve_all(arm.forward(q))
        assert closed_form.gaps(arm, answers.q, q).min() <= 1e-7 and arm.within_limits(answers.q).all()


# ---- redundant arms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SWINGING)
def test_swivels(name):
    arm, rng = lk.load(name), seeded(name)
    assert arm.redundancy.kind == "swivel" and len(arm.redundancy.zero) == 3
    for q in arm.sample(rng, 60):
        T, swivel = arm.forward(q), arm.swivel(q)
        answers = arm.solve_all(T, swivel=swivel)
        assert closed_form.gaps(arm, answers.q, q).min() <= 1e-6
        assert np.allclose(answers.swivels, swivel)
        ranges = arm.swivel_ranges(T)
        own = int(answers.branches[closed_form.gaps(arm, answers.q, q).argmin()])
        assert any((swivel - low) % (2 * np.pi) <= high - low + 1e-9 for low, high in ranges[own])
        every = arm.solve_all(T, seed=q)
        assert len(every) == sum(map(len, ranges.values())) and arm.within_limits(every.q).all()
        assert np.abs(arm.forward(every.q) - T).max() <= 1e-9
        for a in every:
            assert abs((arm.swivel(a.q) - every.swivels[every.branches == a.branch]).min()) < 7


@pytest.mark.parametrize("name", SWINGING)
def test_ranges_agree_with_samples(name):
    seen = closed_form.swivel_samples(lk.load(name), seeded(name), 20, 400, 1e-9)
    assert seen.misjudged == 0 and seen.inside > 0, seen


@pytest.mark.parametrize("seed", range(8))
def test_arms_with_skew_offsets_are_feasible_at_some_swivels_only(seed):
    rng = np.random.default_rng(seed)
    arm = random_srs_arm(rng)
    for one in (arm, arm.with_limits(-rng.uniform(1, 3, 7), rng.uniform(1, 3, 7))):
        assert one.redundancy.kind == "swivel"
        Q = one.sample(rng, 60)
        T = one.forward(Q)
        assert one.solve_batch(T).ok.all()
        for q, target in zip(Q[:20], T[:20], strict=True):
            swivel, ranges = one.swivel(q), one.swivel_ranges(target)
            assert any(
                (swivel - low + 1e-9) % (2 * np.pi) <= high - low + 2e-9 for r in ranges.values() for low, high in r
            )
            assert one.solve_all(target).status == lk.Status.SOLVED
    seen = closed_form.swivel_samples(one, rng, 10, 200, 1e-7)
    assert seen.misjudged == 0 and seen.inside > 0, seen
    T[:, :3, 3] += 100.0
    assert (arm.solve_batch(T[:4]).status == lk.Status.OUT_OF_REACH).all()


@pytest.mark.parametrize("name", SWINGING)
def test_a_row_of_a_batch_is_the_single_answer_whatever_precedes_it(name):
    arm, rng = lk.load(name), seeded(name)
    T, seeds = arm.forward(arm.sample(rng, 40)), arm.sample(rng, 40)
    T[0] = np.nan
    for given in (None, seeds[5], seeds):
        batch = arm.solve_batch(T, seeds=given, invalid="mark")
        for k in range(1, 40):
            seed = seeds[k] if given is seeds else given
            assert np.array_equal(batch.q[k], arm.solve(T[k], seed=seed).q)
