"""The number of characters: "often several thousand inverse kinematics computations per second for a 7-DOF limb" (section 6).

A character has four limbs with seven joints. The targets are random poses of the human arm, and the solver is limbik's
closed form for arms with an elbow swivel; every answer is verified. One thread, 60 frames per second. Table 8 has the
times of the paper's tables.
"""

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import chain
from limbik.papers.kim_tarokh.online import MICROSECONDS, shortest
from limbik.papers.paper import Experiment, Findings, Setting

TARGETS, QUICK_TARGETS = 5000, 1000
LIMBS, RATE = 4, 60
PASSES = 3
# "Several thousand" solutions per second and limb [1/s].
WANTED = 3000.0


def measure(setting: Setting) -> Findings:
    """Time the solution of limbs, and compute the number of characters."""
    arm = chain("human_arm_7")
    q = arm.sample(setting.rng(), setting.size(TARGETS, QUICK_TARGETS))
    T = arm.forward(q)
    swivels = np.array([arm.swivel(each) for each in q])
    one = shortest(lambda: [arm.solve_all(t, swivel=float(v)) for t, v in zip(T, swivels, strict=True)], len(T), PASSES)
    batch = shortest(lambda: arm.solve_batch(T, q, threads=1), len(T), PASSES)
    found = arm.solve_batch(T, q)
    return Findings(
        {
            "limbs": MICROSECONDS / batch,
            "all": MICROSECONDS / one,
            "characters": MICROSECONDS / batch / LIMBS / RATE,
            "ok": 100.0 * float(found.ok.mean()),
            "exact": float(found.position_error.max()),
        }
    )


EXPERIMENT = Experiment(
    name="animation",
    claims=(
        Claim("limbs", "7-DOF limbs per second, one exact posture each", "limbs/s", WANTED),
        Claim("all", "7-DOF limbs per second, all postures at an inclination, one call each from Python", "limbs/s"),
        Claim("characters", "characters with four such limbs at 60 frames per second, one thread", "characters"),
        Claim("ok", "limbs that reach their pose", "%"),
        Claim("exact", "largest position error", "m"),
    ),
    measure=measure,
)
