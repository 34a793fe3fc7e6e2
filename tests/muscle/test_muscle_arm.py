"""`arm.muscles`: a sequence of muscles with verbs, made from a model alone."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import limbik as lk
from limbik.model.model import Model


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def test_muscles_need_only_a_model(arm):
    alone = lk.muscle.MuscleArm(Model.chain(arm.model.mechanism, arm.base, arm.tip))
    assert alone == arm.muscles and hash(alone) == hash(arm.muscles)
    point = [-0.1, 0.2, 0.15]
    one, other = alone.solve_lengths(point), arm.muscles.solve_lengths(point)
    assert one == other and np.array_equal(alone.lengths(one.q), one.lengths)


def test_it_is_a_sequence_of_muscles(arm):
    muscles = arm.model.compiled.muscles
    assert len(arm.muscles) == len(muscles) and tuple(arm.muscles) == muscles
    assert arm.muscles[0] is muscles[0] and arm.muscles[-1] is muscles[-1] and arm.muscles[1:3] == muscles[1:3]
    assert muscles[2] in arm.muscles and list(reversed(arm.muscles)) == list(reversed(muscles))
    assert arm.muscles.names == tuple(muscle.name for muscle in muscles)
    assert arm.with_muscles(arm.muscles) == arm


def test_it_is_cached_frozen_and_pickled(arm):
    assert arm.muscles is arm.muscles
    with pytest.raises(FrozenInstanceError):
        arm.muscles.model = None
    for ends in arm.muscles.ranges:
        with pytest.raises(ValueError, match="read-only"):
            ends[...] = 0
    again = pickle.loads(pickle.dumps(arm.muscles))
    assert again == arm.muscles and again.names == arm.muscles.names
    assert again != arm.with_limits({"elbow": 0.1}, {"elbow": 1.0}).muscles and "pectoralis" in repr(again)


def test_a_chain_has_only_two_verbs_about_muscles():
    verbs = {name for name in vars(lk.muscle.MuscleArm) if not name.startswith("_")} - {"model"}
    assert {name for name in verbs if hasattr(lk.Chain, name)} == set()
    assert [name for name in dir(lk.Chain) if "muscle" in name] == ["muscles", "with_muscles"]


def test_with_muscles_attaches_actuators(arm):
    part = lk.Chain(arm.model.mechanism, "upper_arm", "wrist")  # two of the mechanism's seven run over it
    soft = part.with_muscles(part.muscles.as_mckibben(hysteresis=0.25))
    assert soft.muscles.names == part.muscles.names and len(soft.model.mechanism.muscles) == 7
    assert all(muscle.actuator.hysteresis == 0.25 for muscle in soft.model.mechanism.muscles)
