"""The Human Arm Animator (section 6.5.2): the left hand of a figure moves by a constant step per frame at constant orientation.

Flexion is Translate(0, 0.25, 0.25) per frame and abduction Translate(0.25, 0.25, 0), from the arm hanging straight. The figure
stands in a session of the studio, which makes the films: each frame takes the posture inside Table 5.2 that is nearest to that of
the frame before, by the closed form. The thesis does not give the length of its films. Here a film ends where a joint reaches a
limit, long before the arm is stretched again.

The thesis' own equations make the same films without limbik's solvers: of their eight postures, the nearest inside Table 5.2.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT, appendix_b, limits
from limbik.papers.chin.branches import explicit_appendix_b
from limbik.papers.chin.figure import HAND, animator_figure
from limbik.papers.chin.pictures import draw_figure, draw_run
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio import motions
from limbik.studio.limbs import limb_of
from limbik.studio.session import Session

# The thesis' step per axis and frame [units]; the largest number of frames, by which the hand has left the reach of the arm.
STEP = 0.25
MOST_FRAMES = 1000
# The bar on the error of the hand [units], and the distance beyond a limit that is rounding [rad].
HAND_BAR, ROUNDING = 1e-6, 1e-9


@dataclass(frozen=True)
class Film:
    """A run of the animator: name, direction of the step, and the views of its picture."""

    name: str
    direction: tuple[float, float, float]
    views: tuple[str, ...]

    @property
    def step(self) -> Array:
        """The translation per frame [units]."""
        return STEP * np.array(self.direction)


FILMS = (Film("flexion", (0.0, 1.0, 1.0), ("zy",)), Film("abduction", (1.0, 1.0, 0.0), ("xy", "zy")))


def in_session(robot: Chain | Skeleton, frame: str, name: str) -> motions.Made:
    """Return a film made in a session of the studio, from the zero posture, in the thesis' step for the length of the limb."""
    session = Session(robot)
    session.set_q(np.zeros(robot.n))
    make = {"flexion": motions.flexion, "abduction": motions.abduction}[name]
    return make(session, frame)


def by_equations(step: Array, *, inside: bool = True) -> Array:
    """Return the postures (frames + 1, 6) of a film by the thesis' equations. inside: keep to Table 5.2."""
    arm = appendix_b()
    lower, upper = limits()
    T = np.array(arm.forward(np.zeros(6)))
    postures = [np.zeros(6)]
    for _ in range(MOST_FRAMES):
        T[:3, 3] += UNIT * step
        every = explicit_appendix_b(T)
        every = postures[-1] + np.remainder(every - postures[-1] + np.pi, 2 * np.pi) - np.pi
        good = np.isfinite(every).all(axis=1)
        if inside:
            good &= ((every >= lower - ROUNDING) & (every <= upper + ROUNDING)).all(axis=1)
        if not good.any():
            break
        every = every[good]
        postures.append(every[np.abs(every - postures[-1]).max(axis=1).argmin()])
    return np.array(postures)


def hand_error(made: motions.Made, frame: str, step: Array) -> float:
    """Return the largest distance of a hand from its path, and of its orientation from the first [m, entries], of a film."""
    T = made.clip.forward(frame)
    want = T[0, :3, 3] + np.arange(len(T))[:, None] * step
    return float(max(np.abs(T[:, :3, 3] - want).max(), np.abs(T[:, :3, :3] - T[0, :3, :3]).max()))


def measure(setting: Setting) -> Findings:
    """Make both films with the figure, and by the thesis' equations."""
    figure = animator_figure()
    limb = limb_of(figure, HAND)
    assert limb is not None  # the figure has an arm
    values: dict[str, float] = {"branches": float(len(limb.chain.branch_names))}
    pictures: list[Picture] = []
    jump = off = apart = 0.0
    for film in FILMS:
        made = in_session(figure, HAND, film.name)
        q, theirs = limb.part(made.clip.q), by_equations(film.step)
        shared = min(len(q), len(theirs))
        values[film.name] = len(q) - 1
        values[f"{film.name} equations"] = len(theirs) - 1
        values[f"{film.name} in reach"] = len(by_equations(film.step, inside=False)) - 1
        for k, joint in enumerate(limb.chain.joint_names):
            if joint in made.limits:
                values[f"{film.name} limit"] = float(k + 1)
        values.setdefault(f"{film.name} limit", 0.0)
        off = max(off, hand_error(made, HAND, UNIT * film.step) / UNIT)
        apart = max(apart, float(np.degrees(np.abs(q[:shared] - theirs[:shared]).max())))
        jump = max(jump, float(np.degrees(np.abs(np.diff(q, axis=0)).max())))
        pictures.append(Picture(film.name, partial(draw_run, appendix_b(), film.name, film.views, q)))
        pictures.append(Picture(f"animator_{film.name}", partial(draw_figure, film.name, made.clip, HAND)))
    return Findings(values | {"jump": jump, "off": off, "apart": apart}, tuple(pictures))


EXPERIMENT = Experiment(
    name="animator",
    claims=(
        Claim("branches", "the figure's left arm: branches of its closed form", "branches", None, exactly(8)),
        *(claim for f in FILMS for claim in (
            Claim(f.name, f"{f.name}: frames inside Table 5.2, the figure in a session of the studio", "frames"),
            Claim(f"{f.name} equations", f"{f.name}: frames inside Table 5.2, by the thesis' equations", "frames"),
            Claim(f"{f.name} in reach", f"{f.name}: frames in reach, without limits, by the thesis' equations", "frames"),
            Claim(f"{f.name} limit", f"{f.name}: the joint whose limit ends the film (5: wrist X, 6: wrist Z)", "joint"))),
        Claim("apart", "flexion, abduction: largest difference of a joint between figure and equations", "deg", None,
              at_most(1e-6)),
        Claim("off", "flexion, abduction: largest error of the figure's hand", "units", None, at_most(HAND_BAR)),
        Claim("jump", "flexion, abduction: largest joint rotation in a frame", "deg"),
    ),
    measure=measure,
    notes=(
        "the thesis does not say how long its films are, nor what ends them; here a joint limit of Table 5.2 ends them.",
    ),
)  # fmt: skip
