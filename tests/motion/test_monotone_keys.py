"""Keys are not overshot: between two keys inside the limits every posture is inside, for any interpolation."""

import numpy as np
import pytest
from conftest import random_chain, random_tree
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.model.monotone import limited_slopes, limited_vectors, monotone_slopes, parabolic_slopes
from limbik.studio.session import Session

DEG = np.pi / 180


def dense(clip, count=400):
    return np.linspace(clip.times[0], clip.times[-1], count)


def test_an_elbow_keyed_straight_twice_never_bends_backwards():
    figure = lk.load("human")
    q = np.zeros((3, figure.n))
    elbow = figure.joint_names.index("leftLowerArm_x")
    q[2, elbow] = 125 * DEG
    clip = lk.Clip(figure, q, [0.0, 1.0, 2.0], interpolation="cubic")
    angles = clip.at(dense(clip))[:, elbow]
    assert angles.min() == 0.0 and angles.max() == 125 * DEG and (np.diff(angles) >= 0).all()
    assert figure.within_limits(clip.at(dense(clip))).all()


def test_the_studios_keys_are_not_overshot():
    session = Session(lk.load("human"))
    elbow = session.robot.joint_names.index("leftLowerArm_x")
    for time, angle in ((0.0, 0.0), (1.0, 0.0), (2.0, 125 * DEG)):
        q = np.array(session.q)
        q[elbow] = angle
        session.set_q(q)
        session.set_key(time)
    assert session.state.timeline.interpolation == "cubic"
    for time in np.linspace(0, 2, 81):
        session.scrub(float(time))
        assert 0.0 <= session.q[elbow] <= 125 * DEG


@pytest.mark.parametrize("name", ["human", "panda", "gantry", "scara", "human_arm_8"])
@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_postures_between_keys_inside_the_limits_are_inside(name, kind, rng):
    body = lk.load(name)
    times = np.cumsum(10 ** rng.uniform(-2, 0.5, 30))
    clip = lk.Clip(body, body.sample(rng, 30), times, interpolation=kind)
    assert body.within_limits(clip.q).all()
    at = np.concatenate([dense(clip, 2000), np.nextafter(times, -np.inf)[1:], np.nextafter(times, np.inf)[:-1]])
    assert body.within_limits(clip.at(at)).all()


def balls(swing, twist):
    """A chain of two balls with cones about skew axes."""
    axes = ([0.0, 0.6, 0.8], [1.0, 0.0, 0.0])
    links = [lk.model.Link(f"l{k}") for k in range(3)]
    joints = [lk.model.Joint(f"j{k}", lk.model.Kind.BALL, f"l{k}", f"l{k + 1}", axis=np.array(axes[k]), swing=swing, twist=twist)
              for k in range(2)]  # fmt: skip
    return lk.Chain(lk.model.Mechanism("balls", links, joints))


@pytest.mark.parametrize(
    ("swing", "twist"), [(0.5, (-0.2, 1.0)), (1.4, (-0.3, 0.3)), (2.9, (-3.0, 0.1)), (np.inf, (0.1, 0.2))]
)
@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_balls_stay_inside_their_swing_and_twist(swing, twist, kind, rng):
    body = balls(swing, twist)
    clip = lk.Clip(body, body.sample(rng, 40), rate=5, interpolation=kind)
    assert body.within_limits(clip.at(dense(clip, 3000))).all()
    np.testing.assert_array_equal(clip.at(clip.times), clip.q)


def test_keys_outside_the_limits_are_left_alone(rng):
    body = balls(0.5, (-0.2, 1.0))
    q = Rotation.random(8, random_state=rng).as_rotvec()
    clip = lk.Clip(body, np.concatenate([q, q], axis=1), rate=5, interpolation="cubic")
    np.testing.assert_array_equal(clip.at(clip.times), clip.q)
    assert np.abs(body.model.difference(clip.at(clip.times[1:] - 1e-9), clip.q[1:])).max() < 1e-6


def test_joints_with_one_axis_stay_between_the_two_keys_around_them(rng):
    chain = random_chain(rng, [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC, lk.model.Kind.REVOLUTE])
    clip = lk.Clip(chain, chain.sample(rng, 25), np.cumsum(10 ** rng.uniform(-2, 1, 25)), interpolation="cubic")
    for k in range(len(clip) - 1):
        between = clip.at(np.linspace(clip.times[k], clip.times[k + 1], 60))
        ways = np.diff(between, axis=0) * np.sign(clip.q[k + 1] - clip.q[k])
        assert (ways >= -1e-12).all()
        low, high = np.minimum(clip.q[k], clip.q[k + 1]), np.maximum(clip.q[k], clip.q[k + 1])
        assert (between >= low).all() and (between <= high).all()


