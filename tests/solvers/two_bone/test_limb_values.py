"""Limbs of figures as values, and their misuse."""

import math

import numpy as np
import pytest
from test_limb_joints import LIMBS

import limbik as lk


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: lk.JointedLimb(lk.load("puma560"), "tip"), lk.LimbikError, "no two-bone limb|no frame"),
        (lambda: LIMBS["human leftHand"].solve((1, 0, 0), give_way=1), lk.BadOption, "give_way"),
        (lambda: lk.load("human").limb("leftHnd"), lk.errors.UnknownFrame, "leftHand"),
        (lambda: lk.load("human").limb("hips"), lk.BadModel, "no two-bone limb"),
        (lambda: lk.load("human").limb("leftHand", upper="head"), lk.BadOption, "not on the path"),
        (lambda: lk.JointedLimb("human", "leftHand"), lk.BadOption, "limbik.load"),
        (lambda: LIMBS["human leftHand"].solve((1, math.nan, 0)), lk.NotFinite, "target"),
        (lambda: LIMBS["human leftHand"].solve(np.zeros((2, 3))), lk.ShapeError, "point"),
        (lambda: LIMBS["human leftHand"].solve(np.zeros((4, 4))), lk.NotRigid, "target"),
        (lambda: LIMBS["human leftHand"].solve((1, 0, 0), seed=(1, 2)), lk.ShapeError, "42"),
        (lambda: LIMBS["human leftHand"].solve((1, 0, 0), limits="no"), lk.BadOption, "limits"),
        (lambda: LIMBS["human leftHand"].solve((1, 0, 0), pole=(0, 0, math.nan)), lk.NotFinite, "pole"),
        (lambda: LIMBS["human leftHand"].pole_of(lk.load("human").home, -1), lk.BadOption, "distance"),
        (
            lambda: LIMBS["human leftHand"].blend(np.zeros(42), np.zeros(42), 2),
            lk.BadOption,
            "weight",
        ),
        (lambda: LIMBS["human leftHand"].match_fk((1, 2)), lk.BadOption, "match_ik"),
        (lambda: LIMBS["human leftHand"].solve_batch(np.zeros((2, 4))), lk.ShapeError, "points"),
    ],
)
def test_misuse_of_limbs_says_what_to_do(call, error, words):
    with pytest.raises(error, match=words):
        call()
