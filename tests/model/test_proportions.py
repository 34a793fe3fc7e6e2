"""Scaled segments: only the requested segments change, and the feet stay on the ground."""

import math

import numpy as np
import pytest
from conftest import random_tree

import limbik as lk

SIDES = ("left", "right")
ZERO = np.zeros(42)


def distance(figure, a, b, q=ZERO):
    return float(np.linalg.norm(figure.forward(q, a)[:3, 3] - figure.forward(q, b)[:3, 3]))


def test_a_longer_shank_is_longer_and_the_feet_stay_on_the_ground():
    figure = lk.load("human")
    longer = figure.with_proportions({f"{side}LowerLeg": 1.1 for side in SIDES})
    for side in SIDES:
        ratio = distance(longer, f"{side}LowerLeg", f"{side}Foot") / distance(figure, f"{side}LowerLeg", f"{side}Foot")
        assert ratio == pytest.approx(1.1)
        assert distance(longer, f"{side}UpperLeg", f"{side}LowerLeg") == pytest.approx(
            distance(figure, f"{side}UpperLeg", f"{side}LowerLeg")
        )
        assert longer.forward(ZERO, f"{side}Foot")[1, 3] == pytest.approx(figure.forward(ZERO, f"{side}Foot")[1, 3])
    raised = longer.forward(ZERO, "head")[1, 3] - figure.forward(ZERO, "head")[1, 3]
    assert raised == pytest.approx(0.1 * distance(figure, "leftLowerLeg", "leftFoot"))


def test_joints_ranges_and_names_stay():
    figure = lk.load("human")
    other = figure.with_proportions({"leftUpperArm": 2.0})
    assert other.joint_names == figure.joint_names and (other.lower == figure.lower).all()
    assert other.frames == figure.frames and other != figure


def test_longer_feet_raise_the_ankles():
    figure = lk.load("human")
    ankle = figure.forward(ZERO, "leftFoot")[1, 3]
    tall = figure.with_proportions({"leftFoot": 1.5, "rightFoot": 1.5})
    assert tall.forward(ZERO, "leftFoot")[1, 3] == pytest.approx(1.5 * ankle)


def test_of_two_legs_that_differ_the_longer_one_stands():
    figure = lk.load("human")
    limping = figure.with_proportions({"leftUpperLeg": 1.2})
    ankle = figure.forward(ZERO, "leftFoot")[1, 3]
    assert limping.forward(ZERO, "leftFoot")[1, 3] == pytest.approx(ankle)
    assert limping.forward(ZERO, "rightFoot")[1, 3] > ankle + 0.05


def test_three_factors_apply_along_the_axes():
    figure = lk.load("human")
    broad = figure.with_proportions({"spine": (1.3, 1, 1)})
    assert distance(broad, "leftUpperArm", "rightUpperArm") == pytest.approx(
        1.3 * distance(figure, "leftUpperArm", "rightUpperArm")
    )
    assert broad.forward(ZERO, "head")[1, 3] == pytest.approx(figure.forward(ZERO, "head")[1, 3])


def test_shapes_and_centres_of_mass_follow():
    figure = lk.load("human")
    link = {name: next(k for k in f.model.mechanism.links if k.name == "leftUpperLeg") for name, f in (
        ("before", figure), ("all", figure.with_proportions({"leftUpperLeg": 2.0})),
        ("long", figure.with_proportions({"leftUpperLeg": (1, 2, 1)})))}  # fmt: skip
    for old, new in zip(link["before"].shapes, link["all"].shapes, strict=True):
        assert new == old.scaled(2.0)
    assert np.allclose(link["all"].centre_of_mass, 2 * np.array(link["before"].centre_of_mass))
    for old, new in zip(link["before"].shapes, link["long"].shapes, strict=True):
        # the section is unchanged if the limb only gets longer; these capsules are slightly oblique
        assert new.radius == pytest.approx(old.radius, rel=0.02)
        assert new.end[1] == 2 * old.end[1] and new.end[0] == old.end[0]


def test_a_uniform_proportion_is_a_scale(rng):
    figure = lk.load("human")
    twice = figure.with_proportions({link.name: 2.0 for link in figure.model.mechanism.links})
    q = figure.sample(rng)
    assert np.allclose(twice.model.forward_all(q)[1:, :3, :3], figure.model.forward_all(q)[1:, :3, :3])
    q[:3] = 0
    assert np.allclose(twice.model.forward_all(q)[:, :3, 3], 2 * figure.model.forward_all(q)[:, :3, 3])
    assert twice.model.shapes == figure.scaled(2.0).model.shapes


