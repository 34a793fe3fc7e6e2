"""Inputs are neither changed nor kept, and robots are immutable."""

import math

import numpy as np
import pytest
from hostile import ARM, FIGURE, LINKS, POSTURES, VERBS

import limbik
from limbik import Chain, LimbikError
from limbik.model import Joint, Link, Mechanism


def test_arrays_of_a_robot_cannot_be_written():
    for name in ("lower", "upper", "velocity", "home"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(ARM, name)[0] = 1.0
    for part in ARM.model.mechanism.joints:
        with pytest.raises(ValueError, match="read-only"):
            part.origin[0, 3] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            part.axis[0] = 1.0


@pytest.mark.parametrize(
    "name", ["n", "lower", "home", "base", "tip", "reach", "frames", "joint_names", "structure", "speed"]
)
def test_attributes_of_a_robot_cannot_be_set(name):
    arm = limbik.load("ur5")
    with pytest.raises((AttributeError, LimbikError)):
        setattr(arm, name, 1)


def test_tables_of_a_mechanism_cannot_be_written():
    mechanism = limbik.load("ur5").model.mechanism
    for table in (mechanism.joint_of, mechanism.parent_joint_of):
        with pytest.raises((TypeError, AttributeError)):
            table.clear()


def test_inputs_are_neither_changed_nor_kept():
    q = POSTURES.copy()
    for verb in VERBS.values():
        verb(q[0])
    ARM.clamp(q)
    FIGURE.clamp(np.full(FIGURE.n, 9.0))
    assert np.array_equal(q, POSTURES)
    T = ARM.forward(ARM.home)
    before = T.copy()
    tooled, based = ARM.with_tool(T), ARM.with_base(T)
    pose, pose_from_base = tooled.forward(ARM.home), based.forward(ARM.home)
    assert np.array_equal(T, before)
    T[:] = 0
    assert np.array_equal(tooled.forward(ARM.home), pose) and np.array_equal(based.forward(ARM.home), pose_from_base)
    low, high = np.full(7, -0.1), np.full(7, 0.1)
    bounded = ARM.with_limits(low, high)
    low[:], high[:] = -9, 9
    assert (bounded.lower == -0.1).all() and (bounded.upper == 0.1).all()
    axis = np.array([0.0, 1.0, 0.0])
    made = Joint("j", "revolute", "a", "b", axis=axis)
    axis[:] = 7
    assert made.axis.tolist() == [0.0, 1.0, 0.0]


def test_a_mechanism_does_not_keep_the_callers_lists():
    links, notes = [Link("a")], ["one"]
    mechanism = Mechanism("m", links, [], notes=notes)
    links.append(Link("b"))
    notes.append("two")
    assert tuple(mechanism.links) == (Link("a"),) and tuple(mechanism.notes) == ("one",)
    assert hash(mechanism) == hash(Mechanism("m", (Link("a"),), (), notes=("one",)))


def test_results_are_writable_and_independent():
    q = ARM.home.copy()
    verbs = [lambda: ARM.forward(q), lambda: ARM.jacobian(q), lambda: ARM.forward_jacobian(q)[0],
             lambda: ARM.model.forward_all(q), lambda: ARM.clamp(q), lambda: ARM.model.integrate(q, q),
             lambda: ARM.model.difference(q, q), lambda: ARM.sample(np.random.default_rng(0)),
             lambda: FIGURE.clamp(FIGURE.home)]  # fmt: skip
    for verb in verbs:
        first, second = verb(), verb()
        kept = second.copy()
        assert first.flags.writeable and first.flags.c_contiguous and first.dtype == np.float64
        assert not np.shares_memory(first, second) and not np.shares_memory(first, q)
        first[...] = 99
        assert np.array_equal(second, kept) and np.array_equal(verb(), kept)
    assert np.array_equal(q, ARM.home)


def test_clamping_a_posture_inside_the_limits_changes_nothing():
    mechanism = Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b", swing=3.0),))
    body = Chain(mechanism)
    q = np.random.default_rng(3).uniform(-1.5, 1.5, (50, 3))
    assert body.within_limits(q).all()
    assert np.array_equal(body.clamp(q), q)


@pytest.mark.parametrize("swing", [0.0, 1e-13, 0.5, 3.1, math.pi, math.inf])
@pytest.mark.parametrize("twist", [(0.0, 0.0), (-0.5, 1.0), (2.0, 2.5), (-math.inf, math.inf)])
@pytest.mark.parametrize("axis", [(0, 0, 1), (0.6, 0.0, -0.8), (1, 2, 3)])
def test_a_clamped_ball_joint_is_inside_its_cone(swing, twist, axis):
    body = Chain(Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b", axis=axis, swing=swing, twist=twist),)))
    rng = np.random.default_rng(20240607)
    halves = rng.integers(-2, 3, (30, 3)) * (math.pi / 2)
    q = np.concatenate([3 * rng.normal(size=(30, 3)), halves, 2 * halves, np.zeros((1, 3))])
    assert body.within_limits(body.clamp(q)).all()
    assert body.within_limits(body.sample(rng, 30)).all()
