"""Laws of forward kinematics and Jacobians, for every kind of joint, chains and trees."""

import numpy as np
import pytest
from conftest import MOVING, random_chain, random_pose, random_tree, reference_forward, values_of

import limbik as lk

KINDS = [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC]


def chains(rng):
    """Yield chains of 1 to 12 and of 20 joints with one axis, then chains of every kind of joint."""
    for n in [*range(1, 13), 20]:
        yield random_chain(rng, [KINDS[rng.integers(2)] for _ in range(n)])
    for n in (1, 2, 3, 5):
        yield random_chain(rng, [MOVING[rng.integers(len(MOVING))] for _ in range(n)])


def test_forward_is_the_definition(rng):
    for arm in chains(rng):
        for q in arm.sample(rng, 5):
            for frame in arm.frames:
                expected = reference_forward(arm.model.mechanism, arm.base, frame, values_of(arm, q))
                assert np.abs(arm.forward(q, frame) - expected).max() <= 1e-13 * max(1, np.abs(expected).max())


def test_trees_with_mimics_follow_the_definition(rng):
    for size in (1, 4, 12, 40):
        figure = random_tree(rng, size)
        for q in figure.sample(rng, 3):
            poses = figure.model.forward_all(q)
            for k, frame in enumerate(figure.frames):
                expected = reference_forward(figure.model.mechanism, figure.base, frame, values_of(figure, q))
                bound = 1e-12 * max(1, np.abs(expected).max())
                assert np.abs(figure.forward(q, frame) - expected).max() <= bound
                assert np.abs(poses[k] - expected).max() <= bound