def test_there_is_one_velocity_from_both_sides_on_every_kind_of_joint(rng):
    body = random_tree(rng, 8)
    q = np.cumsum(0.3 * rng.normal(size=(12, body.n)), axis=0)
    clip = lk.Clip(body, q, np.cumsum(rng.uniform(0.05, 0.5, 12)), interpolation="cubic")
    free = ~np.isfinite(body.lower)
    h, inner = 1e-6, clip.times[1:-1]
    before = body.model.difference(clip.at(inner - h), clip.at(inner)) / h
    after = body.model.difference(clip.at(inner), clip.at(inner + h)) / h
    scale = 1 + np.abs(clip.velocities).max()
    assert np.abs(before - after).max() < 2e-3 * scale and free.any()
    assert np.abs(after - clip.velocities[1:-1]).max() < 2e-3 * scale


def test_a_floating_body_does_not_sink_into_the_ground_between_keys():
    figure = lk.load("human")
    q = np.zeros((4, figure.n))
    q[:, 2] = [0, 1, 2, 3]
    q[3, 1] = 1.0
    clip = lk.Clip(figure, q, rate=1, interpolation="cubic")
    assert clip.at(dense(clip))[:, 1].min() == 0.0


def test_a_ball_that_rotates_about_one_axis_agrees_with_a_revolute_joint(rng):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    angles, times = rng.uniform(-1.4, 1.4, 12), np.cumsum(rng.uniform(0.1, 1, 12))
    ball = lk.Chain(
        lk.model.Mechanism(
            "ball", [lk.model.Link("a"), lk.model.Link("b")], [lk.model.Joint("j", lk.model.Kind.BALL, "a", "b")]
        )
    )
    q = lk.Clip(ball, angles[:, None] * axis, times, interpolation="cubic").at(np.linspace(times[0], times[-1], 300))
    slopes = monotone_slopes(angles[:, None], times)
    alone = CubicHermiteSpline(times, angles, slopes[:, 0])(np.linspace(times[0], times[-1], 300))
    np.testing.assert_allclose(q, alone[:, None] * axis, atol=1e-9)


def test_the_slopes_of_vectors_do_not_depend_on_the_axes(rng):
    h, secants = rng.uniform(0.1, 1, (9, 1)), rng.normal(size=(9, 3))
    R = Rotation.random(random_state=rng).as_matrix()
    slopes = parabolic_slopes(h, secants)
    np.testing.assert_allclose(
        limited_vectors(slopes @ R.T, secants @ R.T), limited_vectors(slopes, secants) @ R.T, atol=1e-12
    )
    along = secants[:, :1] * [1.0, 0, 0]
    ways = parabolic_slopes(h, along)
    np.testing.assert_allclose(limited_vectors(ways, along), limited_slopes(ways, along), atol=1e-12)


def test_slopes_meet_the_condition_for_monotone_cubics(rng):
    values, times = rng.normal(size=(50, 6)), np.cumsum(10 ** rng.uniform(-3, 1, 50))
    values[10:13] = values[10]  # a plateau
    slopes = monotone_slopes(values, times)
    secants = np.diff(values, axis=0) / np.diff(times)[:, None]
    for m in (slopes[:-1], slopes[1:]):
        part = np.divide(m, secants, out=np.zeros_like(m), where=secants != 0)
        assert (part >= 0).all() and (part <= 3 * (1 + 1e-12)).all() and (m[secants == 0] == 0).all()
    assert (slopes[11] == 0).all()
    rising = np.cumsum(rng.uniform(0.9, 1.1, (40, 1)), axis=0)  # slopes are not limited where it is not necessary
    even = np.arange(40.0)
    np.testing.assert_array_equal(
        monotone_slopes(rising, even), parabolic_slopes(np.ones((39, 1)), np.diff(rising, axis=0))
    )


def test_a_spline_in_a_file_overshoots_no_key_either(tmp_path):
    arm = lk.load("ur5")
    q = np.zeros((4, arm.n))
    q[2:, 1] = 2.2
    lk.Clip(arm, q, rate=1, interpolation="cubic").save(tmp_path / "a.glb")
    seen = lk.load_clip(tmp_path / "a.glb", rate=50)  # the nodes, by the samplers of the file
    assert seen.q[:, 1].min() > -1e-6 and seen.q[:, 1].max() < 2.2 + 1e-6
    assert np.ptp(seen.q[:, 1]) > 2.19