def test_any_tree_takes_proportions(rng):
    tree = random_tree(rng, 9)
    moved = next(joint for joint in tree.model.mechanism.joints if np.linalg.norm(joint.origin[:3, 3]) > 0)
    other = tree.with_proportions({moved.parent: 1.5})
    found = other.model.mechanism.joint_of[moved.name]
    assert np.allclose(found.origin[:3, 3], 1.5 * moved.origin[:3, 3])
    assert np.array_equal(found.origin[:3, :3], moved.origin[:3, :3])


def test_a_skeleton_whose_hips_are_at_the_origin_is_not_moved():
    figure = lk.load("human")
    joints = list(figure.model.mechanism.joints)
    joints[0] = joints[0].moved_to(origin=np.eye(4))
    floating = lk.Skeleton(figure.model.mechanism.replaced(joints))
    longer = floating.with_proportions({"leftLowerLeg": 1.5, "rightLowerLeg": 1.5})
    assert np.array_equal(longer.forward(ZERO, "hips"), np.eye(4))
    stands = floating.with_proportions({"leftLowerLeg": 1.5, "rightLowerLeg": 1.5}, grounded=True)
    assert stands.forward(ZERO, "leftFoot")[1, 3] == pytest.approx(floating.forward(ZERO, "leftFoot")[1, 3])


@pytest.mark.parametrize("height", [0.9, 1.75, 2.1])
@pytest.mark.parametrize(
    "options", [{}, {"legs": 1.3}, {"head": 1.6, "arms": 0.8}, {"proportions": {"head": (1, 2, 1)}}]
)
def test_a_human_has_the_requested_height(height, options):
    figure = lk.human(height, **options)
    factor = options.get("proportions", {}).get("head", (1, options.get("head", 1.0), 1))[1]
    neck = figure.forward(ZERO, "head")[1, 3]
    scale = distance(figure, "leftUpperArm", "leftLowerArm") / 0.3255 / options.get("arms", 1.0)
    assert neck + 0.2275 * factor * scale == pytest.approx(height)
    for side in SIDES:
        assert figure.forward(ZERO, f"{side}Foot")[1, 3] == pytest.approx(0.06825 * scale)


def test_the_plain_human_is_that_of_the_catalogue():
    assert np.allclose(lk.human().model.forward_all(ZERO), lk.load("human").model.forward_all(ZERO))


def test_a_human_has_the_requested_mass():
    links = lk.human(1.6, mass=50).model.mechanism.links
    assert sum(link.mass for link in links) == pytest.approx(50)
    assert sum(link.mass for link in lk.human(1.6).model.mechanism.links) == pytest.approx(75, abs=0.1)


def test_a_figure_of_other_proportions_is_solved_like_any(rng):
    figure = lk.human(1.2, legs=0.7, head=1.8)
    q = figure.sample(rng)
    answer = figure.solve({tip: figure.forward(q, tip) for tip in figure.tips})
    assert answer.ok


def test_misuse_raises():
    figure = lk.load("human")
    for bad in (None, 3, ["leftHand"]):
        with pytest.raises(lk.BadOption):
            figure.with_proportions(bad)
    for factor in (0, -1, math.nan, math.inf, (1, 2), "long", (1, 0, 1)):
        with pytest.raises(lk.LimbikError):
            figure.with_proportions({"leftHand": factor})
    with pytest.raises(lk.errors.UnknownFrame, match="did you mean 'leftHand'"):
        figure.with_proportions({"lefthand": 1.1})
    with pytest.raises(lk.BadOption):
        figure.with_proportions({"leftHand": 1.1}, grounded="yes")
    for options in ({"height": 0}, {"height": math.nan}, {"mass": -1}, {"proportions": 3}, {"legs": 0}, {"balls": 1}):
        with pytest.raises(lk.LimbikError):
            lk.human(**options)
    with pytest.raises(lk.BadOption, match="muscle"):
        lk.Skeleton(lk.load("human_upper_limb").model.mechanism).with_proportions({"upper_arm": 1.1})


@pytest.mark.parametrize("options", [{}, {"legs": 1.3}, {"legs": 0.7}, {"height": 1.1, "head": 1.5, "legs": 0.85}])
def test_the_figure_with_balls_is_as_tall_and_stands_as_that_with_hinges(options):
    hinges, balls = lk.human(**options), lk.human(**options, balls=True)
    standing = np.zeros(hinges.n)
    q = balls.match(hinges, standing)
    for frame in ("head", "leftFoot", "rightFoot", "leftHand"):
        np.testing.assert_allclose(balls.forward(q, frame), hinges.forward(standing, frame), atol=1e-9)
    longer = {"leftUpperLeg": 1.3, "rightUpperLeg": 1.3}
    other = lk.load("human_balls").with_proportions(longer)
    q = other.match(lk.load("human").with_proportions(longer), standing)
    assert other.forward(q, "leftFoot")[1, 3] == pytest.approx(lk.load("human").forward(standing, "leftFoot")[1, 3])