def finite_differences(body, q, frame, step=1e-6):
    """Return the Jacobian from poses alone, by central differences of `integrate` and `pose_error`."""
    columns = []
    for k in range(body.n):
        dq = np.zeros(body.n)
        dq[k] = step
        behind, ahead = (
            body.forward(body.model.integrate(q, -dq), frame),
            body.forward(body.model.integrate(q, dq), frame),
        )
        columns.append(lk.pose_error(behind, ahead) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("kind", MOVING)
def test_jacobian_by_finite_differences_for_each_kind(kind, rng):
    arm = random_chain(rng, [kind, lk.model.Kind.REVOLUTE, kind])
    for q in arm.sample(rng, 4):
        for frame in arm.frames:
            assert np.abs(arm.jacobian(q, frame) - finite_differences(arm, q, frame)).max() < 2e-8


def test_jacobian_by_finite_differences_on_trees_with_mimics(rng):
    figure = random_tree(rng, 15)
    for q in figure.sample(rng, 2):
        for frame in figure.frames:
            expected = finite_differences(figure, q, frame)
            assert np.abs(figure.jacobian(q, frame) - expected).max() < 1e-7 * max(1, np.abs(expected).max())


def bodies(rng):
    yield from chains(rng)
    yield random_tree(rng, 20)


def test_a_batch_row_is_the_single_call_bit_for_bit(rng):
    for body in bodies(rng):
        frame = body.frames[-1]
        Q = body.sample(rng, 37)
        T, J = body.forward_jacobian(Q, frame)
        everything = body.model.forward_all(Q)
        for k, q in enumerate(Q):
            t, j = body.forward_jacobian(q, frame)
            assert np.array_equal(T[k], t) and np.array_equal(J[k], j)
            assert np.array_equal(T[k], body.forward(q, frame)) and np.array_equal(J[k], body.jacobian(q, frame))
            assert np.array_equal(everything[k], body.model.forward_all(q))


def test_threads_and_neighbours_do_not_change_a_bit(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 7)
    Q = arm.sample(rng, 10_001)
    T, J = arm.forward_jacobian(Q, threads=1)
    for threads in (0, 2, 3, 8):
        t, j = arm.forward_jacobian(Q, threads=threads)
        assert np.array_equal(T, t) and np.array_equal(J, j)
    shuffled = rng.permutation(len(Q))
    assert np.array_equal(arm.forward(Q[shuffled]), T[shuffled])


def test_batch_axes_of_any_shape(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 3)
    Q = arm.sample(rng, (2, 5, 4))
    assert arm.forward(Q).shape == (2, 5, 4, 4, 4)
    assert arm.jacobian(Q).shape == (2, 5, 4, 6, 3)
    assert arm.model.forward_all(Q).shape == (2, 5, 4, len(arm.frames), 4, 4)
    assert np.array_equal(arm.forward(Q).reshape(-1, 4, 4), arm.forward(Q.reshape(-1, 3)))
    empty = np.zeros((0, 3))
    assert arm.forward(empty).shape == (0, 4, 4) and arm.jacobian(empty).shape == (0, 6, 3)


def test_a_chain_from_any_frame_to_any_other(rng):
    figure = random_tree(rng, 1)
    while len(figure.tips) < 2 or any(j.kind.size not in (0, 1) for j in figure.model.mechanism.joints):
        figure = random_tree(rng, 6)
    q_all = figure.sample(rng)
    for base in figure.frames:
        for tip in figure.frames:
            arm = lk.Chain(figure.model.mechanism, base, tip)
            q = np.array([q_all[figure.joint_names.index(name)] for name in arm.joint_names])
            expected = np.linalg.inv(figure.forward(q_all, base)) @ figure.forward(q_all, tip)
            assert np.abs(arm.forward(q) - expected).max() <= 1e-12 * max(1, np.abs(expected).max())
            if arm.n:
                assert np.abs(arm.jacobian(q) - finite_differences(arm, q, tip)).max() < 1e-6


def test_integrate_and_difference_are_inverse(rng):
    for body in bodies(rng):
        q0, q1 = body.sample(rng, 8), body.sample(rng, 8)
        dq = body.model.difference(q0, q1)
        again = body.model.integrate(q0, dq)
        frames = body.model.forward_all(again), body.model.forward_all(q1)
        assert np.abs(frames[0] - frames[1]).max() < 1e-11 * max(1, np.abs(frames[1]).max())
        assert np.abs(body.model.difference(q0, q0)).max() < 1e-15
        small = rng.normal(scale=0.1, size=q0.shape)
        assert np.abs(body.model.difference(q0, body.model.integrate(q0, small)) - small).max() < 1e-12


def test_a_continuous_joint_takes_the_shorter_arc():
    arm = random_chain(np.random.default_rng(0), [lk.model.Kind.CONTINUOUS, lk.model.Kind.REVOLUTE])
    assert np.allclose(arm.model.difference([3.0, 0.0], [-3.0, 0.0]), [2 * np.pi - 6.0, 0.0])
    assert np.allclose(arm.model.difference([0.0, 3.0], [0.0, -3.0]), [0.0, -6.0])


def test_large_angles_are_exact(rng):
    arm = random_chain(rng, [lk.model.Kind.CONTINUOUS] * 6)
    for q in rng.uniform(-1e7, 1e7, (20, 6)):
        wrapped = np.arctan2(np.sin(q), np.cos(q))
        assert np.abs(arm.forward(q) - arm.forward(wrapped)).max() < 1e-13 * max(1, arm.reach)


def test_scaling_a_chain_scales_positions_only(rng):
    arm = random_chain(
        rng, [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC, lk.model.Kind.REVOLUTE, lk.model.Kind.BALL]
    )
    big = arm.scaled(1000.0)
    q = arm.sample(rng)
    q_big = np.array(q)
    q_big[arm.joint_names.index("j2")] *= 1000
    T, T_big = arm.forward(q), big.forward(q_big)
    assert np.abs(T_big[:3, :3] - T[:3, :3]).max() < 1e-14
    assert np.abs(T_big[:3, 3] / 1000 - T[:3, 3]).max() < 1e-13 * max(1, np.abs(T).max())
    assert big.reach == pytest.approx(1000 * arm.reach, rel=1e-12)


def test_changed_copies(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 5)
    q, T, B = arm.sample(rng), random_pose(rng), random_pose(rng)
    assert np.abs(arm.with_tool(T).forward(q) - arm.forward(q) @ T).max() < 1e-13
    assert np.abs(arm.with_base(B).forward(q) - B @ arm.forward(q)).max() < 1e-13
    twice = arm.with_tool(T).with_tool(B).with_base(T)
    assert np.abs(twice.forward(q) - T @ arm.forward(q) @ T @ B).max() < 1e-12
    rest = np.delete(q, 2)
    frozen = arm.with_frozen({"j3": q[2]})
    assert frozen.n == 4 and "j3" not in frozen.joint_names
    assert np.abs(frozen.forward(rest) - arm.forward(q)).max() < 1e-13
    assert np.abs(frozen.jacobian(rest) - np.delete(arm.jacobian(q), 2, axis=1)).max() < 1e-13
    limited = arm.with_limits(-9.5, {"j1": 9.25})
    assert limited.lower.tolist() == [-9.5] * 5 and limited.upper[0] == 9.25 and limited.upper[1] == arm.upper[1]


def test_no_posture_exceeds_the_reach(rng):
    for arm in chains(rng):
        if any(j.kind is lk.model.Kind.FLOATING for j in arm.model.mechanism.joints):
            continue
        q = arm.sample(rng, 500)
        assert np.linalg.norm(arm.forward(q)[:, :3, 3], axis=1).max() <= arm.reach * (1 + 1e-14)


def test_the_reach_is_tight_on_stretched_arms():
    straight = lk.Chain.from_dh([(1, 0, 0, 0), (2, 0, 0, 0), (3, 0, 0, 0)])
    assert straight.reach == pytest.approx(6, rel=1e-12)
    # Offsets along parallel axes cancel: the reach depends on the links alone.
    zigzag = lk.Chain.from_dh([(1, 0, 5, 0), (2, 0, -9, 0), (3, 0, 4, 0)])
    assert zigzag.reach == pytest.approx(6, rel=1e-3)
