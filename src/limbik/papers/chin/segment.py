"""Hypothesis 3 (section 4.1): the inverse kinematics of a segment of joints animates a whole figure (character).

The films of the animator are made with segments of two figures: the animator's own, whose arm is solved in closed form, and the
catalogue's `human`, whose arms and legs have other joints. Steps are in proportion to the length of the segment. A segment is
animated if its end follows the film without error until a joint limit ends it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.papers.chin.animator import FILMS, HAND_BAR, hand_error, in_session
from limbik.papers.chin.arm import FOREARM, UNIT, UPPER_ARM
from limbik.papers.chin.figure import HAND, animator_figure
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.load import load
from limbik.robot.skeleton import Skeleton
from limbik.studio.motions import STEP_SHARE, directions, limb_length


@dataclass(frozen=True)
class Segment:
    """A segment of a figure. name: in the report. figure: "animator" or a name of the catalogue. end: the frame at its end."""

    name: str
    figure: str
    end: str


SEGMENTS = (
    Segment("the animator's left arm", "animator", HAND),
    Segment("the left arm of `human`", "human", "leftHand"),
    Segment("the right arm of `human`", "human", "rightHand"),
    Segment("the left leg of `human`", "human", "leftFoot"),
    Segment("the right leg of `human`", "human", "rightFoot"),
)


def figure_of(segment: Segment) -> Skeleton:
    """Return the figure of a segment."""
    if segment.figure == "animator":
        return animator_figure()
    found = load(segment.figure)
    assert isinstance(found, Skeleton)  # the catalogue's figures are
    return found


def moved(segment: Segment, film: str) -> dict[str, float]:
    """Return the values of a film.

    frames: their number. way: the distance that the end moves [lengths of the segment]. off: its error [units]. limit: 1 if a
    joint limit ends the film.
    """
    figure = figure_of(segment)
    made = in_session(figure, segment.end, film)
    length = limb_length(figure, segment.end)
    up, forward, left = directions(figure)
    side = forward if film == "flexion" else (-left if "right" in segment.end else left)
    error = hand_error(made, segment.end, STEP_SHARE * length * (up + side))
    places = made.clip.forward(segment.end)[:, :3, 3]
    return {
        "frames": float(len(made.clip) - 1),
        "way": float(np.linalg.norm(places[-1] - places[0])) / length,
        "off": error / UNIT,
        "limit": float(bool(made.limits)),
    }


def measure(setting: Setting) -> Findings:
    """Make both films with every segment."""
    values: dict[str, float] = {}
    for segment in SEGMENTS:
        for film in FILMS:
            key = f"{segment.name}, {film.name}"
            values |= {f"{key} {name}": value for name, value in moved(segment, film.name).items()}
    return Findings(values)


def follows(values: Mapping[str, float], key: str) -> bool:
    """Return whether a segment followed a film until a joint limit ended it."""
    return values[f"{key} frames"] > 0 and values[f"{key} limit"] == 1.0 and values[f"{key} off"] <= HAND_BAR


EXPERIMENT = Experiment(
    name="a segment of the figure",
    claims=tuple(
        claim
        for segment in SEGMENTS
        for film in FILMS
        for key in (f"{segment.name}, {film.name}",)
        for claim in (
            Claim(f"{key} frames", f"{key}: frames inside the limits", "frames"),
            Claim(f"{key} way", f"{key}: distance of the end", "lengths of the segment"),
            Claim(f"{key} off", f"{key}: largest error of the end", "units", None, at_most(HAND_BAR)),
            Claim(f"{key} limit", f"{key}: ended by a joint limit (1: yes)", ""),
        )
    ),
    measure=measure,
    notes=(
        f"steps are {STEP_SHARE:.3g} of the segment's length along each axis, as the thesis' 0.25 of "
        f"{UPPER_ARM + FOREARM:g} units.",
    ),
)
