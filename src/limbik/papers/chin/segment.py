"""Hypothesis 3 (section 4.1): the inverse kinematics of a segment animates a whole figure (character).

The figure of the catalogue has the thesis' joints. Its left hand follows the animator's films, with steps in proportion to the
length of its arm. Each frame solves for the arm alone, from the spine to the hand, inside its limits and from the frame before.
Nothing else may move. Like the animator's films, they end where the wrist reaches a limit. The number of frames differs, because
the lengths of upper arm and forearm are not the thesis'.
"""

from collections.abc import Iterator

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.animator import FILMS, MOST_FRAMES
from limbik.papers.chin.arm import FOREARM, UNIT, UPPER_ARM
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.skeleton import Skeleton

SHOULDER, HAND, SEGMENT_BASE = "leftUpperArm", "leftHand", "spine"
# The bar on the error of the hand [entries of the pose, units].
HAND_BAR = 1e-6


def frames(arm: Chain, q: Array, step: Array) -> Iterator[tuple[Array, Array]]:
    """Yield the pose of the hand and the posture that reaches it, frame by frame, while there is one. step: per frame [m]."""
    T = np.array(arm.forward(q))
    for _ in range(MOST_FRAMES):
        T[:3, 3] += step
        answer = arm.solve(T, seed=q)
        if not answer.ok:
            return
        q = answer.q
        yield np.array(T), q


def film(figure: Skeleton, step: tuple[float, float, float]) -> tuple[int, float, float]:
    """Move the left hand through a film.

    Return the number of frames, the largest error of the hand [units] and the largest motion of any other tip [units].
    step: the translation per frame of the thesis' arm [units].
    """
    arm = figure.chain(HAND, base=SEGMENT_BASE)
    places = [figure.joint_names.index(name) for name in arm.joint_names]
    standing = figure.clamp(np.zeros(figure.n))
    others = [tip for tip in figure.tips if tip != HAND]
    T_world_base = figure.forward(standing, SEGMENT_BASE)
    length = np.linalg.norm(figure.forward(standing, HAND)[:3, 3] - figure.forward(standing, SHOULDER)[:3, 3])
    count, off, moved = 0, 0.0, 0.0
    for T_base_hand, q in frames(arm, standing[places], np.array(step) * length / (UPPER_ARM + FOREARM)):
        whole = np.array(standing)
        whole[places] = q
        off = max(off, float(np.abs(figure.forward(whole, HAND) - T_world_base @ T_base_hand).max()) / UNIT)
        still = [np.abs(figure.forward(whole, tip) - figure.forward(standing, tip)).max() for tip in others]
        moved = max(moved, float(max(still)) / UNIT)
        count += 1
    return count, off, moved


def measure(setting: Setting) -> Findings:
    """Move the hand through both films."""
    figure = load("human")
    values: dict[str, float] = {}
    off = moved = 0.0
    for each in FILMS:
        values[each.name], error, motion = film(figure, each.step)
        off, moved = max(off, error), max(moved, motion)
    return Findings(values | {"off": off, "moved": moved})


EXPERIMENT = Experiment(
    name="a segment of the figure",
    claims=(
        *(Claim(f.name, f"the figure's left arm, {f.name}: frames inside its limits", "frames") for f in FILMS),
        Claim("off", "the figure's left hand: largest error", "units", None, at_most(HAND_BAR)),
        Claim("moved", "the figure's other tips: largest motion", "units", None, exactly(0)),
    ),
    measure=measure,
)
