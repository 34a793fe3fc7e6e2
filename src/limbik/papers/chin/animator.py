"""The Human Arm Animator (section 6.5.2): the hand moves by a constant step per frame at constant orientation.

Flexion is Translate(0, 0.25, 0.25) per frame and abduction Translate(0.25, 0.25, 0), from the arm hanging straight. Each frame
takes the posture inside Table 5.2 that is nearest to that of the frame before. The thesis does not give the length of its
films. Here a film ends where the wrist reaches a limit (the X axis in flexion, the Z axis in abduction), long before the arm is
stretched again.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.pictures import draw_run
from limbik.papers.claim import Claim, exactly, within
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

# The largest number of frames of a film: by then the hand has left the reach of the arm.
MOST_FRAMES = 1000


@dataclass(frozen=True)
class Film:
    """A run of the animator: name, step per frame [units], views of its picture, and the required number of frames."""

    name: str
    step: tuple[float, float, float]
    views: tuple[str, ...]
    frames: int


FILMS = (Film("flexion", (0.0, 0.25, 0.25), ("zy",), 166), Film("abduction", (0.25, 0.25, 0.0), ("xy", "zy"), 161))
# The largest joint rotation in a frame [degrees]; it occurs where the arm leaves the straight posture.
LARGEST_JUMP, JUMP_TOLERANCE = 7.8, 0.05


def run(arm: Chain, step: tuple[float, float, float], limits: bool = True) -> Array:
    """Return the postures (frames + 1, n) from the straight one to the last that reaches its pose."""
    q = np.zeros(arm.n)
    T = np.array(arm.forward(q))
    postures = [q]
    for _ in range(MOST_FRAMES):
        T[:3, 3] += UNIT * np.array(step)
        answers = arm.solve_all(T, seed=q, limits=limits)
        if not answers.ok:
            break
        q = answers.q[np.abs(answers.q - q).max(axis=1).argmin()]
        postures.append(q)
    return np.array(postures)


def measure(setting: Setting) -> Findings:
    """Run both films."""
    arm = appendix_b()
    values: dict[str, float] = {}
    pictures: list[Picture] = []
    jump = 0.0
    for film in FILMS:
        q = run(arm, film.step)
        values[film.name] = len(q) - 1
        values[f"{film.name} in reach"] = len(run(arm, film.step, limits=False)) - 1
        jump = max(jump, float(np.degrees(np.abs(np.diff(q, axis=0)).max())))
        pictures.append(Picture(film.name, partial(draw_run, arm, film.name, film.views, q)))
    return Findings(values | {"jump": jump}, tuple(pictures))


EXPERIMENT = Experiment(
    name="animator",
    claims=(
        *(Claim(f.name, f"{f.name}: frames inside Table 5.2", "frames", None, exactly(f.frames)) for f in FILMS),
        *(Claim(f"{f.name} in reach", f"{f.name}: frames in reach, without joint limits", "frames") for f in FILMS),
        Claim("jump", "flexion, abduction: largest joint rotation in a frame", "deg", None,
              within(JUMP_TOLERANCE, LARGEST_JUMP)),
    ),
    measure=measure,
)  # fmt: skip
