"""Invalid goals: each gets an error of limbik's own, and one sentence."""

import math

import numpy as np
import pytest

import limbik as lk

ARM = lk.load("ur5")

REFUSED = {
    "no goal": (lambda: [lk.Position(None, (0, 0, 1)), 3], lk.BadOption, "goals"),
    "an empty dictionary": (dict, lk.BadOption, "goal"),
    "no such frame": (lambda: {"elbow": np.eye(4)}, lk.errors.UnknownFrame, "elbow"),
    "NaN": (lambda: lk.Position(None, (0, math.nan, 1)), lk.NotFinite, "NaN"),
    "two numbers": (lambda: lk.Position(None, (0, 1)), lk.ShapeError, "three"),
    "words": (lambda: lk.Position(None, "here"), lk.errors.NotNumeric, "three"),
    "no direction": (lambda: lk.Axis(None, (0, 0, 0)), lk.BadOption, "direction"),
    "no rotation": (lambda: lk.Orientation(None, np.diag([1, 1, -1])), lk.NotRigid, "mirrored"),
    "a negative weight": (lambda: lk.Position(None, (0, 0, 1), weight=-1.0), lk.BadOption, "weight"),
    "an infinite weight": (lambda: lk.Position(None, (0, 0, 1), weight=math.inf), lk.BadOption, "weight"),
    "no tolerance": (lambda: lk.Position(None, (0, 0, 1), tolerance=0.0), lk.BadOption, "tolerance"),
    "three tolerances": (lambda: lk.Pose(None, np.eye(4), tolerance=(1, 2, 3)), lk.BadOption, "tolerance"),
    "a priority between": (lambda: lk.Position(None, (0, 0, 1), priority=0.5), lk.BadOption, "priority"),
    "a negative range": (lambda: lk.Position(None, (0, 0, 1), range=-1.0), lk.BadOption, "range"),
    "a range upside down": (lambda: lk.Plane(None, (0, 0, 1), (0, 0, 1), range=(2, 1)), lk.BadOption, "range"),
    "a negative distance": (lambda: lk.Distance(None, (0, 0, 1), -1.0), lk.BadOption, "distance"),
    "a short posture": (lambda: lk.Posture([1.0, 2.0]), lk.ShapeError, "n = "),
    "an unknown joint": (lambda: lk.Posture({"elbow": 1.0}), lk.errors.UnknownJoint, "elbow"),
    "no support": (lambda: lk.Balance(np.zeros((0, 3))), lk.ShapeError, "support"),
    "obstacles of numbers": (lambda: lk.Clearance([1, 2]), lk.BadOption, "Sphere"),
    "a clearance to be missed": (lambda: lk.Clearance([], tolerance=0.1), lk.BadOption, "tolerance"),
    "a clearance seen from elsewhere": (lambda: lk.Clearance([], relative_to="link1"), lk.BadOption, "relative_to"),
    "a posture seen from elsewhere": (lambda: lk.Posture([0.0] * 6, relative_to="link1"), lk.BadOption, "relative_to"),
    "a balance with a range": (lambda: lk.Balance([[0, 0, 0]], range=0.1), lk.BadOption, "range"),
    "a centre with a negative range": (lambda: lk.LimitCentre(range=-1.0), lk.BadOption, "range"),
    "a range at infinity": (
        lambda: lk.Plane(None, (0, 0, 0), (0, 0, 1), range=(math.inf, math.inf)),
        lk.BadOption,
        "range",
    ),
    "three weights in an array": (lambda: lk.Pose(None, np.eye(4), weight=np.ones(3)), lk.BadOption, "weight"),
    "an unknown part": (lambda: lk.Manipulability(part="all"), lk.BadOption, "both"),
    "an unknown observer": (lambda: lk.Position(None, (0, 0, 1), relative_to="moon"), lk.errors.UnknownFrame, "moon"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_misuse_gets_a_sentence(what: str) -> None:
    make, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words) as caught:
        ARM.solve(make())
    assert "\n" not in str(caught.value)


def test_options_that_goals_do_not_go_with() -> None:
    arm = ARM
    goal = lk.Position(None, (0.3, 0.2, 0.4))
    for options in ({"method": "closed_form"}, {"branch": 1}, {"weights": (1, 1)}, {"position_tolerance": 1e-3}):
        with pytest.raises(lk.BadOption):
            arm.solve(goal, **options)
    with pytest.raises(lk.ShapeError):
        arm.solve(goal, seed=[1, 2])
    with pytest.raises(lk.NotFinite):
        arm.solve(goal, seed=[math.nan] * 6)
    with pytest.raises(lk.BadOption):
        arm.solve(goal, limits="yes")
