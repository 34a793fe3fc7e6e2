"""Recorded motion, if clips are available, and a generated walk: a figure follows it without jumps."""

import numpy as np
import pytest
from benchmarks.sections.full_body import drag_through
from cases import recorded_motion as motion

import limbik as lk

FRAMES = 240


@pytest.fixture(scope="module")
def figure():
    return lk.load("human")


def start_of(figure, targets):
    goals = [lk.Pose(tip, T, weight=(1, 0.3)) for tip, T in targets.items()]
    return figure.solve([*goals, lk.Posture(figure.home, weight=0.1)], seed=figure.home).q


@pytest.mark.parametrize("rotation", [0.0, 0.3])
def test_a_walk_is_followed(figure, rotation):
    stretch = motion.walk(figure, FRAMES / motion.FRAMES_PER_SECOND)
    body = lk.Body(figure, [lk.Pin(tip, rotation=rotation) for tip in motion.TIPS], rest=figure.home)
    run = drag_through(body, [stretch], [start_of(figure, stretch[0])])
    assert run.missed == run.wrong == 0 and run.steps.max() < 0.15


@pytest.mark.parametrize("which", range(len(motion.CLIPS)))
def test_recorded_clips_are_followed(figure, which):
    clips = motion.clips()
    if not clips:
        pytest.skip("no clips of motion capture at hand; LIMBIK_MOCAP names their folder")
    stretch = motion.pin_targets(clips[which], figure)[:FRAMES]
    body = lk.Body(figure, [lk.Pin(tip, rotation=0) for tip in motion.TIPS], rest=figure.home)
    run = drag_through(body, [stretch], [start_of(figure, stretch[0])])
    assert run.wrong == 0 and run.missed <= 0.01 * len(stretch) and run.steps.max() <= body.step + 1e-12
    assert float(np.median(run.steps)) < 0.1
