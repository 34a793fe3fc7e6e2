"""One posture of a target by a table: batches equal single calls, and answers of other methods do not change."""

from functools import cache

import numpy as np
import pytest

import limbik as lk
from limbik.formats.content.content import Content

FEW = 60_000
FORMLESS = ("jaco2", "k1207")


@cache
def table(name: str) -> Content:
    return lk.build_table(lk.load(name), samples=FEW, bins=4)


def with_table(name: str) -> lk.Chain:
    return lk.load(name).with_table(table(name))


def targets_of(arm: lk.Chain, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Poses in the limits, every eighth moved out to the edge of the reach, and postures of the poses."""
    q = arm.sample(np.random.default_rng(seed), count)
    T = np.array(arm.forward(q))
    T[::8, :3, 3] *= 0.97 * arm.reach / np.linalg.norm(T[::8, :3, 3], axis=1, keepdims=True)
    return T, q


@pytest.mark.parametrize("name", FORMLESS)
def test_a_table_changes_no_answer_of_other_methods(name):
    # the same work, so the same time: one posture is found sooner without a look-up
    arm, plain = with_table(name), lk.load(name)
    T, q = targets_of(plain, 200, 1)
    for seeds in (None, q + 0.1):
        ours, theirs = arm.solve_batch(T, seeds), plain.solve_batch(T, seeds)
        assert ours.method == "lm" and all(a == b for a, b in zip(ours, theirs, strict=True))
        assert arm.solve(T[3], None if seeds is None else seeds[3]) == theirs[3]


@pytest.mark.parametrize("name", (*FORMLESS, "puma560"))
@pytest.mark.parametrize("threads", (1, 2, 3))
def test_rows_of_a_batch_are_single_calls_bit_for_bit(name, threads):
    arm = with_table(name)
    T, q = targets_of(arm, 1100 if name == "jaco2" else 60, 2)
    rng = np.random.default_rng(3)
    mixed = np.where(np.arange(len(q))[:, None] % 2, q + rng.uniform(-0.1, 0.1, q.shape), arm.sample(rng, len(q)))
    for seeds in (None, q[0], mixed):
        batch = arm.solve_batch(T, seeds, threads=threads, method="table")
        for k in range(0, len(T), 7):
            one = arm.solve(T[k], seeds if seeds is None or seeds.ndim == 1 else seeds[k], method="table")
            assert one == batch[k] and one.why == batch[k].why and one.method == "table"
        assert batch.ok[np.arange(len(T)) % 8 != 0].all()
    assert len(arm.solve_batch(np.empty((0, 4, 4)), method="table")) == 0
    T[5] = 0.0
    marked = arm.solve_batch(T[:10], method="table", invalid="mark")
    assert marked.status[5] == lk.Status.INVALID and marked.ok[6]


def test_a_batch_takes_the_options_of_single_calls():
    arm = with_table("jaco2")
    T, q = targets_of(arm, 24, 4)
    for options in (
        {"weights": (1.0, 0.2)},
        {"position_tolerance": 1e-5},
        {"prefer": "limits"},
        {"valid": lambda q: q[1] > np.pi},
    ):
        batch = arm.solve_batch(T, q, method="table", **options)
        assert all(arm.solve(t, s, method="table", **options) == a for t, s, a in zip(T, q, batch, strict=True))
    with pytest.raises(lk.BadOption, match="limits"):
        arm.solve_batch(T, method="table", limits=False)
    with pytest.raises(lk.BadOption, match="no table"):
        lk.load("jaco2").solve_batch(T, method="table")


def test_a_good_seed_comes_before_the_table_and_a_far_one_after_it():
    arm = with_table("jaco2")
    q = arm.sample(np.random.default_rng(5), 300)
    T = arm.forward(q)
    near = arm.solve_batch(T, q + 0.02, method="table")
    assert near.ok.all() and (near.attempt == 0).mean() > 0.99
    assert np.abs(near.q - q)[np.linalg.cond(arm.jacobian(q)) < 50].max() < 0.5
    assert "from the seed" in near[0].why and "table" in near[0].why
    far = arm.solve_batch(T, method="table")
    looked_up = far.attempt < 0
    assert far.ok.all() and looked_up.mean() > 0.8
    assert all("look-up in the table" in a.why for a in far[looked_up])
    assert far.steps.mean() < 0.8 * lk.load("jaco2").solve_batch(T).steps.mean()


def test_targets_missing_from_a_table_are_left_to_attempts():
    arm = lk.load("jaco2")
    poor = arm.with_table(lk.build_table(arm, samples=3))
    targets = arm.forward(arm.sample(np.random.default_rng(7), 40))
    answers = [poor.solve(target, method="table") for target in targets]
    assert all(a.ok and a.method == "table" for a in answers)
    assert any("no candidate of the table converged" in a.why and a.attempt > 0 for a in answers)
    assert all(poor.solve_all(target).ok for target in targets)
    far = np.array(targets[0])
    far[:3, 3] *= 20
    assert poor.solve(far, method="table").status == lk.Status.OUT_OF_REACH
    batch = poor.solve_batch(targets, method="table")
    assert all(batch[k] == a and batch[k].why == a.why for k, a in enumerate(answers))
