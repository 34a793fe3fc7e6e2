"""Figures of other packages and files are pinned and dragged like the catalogue's, by the bones that their names denote."""

import numpy as np
import pytest
from cases import recorded_motion as motion
from cases.other_models import NotInstalled, installed

import limbik as lk

FILES = {
    "isb": ("example-robot-data", "human_description/robots/human.urdf"),
    "asf": ("dm_control", "suite/humanoid_CMU.xml"),
}


def other_figure(which):
    if which == "bvh":
        clips = motion.clips()
        if not clips:
            pytest.skip("no clips of motion capture at hand; LIMBIK_MOCAP names their folder")
        return clips[0].robot, clips[0].q[1]
    try:
        figure = lk.load(str(installed(*FILES[which])))
    except NotInstalled as reason:
        pytest.skip(str(reason))
    return figure, figure.home


@pytest.mark.parametrize("which", ["isb", "asf", "bvh"])
def test_a_hand_is_dragged_while_the_feet_stay(which):
    figure, start = other_figure(which)
    names = lk.humanoid(figure)
    size = np.linalg.norm(figure.forward(start, names["head"])[:3, 3] - figure.forward(start, names["leftFoot"])[:3, 3])
    hand = names["leftHand"]
    body = lk.Body(figure, [*(lk.Planted(names[f"{s}Foot"]) for s in ("left", "right")), lk.Pin(hand, rotation=0)])
    pose = body.at(start)
    place = pose.targets[hand]
    towards = figure.forward(start, names["head"])[:3, 3] - place
    for k in range(1, 21):
        after = pose.drag({hand: place + 0.005 * k * size * towards / np.linalg.norm(towards)})
        assert after.ok and figure.within_limits(after.q), after.why
        assert np.abs(figure.model.difference(pose.q, after.q))[6:].max() <= body.step + 1e-9
        pose = after


@pytest.mark.parametrize("which", ["isb", "asf", "bvh"])
def test_they_take_proportions(which):
    figure, start = other_figure(which)
    names = lk.humanoid(figure)
    knee, foot = names["leftLowerLeg"], names["leftFoot"]
    longer = figure.with_proportions({knee: 1.25})
    lengths = [np.linalg.norm(f.forward(start, knee)[:3, 3] - f.forward(start, foot)[:3, 3]) for f in (figure, longer)]
    assert lengths[1] == pytest.approx(1.25 * lengths[0], rel=1e-6)


def test_balls_replace_hinges_of_helper_links():
    """dm_control's segments are fixed to the child link of their last hinge; a ball can be named after either link."""
    figure, _ = other_figure("asf")
    balls, rng = figure.with_balls(), np.random.default_rng(0)
    assert sum(joint.kind is lk.model.Kind.BALL for joint in balls.model.mechanism.joints) > 5
    q = figure.home + 0.1 * (figure.sample(rng) - figure.home)
    for frame in ("lfoot", "lhand", "head"):
        np.testing.assert_allclose(balls.forward(balls.match(figure, q), frame), figure.forward(q, frame), atol=1e-6)
    one = figure.with_balls({"lfemur": lk.model.Cone()})
    assert [j.kind for j in one.model.mechanism.joints].count(lk.model.Kind.BALL) == 1
