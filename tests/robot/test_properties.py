"""Laws that hold for all numbers: hypothesis searches for counterexamples."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.formats.urdf import write_urdf
from limbik.geometry.se3 import from_rpy, rpy_of

ANGLES = st.floats(-10, 10)
LENGTHS = st.floats(-5, 5)
ROWS = st.lists(
    st.tuples(LENGTHS, ANGLES, LENGTHS, ANGLES, st.sampled_from(["revolute", "prismatic", "continuous"])),
    min_size=1,
    max_size=9,
)
VECTORS = st.tuples(*[st.floats(-3.1, 3.1)] * 3)

laws = settings(max_examples=150, deadline=None)


@laws
@given(ROWS, st.sampled_from(["standard", "modified"]), st.data())
def test_a_chain_is_the_product_of_its_parts(rows, convention, data):
    arm = lk.Chain.from_dh(rows, convention)
    q = data.draw(st.lists(ANGLES, min_size=arm.n, max_size=arm.n))
    first = lk.Chain.from_dh(rows[:1], convention)
    T = first.forward(q[:1])
    if len(rows) > 1:
        T = T @ lk.Chain.from_dh(rows[1:], convention).forward(q[1:])
    assert np.abs(arm.forward(q) - T).max() <= 1e-12 * max(1.0, np.abs(T).max())
    R = arm.forward(q)[:3, :3]
    assert np.abs(R.T @ R - np.eye(3)).max() < 1e-13


@laws
@given(ROWS, st.data())
def test_a_row_of_a_batch_is_the_single_call(rows, data):
    arm = lk.Chain.from_dh(rows)
    Q = np.array(data.draw(st.lists(st.lists(ANGLES, min_size=arm.n, max_size=arm.n), min_size=1, max_size=11)))
    T, J = arm.forward_jacobian(Q)
    for k, q in enumerate(Q):
        assert np.array_equal(T[k], arm.forward(q)) and np.array_equal(J[k], arm.jacobian(q))


@laws
@given(ROWS)
def test_a_written_urdf_reads_back(rows):
    arm = lk.Chain.from_dh(rows)
    again = lk.load(write_urdf(arm.model.mechanism), tip=arm.tip)
    q = np.linspace(-1, 1, arm.n)
    T = arm.forward(q)
    assert again.joint_names == arm.joint_names
    assert np.abs(again.forward(q) - T).max() <= 1e-12 * max(1.0, np.abs(T).max())


@laws
@given(VECTORS, st.one_of(st.just(math.pi / 2), st.just(-math.pi / 2), ANGLES))
def test_roll_pitch_yaw_round_trip(rpy, pitch):
    T = from_rpy((0, 0, 0), (rpy[0], pitch, rpy[2]))
    assert np.abs(from_rpy((0, 0, 0), rpy_of(T)) - T).max() < 1e-15 * 8


@laws
@given(VECTORS, VECTORS)
def test_the_rotation_error_leads_to_the_target(a, b):
    A, B = np.eye(4), np.eye(4)
    A[:3, :3], B[:3, :3] = Rotation.from_rotvec(a).as_matrix(), Rotation.from_rotvec(b).as_matrix()
    w = lk.pose_error(A, B)[3:]
    assert np.linalg.norm(w) <= math.pi + 1e-15
    assert np.abs(Rotation.from_rotvec(w).as_matrix() @ A[:3, :3] - B[:3, :3]).max() < 1e-14


@laws
@given(VECTORS, VECTORS)
def test_balls_move_along_velocities_and_back(q, dq):
    ball = lk.Chain(
        lk.model.Mechanism(
            "b", (lk.model.Link("o"), lk.model.Link("e")), (lk.model.Joint("b", lk.model.Kind.BALL, "o", "e"),)
        )
    )
    moved = ball.model.integrate(q, dq)
    expected = Rotation.from_rotvec(q) * Rotation.from_rotvec(dq)
    assert np.abs(ball.forward(moved)[:3, :3] - expected.as_matrix()).max() < 1e-14
    assert (
        np.abs(ball.forward(ball.model.integrate(q, ball.model.difference(q, moved))) - ball.forward(moved)).max()
        < 1e-14
    )


@settings(max_examples=60, deadline=None)
@given(ROWS, st.data())
def test_a_solve_never_contradicts_forward_kinematics(rows, data):
    arm = lk.Chain.from_dh([(*row, -3.0, 3.0) for row in rows])
    q = data.draw(st.lists(st.floats(-3, 3), min_size=arm.n, max_size=arm.n))
    T = np.array(arm.forward(q))
    T[:3, 3] += data.draw(st.sampled_from([0.0, 0.0, 1e-3, 30.0]))
    answer = arm.solve(T)
    position, rotation = np.split(lk.pose_error(arm.forward(answer.q), answer.target), 2)
    assert abs(np.linalg.norm(position) - answer.position_error) < 1e-9 * max(1, arm.reach)
    assert abs(np.linalg.norm(rotation) - answer.rotation_error) < 1e-7
    assert arm.within_limits(answer.q)
    assert answer.ok == (answer.position_error <= max(1e-8, 1e-9 * arm.reach) and answer.rotation_error <= 1e-8)
