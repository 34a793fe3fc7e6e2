"""Tables of postures: their candidates lead to every posture of a target, verified, for chains of every kind."""

import pickle
import threading
from functools import cache

import numpy as np
import pytest

import limbik as lk
from limbik.formats.content.content import Content
from limbik.solvers.all_postures import reachable
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.finder import lookup, starts

# Number of samples of the small tables of these tests, and the share of other postures that they must find.
FEW, KNOWN = 60_000, 0.97


@cache
def table(name: str) -> Content:
    return lk.build_table(lk.load(name), samples=FEW, bins=4)


def with_table(name: str) -> lk.Chain:
    return lk.load(name).with_table(table(name))


def gap(arm: lk.Chain, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    turns = np.isin([str(j.kind) for j in arm.model.mechanism.joints if j.kind.size], ["revolute", "continuous"])
    return np.abs(np.where(turns, np.remainder(a - b + np.pi, 2 * np.pi) - np.pi, a - b)).max(axis=-1)


def verified(arm: lk.Chain, q: np.ndarray, T: np.ndarray) -> bool:
    position, rotation = np.split(lk.pose_error(arm.forward(q), T), 2, axis=-1)
    return bool((np.linalg.norm(position, axis=-1) <= 1e-8).all() and (np.linalg.norm(rotation, axis=-1) <= 1e-8).all())


@pytest.mark.parametrize("name", ("puma560", "jaco2", "ur5", "kr6"))
def test_random_postures_are_found_and_all_that_is_found_is_verified(name):
    arm = with_table(name)
    rng = np.random.default_rng(4)
    q = arm.sample(rng, 400)
    T = arm.forward(q)
    solver = solver_set(arm.model).table
    found = 0
    for one, target in zip(q, T, strict=True):
        answers = solver.solve_all(target, one)
        assert answers.method == "table"
        if len(answers):
            assert verified(arm, answers.q, target) and arm.within_limits(answers.q).all()
            near = gap(arm, answers.q, one)
            found += near.min() < 1e-5
            apart = [gap(arm, answers.q[k], answers.q[:k]).min() for k in range(1, len(answers))]
            assert min(apart, default=1.0) > 1e-7
    assert found >= KNOWN * len(q), (name, found)


@pytest.mark.parametrize("name", ("puma560", "ur5"))
def test_every_posture_is_one_of_the_closed_form(name):
    arm = with_table(name)
    for target in arm.forward(arm.sample(np.random.default_rng(5), 200)):
        exact = arm.solve_all(target)
        assert exact.method == "closed_form"
        for q in solver_set(arm.model).table.solve_all(target, None).q:
            assert gap(arm, exact.q, q).min() < 1e-4


def test_valid_and_prefer_choose_among_what_the_table_gives():
    arm = with_table("jaco2")
    target = arm.forward(arm.sample(np.random.default_rng(8)))
    every = arm.solve_all(target)
    best = arm.solve(target, prefer=lambda q: q[1])
    assert best.q[1] == every.q[:, 1].max()
    other = arm.solve(target, valid=lambda q: not np.array_equal(q, arm.solve(target).q))
    assert other.ok and not np.array_equal(other.q, arm.solve(target).q)


def test_batches_of_all_postures_hold_what_single_calls_give():
    arm = with_table("jaco2")
    targets = arm.forward(arm.sample(np.random.default_rng(9), 50))
    batch = arm.solve_all_batch(targets, threads=2)
    for k, target in enumerate(targets):
        answers = solver_set(arm.model).table.solve_all(target, None)
        assert batch.count[k] == len(answers) and np.array_equal(batch.q[k, : len(answers)], answers.q)


def test_reachable_takes_one_pose_and_many():
    for arm in (with_table("jaco2"), lk.load("panda"), lk.load("puma560")):
        targets = np.array(arm.forward(arm.sample(np.random.default_rng(10), 20)))
        targets[3, :3, 3] += 10.0
        found = reachable(arm.model, targets)
        assert found.tolist() == [k != 3 for k in range(20)]
        assert [reachable(arm.model, target) for target in targets] == found.tolist()
        assert reachable(arm.model, np.empty((0, 4, 4))).shape == (0,)


def test_a_map_of_the_reach_is_empty_beyond_it():
    arm = with_table("jaco2")
    found = lk.reach_map(arm, points=9, orientations=8)
    far = np.hypot(found.x[:, None], found.z[None]) > arm.reach
    assert found.share.shape == (9, 9) and (found.share[far] == 0).all() and found.share.max() > 0.5


def test_a_table_contains_valid_postures_only():
    arm = lk.load("jaco2")

    def high(q):
        return q[:, 1] > np.pi

    table = lk.build_table(arm, samples=20_000, valid=high)
    models = table.arrays["models"].reshape(-1, 4)
    assert len(models) > 500 and (models[:, 0] > np.pi - 1e-6).all()
    assert "high" in table.settings["valid"]


def test_the_same_settings_give_the_same_bytes_and_another_seed_others():
    arm = lk.load("puma560")
    one, same, other = (lk.build_table(arm, samples=5000, seed=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(one.arrays[name], same.arrays[name]) for name in one.arrays)
    assert any(not np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)


def test_a_file_a_pickle_and_a_thread_give_the_same_answers(tmp_path):
    arm = lk.load("jaco2")
    file = tmp_path / "jaco2.table"
    lk.build_table(arm, file, samples=20_000)
    assert not (tmp_path / "jaco2.table.parts").exists()
    first = arm.with_table(file)
    assert first == arm and len(first.table.content.arrays) and "table" not in arm.model.attachments
    with pytest.raises(lk.BadOption, match="with_table"):
        _ = arm.table
    target = arm.forward(arm.sample(np.random.default_rng(12)))
    expected = first.solve_all(target)
    assert pickle.loads(pickle.dumps(first)).solve_all(target) == expected
    in_memory = arm.with_table(first.table.content)
    assert pickle.loads(pickle.dumps(in_memory)).solve_all(target) == expected
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(first.solve_all(target) == expected)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 4


@pytest.mark.parametrize("name", ("panda", "iiwa7", "human_arm_7"))
def test_a_redundant_arm_is_solved_by_a_table_too(name):
    arm = with_table(name)
    targets = arm.forward(arm.sample(np.random.default_rng(13), 100))
    answers = [arm.solve(target, method="table") for target in targets]
    assert all(a.ok and verified(arm, a.q, target) for a, target in zip(answers, targets, strict=True))
    assert sum(a.attempt <= 0 for a in answers) >= 90  # from the table, or from a seed that is near


def test_arms_of_unusual_kinds_get_tables():
    rng = np.random.default_rng(14)
    for kinds in ("RRRRR", "PRRRRR", "RPRRRR", "RRRRRP", "RRRR", "PPPRRR", "RRP"):
        rows = [
            (*rng.uniform(-0.4, 0.4, 1), *rng.choice([0, np.pi / 2, -np.pi / 2, 1.1], 1), *rng.uniform(-0.4, 0.4, 1), 0.0,
             "revolute" if kind == "R" else "prismatic", -2.5 if kind == "R" else -0.4, 2.5 if kind == "R" else 0.4)
            for kind in kinds
        ]  # fmt: skip
        arm = lk.Chain.from_dh(rows)
        made = arm.with_table(lk.build_table(arm, samples=20_000))
        q = arm.sample(rng, 60)
        targets = arm.forward(q)
        answers = [solver_set(made.model).table.solve_all(target, one) for one, target in zip(q, targets, strict=True)]
        assert all(verified(arm, a.q, target) for a, target in zip(answers, targets, strict=True) if len(a))
        assert sum(len(a) > 0 for a in answers) >= 40, kinds
        assert all(a.ok for a in made.solve_batch(targets, method="table")), kinds


@pytest.mark.parametrize("name", ("jaco2", "puma560"))
def test_singular_targets_give_no_nan(name):
    arm = with_table(name)
    rng = np.random.default_rng(15)
    for _ in range(60):
        q = np.where(rng.random(arm.n) < 0.5, rng.choice([0, np.pi / 2, np.pi, -np.pi / 2], arm.n), arm.sample(rng))
        target = arm.forward(arm.clamp(q))
        answers = solver_set(arm.model).table.solve_all(target, None)
        assert np.isfinite(answers.q).all() and (not len(answers) or verified(arm, answers.q, target))


@pytest.mark.parametrize("name", ("puma560", "kr6", "human_arm_6"))
@pytest.mark.parametrize("steps", (0, 1, 3))
def test_a_quick_look_up_returns_its_position_error(name, steps):
    arm = with_table(name)
    targets = arm.forward(arm.sample(np.random.default_rng(16), 203))
    q, error, begin = arm.table.look_up(targets, steps)
    assert begin[0] == 0 and begin[-1] == len(q) == len(error) and (np.diff(begin) >= 0).all()
    meant = np.repeat(targets, np.diff(begin), axis=0)
    off = lk.pose_error(arm.forward(q), meant)
    assert np.abs(np.linalg.norm(off[:, :3], axis=1) - error).max() < 1e-12 and np.abs(off[:, 3:]).max() < 1e-9
    assert arm.within_limits(q).all() and error.max() <= 1e-3 * lookup(arm.model).scale
    exact = arm.solve_all_batch(targets)
    share = 0.85 if steps == 0 else 0.95  # without a step some are farther off than the tolerance
    near = sum(
        gap(arm, q[begin[k] : begin[k + 1]], posture).min(initial=9.0) < 0.1
        for k in range(len(targets))
        for posture in exact.q[k, : exact.count[k]]
    )
    assert near >= share * exact.count.sum()
    if steps == 3:
        assert np.quantile(error, 0.9) < 1e-9
    one, error_one, _ = arm.table.look_up(targets[5:6], steps)
    assert np.array_equal(one, q[begin[5] : begin[6]]) and np.array_equal(error_one, error[begin[5] : begin[6]])


def test_a_quick_look_up_needs_a_wrist_and_rigid_targets():
    arm = with_table("puma560")
    assert arm.table.look_up(np.empty((0, 4, 4)))[0].shape == (0, 6)
    for wrong in (np.eye(4), np.ones((2, 3)), np.full((1, 4, 4), np.nan)):
        with pytest.raises((lk.ShapeError, lk.NotRigid, lk.NotFinite)):
            arm.table.look_up(wrong)
    with pytest.raises(lk.BadOption, match="steps"):
        arm.table.look_up(np.eye(4)[None], -1)
    with pytest.raises(lk.BadOption, match="wrist"):
        with_table("jaco2").table.look_up(np.eye(4)[None])
    with pytest.raises(lk.BadOption, match="no table"):
        lk.load("puma560").table.look_up(np.eye(4)[None])


# ---- misuse ----------------------------------------------------------------------------------------------------------


def test_misuse_is_reported():
    arm = lk.load("jaco2")
    with pytest.raises(lk.BadOption, match="no table"):
        arm.solve(np.eye(4), method="table")
    with pytest.raises(lk.BadOption, match="limits"):
        with_table("jaco2").solve(np.eye(4), method="table", limits=False)
    with pytest.raises(lk.BadFile, match="another robot"):
        lk.load("ur5").with_table(table("jaco2"))
    with pytest.raises(lk.BadOption, match="name of a file"):
        arm.with_table(3)
    with pytest.raises(lk.errors.FileUnreadable):
        arm.with_table("nowhere.table")
    with pytest.raises(lk.BadOption, match="chain"):
        lk.build_table(lk.load("human"))
    with pytest.raises(lk.BadOption, match="joints"):
        lk.build_table(lk.load("human_arm_8"))
    with pytest.raises(lk.BadOption, match="path"):
        lk.build_table(arm, workers=2)
    for wrong in ({"samples": 0}, {"bins": 0}, {"bins": [3]}, {"order": 3}, {"deepest": -1}, {"tolerance": 0}, {"seed": -1},
                  {"colour": 1}, {"samples": 2.5}, {"tolerance": float("nan")}, {"design": ["x"]}, {"design": "other"},
                  {"design": "cells", "per_cell": "abc"}, {"design": "cells", "reach": float("nan")},
                  {"design": "cells", "inclination": 3}, {"design": "cells", "wrist": 1}):  # fmt: skip
        with pytest.raises(lk.BadOption):
            lk.build_table(arm, **wrong)
    for wrong in ({"y": "x"}, {"y": float("nan")}, {"seed": -1}, {"points": 0}, {"orientations": 1.5}):
        with pytest.raises((lk.BadOption, lk.errors.NotNumeric)):
            lk.reach_map(arm, **wrong)
    with pytest.raises(lk.BadOption, match="chain"):
        lk.reach_map(lk.load("human"))


def test_a_table_cannot_be_changed_behind_the_back_of_the_core():
    arm = lk.load("puma560")
    made = lk.build_table(arm, samples=2000)
    chain = arm.with_table(made)
    target = arm.forward(np.full(6, 0.3))
    expected = chain.solve(target, method="table")
    for array in made.arrays.values():
        array[...] = 10**9
    assert chain.solve(target, method="table") == expected
    for array in chain.table.content.arrays.values():
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_predicates_of_one_name_are_distinguished(tmp_path):
    arm = lk.load("puma560")

    def stop(done, total, stage):
        if stage.startswith("fitting"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lk.build_table(arm, tmp_path / "a.table", samples=3000, valid=lambda q: q[:, 1] > -1, progress=stop)
    mixed = lk.build_table(arm, tmp_path / "a.table", samples=3000, valid=lambda q: q[:, 1] < -1)
    clean = lk.build_table(arm, samples=3000, valid=lambda q: q[:, 1] < -1)
    assert all(np.array_equal(mixed.arrays[name], clean.arrays[name]) for name in clean.arrays)
    for wrong in (5, lambda q: True, lambda q: np.ones(3, bool), lambda q: q[:, 0]):
        with pytest.raises(lk.BadOption, match="valid"):
            lk.build_table(arm, samples=1000, valid=wrong)


@pytest.mark.parametrize("offset", (1e-6, 1e-9, 1e-10, 1e-12, 0.0))
def test_wrists_that_nearly_meet_lose_no_posture(offset):
    half = np.pi / 2
    rows = [(0.3, half, 0.2, 0, "prismatic", -0.5, 0.5), (0.5, 0.4, 0.1, 0), (0.2, half, 0.3, 0), (0.0, -half, 0.4, 0),
            (offset, half, 0, 0), (0, 0, 0.1, 0)]  # fmt: skip
    arm = lk.Chain.from_dh(rows)
    q = arm.sample(np.random.default_rng(17), 150)
    search = lookup(arm.model).solver(starts(arm.model))
    lost = sum(
        gap(arm, search.solve_all(T, None).q, one).min(initial=9.0) > 1e-5
        for T, one in zip(arm.forward(q), q, strict=True)
    )
    assert lost <= 1


def test_an_arm_with_a_distant_prismatic_joint_gets_a_table():
    rows = [(0, 0, 0, 0, "prismatic", 2e6, 2e6 + 1), (0.5, 0.4, 0.1, 0), (0.4, np.pi / 2, 0, 0), (0.2, 1.0, 0.1, 0)]
    arm = lk.Chain.from_dh(rows)
    assert arm.with_table(lk.build_table(arm, samples=2000)).table is not None
