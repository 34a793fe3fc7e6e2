"""Objects: immutable, comparable, picklable, thread-safe."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import random_chain, random_pose, random_tree

import limbik as lk


def test_pickles_name_limbik_and_come_back_equal(rng):
    for body in (random_chain(rng, [lk.model.Kind.REVOLUTE] * 4), random_tree(rng, 9)):
        data = pickle.dumps(body)
        assert b"limbik._core" not in data and b"joint_of" not in data
        again = pickle.loads(data)
        assert again == body and hash(again) == hash(body) and again.fingerprint == body.fingerprint
        q = body.sample(rng)
        assert np.array_equal(again.model.forward_all(q), body.model.forward_all(q))


def test_equality_depends_on_geometry_limits_names_and_class(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 4)
    changed = [arm.with_tool(random_pose(rng)), arm.with_limits(upper=9.0), arm.with_frozen({"j1": float(arm.home[0])}),
               arm.scaled(1.0000001), lk.Chain(arm.model.mechanism, arm.base, "l2")]  # fmt: skip
    assert len({arm, *changed}) == 1 + len(changed)
    assert all(other != arm and other.fingerprint != arm.fingerprint for other in changed)
    assert arm == lk.Chain(arm.model.mechanism, arm.base, arm.tip) and arm != "arm"
    assert lk.Skeleton(arm.model.mechanism) != arm


def test_the_fingerprint_is_stable():
    """Tables and networks on disk contain it: a change of this value is a change of their file format."""
    arm = lk.Chain.from_dh([(1.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0)], name="planar")
    assert arm.fingerprint == lk.Chain.from_dh([(1, 0, -0.0, 0), (0.5, 0, 0, 0)], name="other").fingerprint
    assert len(arm.fingerprint) == 64


def test_arrays_cannot_be_changed_from_outside(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 4)
    for array in (arm.lower, arm.upper, arm.home, arm.velocity, arm.model.mechanism.joints[0].origin):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        arm.lower = 3
    q = arm.sample(rng, 5)
    before = q.copy()
    T = arm.forward(q)
    T[...] = 7
    assert np.array_equal(q, before) and not np.array_equal(arm.forward(q), T)


def test_many_threads_get_the_same_answers(rng):
    arm = random_chain(rng, [lk.model.Kind.REVOLUTE] * 7)
    Q = arm.sample(rng, 5000)
    expected = arm.forward_jacobian(Q)
    with ThreadPoolExecutor(8) as pool:
        for T, J in pool.map(lambda _: arm.forward_jacobian(Q, threads=2), range(40)):
            assert np.array_equal(T, expected[0]) and np.array_equal(J, expected[1])


def test_printing(rng):
    arm = lk.Chain.from_dh([(1, 0, 0, 0, "revolute", -1, 1), (0, 0, 0, 0, "prismatic", 0, 2)], name="demo")
    text = str(arm)
    assert "demo: 2 joint values" in text and "joint2" in text and "prismatic" in text and "57.3 deg" in text
    assert repr(arm) == "<Chain 'demo': 2 joint values, 'base' to 'tip', reach 3 m>"
    assert "tips" in repr(random_tree(rng, 5))


def test_the_build_names_its_level():
    assert lk.build_info()["level"] in lk.build_info()["processor"]


def test_every_error_is_of_one_family():
    errors = [e for e in vars(lk.errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert all(issubclass(e, lk.LimbikError) for e in errors) and len(errors) > 8
