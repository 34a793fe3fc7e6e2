"""Direct kinematics (section 3): muscle lengths to postures, both branches, beside the paper's corrected equations."""

import math

import numpy as np

from limbik.model.mobility import mobility
from limbik.papers.claim import Claim, at_least, at_most, exactly
from limbik.papers.gini.arm import CM, arm, independent
from limbik.papers.gini.explicit import angles, equation_14, fold, spheres
from limbik.papers.paper import Experiment, Findings, Setting

POSTURES, QUICK_POSTURES = 5_000, 500
# The range of elevations of the upper arm in the round trip [deg].
LEAST, MOST = 1.0, 89.0


def measure(setting: Setting) -> Findings:
    """Convert random postures in front of the body to lengths and back, and compare with (13), (14) and (15)."""
    robot, rng, places = arm(), setting.rng(), independent()
    q = robot.sample(rng, setting.size(POSTURES, QUICK_POSTURES))
    q[:, 1] = np.radians(rng.uniform(LEAST, MOST, len(q)))
    L = robot.muscles.lengths(q)
    back, mirror, written, angle, dorsal, four, front_only = [], [], [], [], [], [], []
    for posture, lengths in zip(q, L, strict=True):
        found = robot.muscles.posture_from_lengths(lengths[places])
        back.append(np.abs(found.q[0] - posture).max() if len(found) else math.inf)
        mirror.append(abs(found.q[1, 1] + posture[1]) if len(found) == 2 else math.inf)
        l_pe, l_de = lengths[0] / CM, lengths[1] / CM
        front, _ = spheres(l_pe, l_de)
        written.append(np.abs(equation_14(l_pe, l_de) - front).max())
        alpha, beta = angles(front)
        angle.append(max(abs(alpha - posture[1]), abs(beta - posture[0])))
        four.append(len(found))
        front_only.append(int((found.q[:, 1] >= 0).sum()))
        dorsal.append(len(robot.muscles.posture_from_lengths(lengths)))
    low = robot.muscles.lengths([0.3, np.radians(1.0), 0.0, 1.0])
    high = robot.muscles.lengths([0.3, np.radians(45.0), 0.0, 1.0])
    near = robot.muscles.posture_from_lengths(low)
    return Findings({
        "mobility printed": float(6 * (5 - 7 - 1) - 21), "mobility": float(mobility(5, [3] * 7)),
        "mobility sliding": float(mobility(8, [3] * 7 + [1] * 3)),
        "round trip": max(back), "mirror": max(mirror), "(14)": max(written), "(15)": max(angle),
        "dorsal": 100.0 * float(np.mean(np.array(dorsal) == 1)), "four": 100.0 * float(np.mean(np.array(four) == 1)),
        "front": 100.0 * float(np.mean(np.array(front_only) == 1)),
        "fold 1": fold(low[0] / CM, low[1] / CM), "fold 45": fold(high[0] / CM, high[1] / CM),
        "pair": float("dorsal" in near.pair),
    })  # fmt: skip


EXPERIMENT = Experiment(
    name="direct kinematics",
    claims=(
        Claim("mobility printed", "(1) as printed, 6 (5 - 7 - 1) - 21, beside the printed result", "freedoms", 3.0),
        Claim("mobility", "(1) with a plus: five links, seven ball joints", "freedoms", 3.0, exactly(3)),
        Claim("mobility sliding", "the same with muscles of variable length: three of the shoulder, three spins of muscles",
              "freedoms", None,
              exactly(6)),
        Claim("round trip", "posture to lengths and back: largest difference", "rad", None, at_most(1e-10)),
        Claim("mirror", "the same for its mirror image behind the body", "rad", None, at_most(1e-9)),
        Claim("(14)", "(14) beside the three spheres of (13): largest difference", "cm", None, at_most(1e-6)),
        Claim("(15)", "(15) with corrected signs beside the joint angles: largest difference", "rad", None, at_most(1e-9)),
        Claim("dorsal", "all seven lengths given: postures that the dorsal muscle makes unique", "%", None, at_least(100)),
        Claim("four", "the four lengths of (3) given: lengths with one posture", "%"),
        Claim("front", "the four lengths given: lengths with one posture in front of the body", "%", None, at_least(100)),
        Claim("fold 1", "det d(Lpe, Lde)/d(alpha, beta) at an elevation of 1 degree", "cm2"),
        Claim("fold 45", "det d(Lpe, Lde)/d(alpha, beta) at an elevation of 45 degrees", "cm2"),
        Claim("pair", "near the fold the closed form uses the dorsal muscle (1: yes)", "", None, exactly(1)),
    ),
    measure=measure,
    notes=(
        "the 3 degrees of freedom of (1) are not those of the shoulder. With muscles of fixed length they are the spins of three "
        "rods about their own axes. With muscles of variable length there are 6: three of the shoulder and three spins.",
        "the origins of pectoralis and deltoid lie in one plane with the shoulder's centre; with these two muscles alone the arm "
        "cannot cross that plane.",
    ),
)  # fmt: skip
