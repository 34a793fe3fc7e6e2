"""The number of characters: "often several thousand inverse kinematics computations per second for a 7-DOF limb" (section 6).

A character has four limbs with seven joints. Every limb moves: each joint swings about the middle of its range. Each frame is
solved from seeds that an animation has: the answers of the previous frame, or the home posture. The same frames are also solved
from the true posture moved by up to 0.1 rad, and from the true posture itself, which no application knows. Every answer is
verified. One thread, one batch per frame;
times are CPU times.

The closed form at a given inclination takes no seed. It must give the posture whose inclination was given: the paper states that
there is no closed form for this arm.
"""

from collections.abc import Callable
from time import process_time

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_least, at_most
from limbik.papers.kim_tarokh.arms import chain
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain

CHARACTERS, LIMBS, RATE = 125, 4, 60
FRAMES, QUICK_FRAMES = 61, 16
POSES, QUICK_POSES = 2000, 300
PASSES = 3
# Frequency [Hz] and amplitude [half ranges] of the swing of a joint.
FREQUENCY, AMPLITUDE = (0.2, 1.0), (0.3, 0.9)
# The distance of a seed from the true posture [rad].
OFF = 0.1
# Position errors up to this are rounding of forward kinematics [m]. Postures within SAME are equal [rad].
ROUNDING, SAME = 1e-9, 1e-6
PERCENT = 100.0
# The starts of a frame: key and text.
STARTS = (
    ("previous", "the previous frame's answer"),
    ("home", "the home posture"),
    ("off", "the true posture, 0.1 rad off"),
    ("answer", "the true posture"),
)


def swing(arm: Chain, rng: np.random.Generator, limbs: int) -> Callable[[float], Array]:
    """Return a motion of limbs: time [s] -> joint values (limbs, n), inside the limits."""
    shape = (limbs, arm.n)
    phase, turns = rng.uniform(0, 2 * np.pi, shape), 2 * np.pi * rng.uniform(*FREQUENCY, shape)
    middle, half = (arm.upper + arm.lower) / 2, (arm.upper - arm.lower) / 2 * rng.uniform(*AMPLITUDE, shape)
    return lambda t: np.asarray(middle + half * np.sin(turns * t + phase))


def frame_times(arm: Chain, rng: np.random.Generator, frames: int) -> dict[str, float]:
    """Return the limbs per second, the share that reaches its pose [%] and the largest position error [m], by start."""
    at = swing(arm, rng, CHARACTERS * LIMBS)
    last = after = at(0.0)
    spent, reached, worst = (dict.fromkeys((key for key, _ in STARTS), 0.0) for _ in range(3))
    for frame in range(1, frames):
        q = at(frame / RATE)
        T = arm.forward(q)
        seeds: dict[str, Array | None] = {
            "previous": last,
            "home": None,
            "off": np.clip(q + rng.uniform(-OFF, OFF, q.shape), arm.lower, arm.upper),
            "answer": q,
        }
        best = dict.fromkeys(seeds, np.inf)
        for _ in range(PASSES):
            for key, seed in seeds.items():
                start = process_time()
                found = arm.solve_batch(T, seed, threads=1)
                best[key] = min(best[key], process_time() - start)
                if key == "previous":
                    after = np.where(found.ok[:, None], found.q, last)
                reached[key] += float(found.ok.sum())
                worst[key] = max(worst[key], float(found.position_error[found.ok].max(initial=0.0)))
        last = after
        for key, shortest in best.items():
            spent[key] += shortest
    out: dict[str, float] = {}
    for key in spent:
        limbs = (frames - 1) * CHARACTERS * LIMBS
        rate = limbs / spent[key]
        out |= {f"{key} limbs": rate, f"{key} characters": rate / LIMBS / RATE}
        out |= {f"{key} ok": PERCENT * reached[key] / (PASSES * limbs), f"{key} worst": worst[key]}
    return out


def at_inclinations(arm: Chain, rng: np.random.Generator, count: int) -> dict[str, float]:
    """Return how the closed form answers random poses with the inclination of the elbow given."""
    q = arm.sample(rng, count)
    T = arm.forward(q)
    v = [arm.swivel(each) for each in q]
    start = process_time()
    found = [arm.solve_all(pose, swivel=float(angle)).q for pose, angle in zip(T, v, strict=True)]
    rate = count / (process_time() - start)
    gaps = [np.abs(np.exp(1j * each) - np.exp(1j * true)).max(-1).min(initial=np.inf)
            for each, true in zip(found, q, strict=True)]  # fmt: skip
    return {"inclined": rate, "recovered": PERCENT * float(np.mean(np.array(gaps) < SAME))}


def measure(setting: Setting) -> Findings:
    """Time the solution of moving limbs, and of poses at given inclinations."""
    arm, rng = chain("human_arm_7"), setting.rng()
    out = frame_times(arm, rng, setting.size(FRAMES, QUICK_FRAMES))
    out |= {f"{key} ratio": out["previous limbs"] / out[f"{key} limbs"] for key, _ in STARTS}
    return Findings(out | at_inclinations(arm, rng, setting.size(POSES, QUICK_POSES)))


def _claims(key: str, text: str) -> tuple[Claim, ...]:
    def claim(name: str, what: str, column: str, unit: str) -> Claim:
        bar = at_most(ROUNDING) if name == "worst" else None
        cell = Cell("7-DOF limbs, one thread, by the start of the search", text, column)
        return Claim(f"{key} {name}", f"7-DOF limbs from {text}: {what}", unit, None, bar, cell)

    return (
        claim("limbs", "limbs per second", "limbs/s", "limbs/s"),
        claim("characters", "characters with four limbs at 60 frames per second", "characters", "characters"),
        claim("ratio", "time of a limb / time from the previous frame's answer", "time ratio", "x"),
        claim("ok", "limbs that reach their pose", "reached [%]", "%"),
        claim("worst", "largest position error", "worst error [m]", "m"),
    )


EXPERIMENT = Experiment(
    name="animation",
    claims=(
        *(claim for key, text in STARTS for claim in _claims(key, text)),
        Claim("inclined", "7-DOF limbs per second, all postures at an inclination, one call each from Python", "limbs/s"),
        Claim("recovered", "random postures that the closed form finds again from pose and inclination", "%", None,
              at_least(PERCENT)),
    ),
    measure=measure,
)  # fmt: skip
