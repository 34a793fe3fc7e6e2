"""A walk of the human figure generated from rules: feet that stand exactly still, hips on a gentle wave, swinging arms."""

import numpy as np

import limbik as lk

# The part of two steps by which each leg is ahead.
SIDES = (("left", 0.0), ("right", 0.5))
# The time of two steps [s], the part of it in which a foot stands, the length of two steps in legs, and the lift of a foot [m].
CYCLE, STANCE, STRIDE, LIFT = 1.2, 0.62, 0.82, 0.08
# How far the toes of a swinging foot dip [rad].
DIP = 0.45
# How low the hips go for a step, as a part of the leg, and how far they rise and fall [m].
LOW, BOB = 0.95, 0.012


def generated_walk(seconds: float = 3.0, rate: float = 60.0, figure: lk.Skeleton | None = None) -> lk.Clip:
    """Return a walk along z, as the catalogue's human, or one like it with other proportions, does it."""
    body = lk.load("human") if figure is None else figure
    assert isinstance(body, lk.Skeleton)
    zero = np.zeros(body.n)
    ankles = {side: body.forward(zero, f"{side}Foot") for side in ("left", "right")}
    leg = float(body.forward(zero, "leftUpperLeg")[1, 3] - ankles["left"][1, 3])
    stride = STRIDE * leg
    times = np.arange(round(seconds * rate) + 1) / rate
    names = body.joint_names
    q, out = zero.copy(), []
    for t in times:
        phase = t / CYCLE
        here = np.zeros(body.n)
        here[:3] = 0.0, -(1 - LOW) * leg - BOB * np.cos(4 * np.pi * phase), stride * phase
        for side, shift in SIDES:
            swing = np.sin(2 * np.pi * (phase + shift))
            here[names.index(f"{side}UpperArm_x")] = 0.12 - 0.35 * swing
            here[names.index(f"{side}UpperArm_z")] = 0.12
            here[names.index(f"{side}LowerArm_x")] = 0.45 - 0.2 * swing
            here[names.index(f"{side}LowerArm_y")] = -1.2
        here[names.index("spine_y")] = 0.06 * np.sin(2 * np.pi * phase)
        feet = {f"{side}Foot": _foot(ankles[side], phase + s, s, stride) for side, s in SIDES}
        frozen = {n: here[names.index(n)] for n in names if "." not in n and "Leg" not in n and "Foot" not in n}
        legs = [k for k, n in enumerate(names) if "Leg" in n or "Foot" in n]
        here[legs] = q[legs]
        goals: list[lk.Goal] = [lk.Position(name, T[:3, 3]) for name, T in feet.items()]
        goals += [lk.Orientation(name, T, tolerance=np.inf) for name, T in feet.items()]
        answer = body.solve(goals, seed=here, frozen=frozen | {"root": here[:6]})
        assert answer.ok, answer.why
        q = answer.q
        out.append(q)
    return lk.Clip(body, np.array(out), times)


def _foot(ankle: np.ndarray, phase: float, shift: float, stride: float) -> np.ndarray:
    """Return where a foot is: still on the ground, or swinging forwards."""
    whole = np.floor(phase)
    part = phase - whole
    T = ankle.copy()
    s = 0.0 if part < STANCE else (part - STANCE) / (1 - STANCE)
    ease = s**3 * (10 - 15 * s + 6 * s * s)
    # Half way through its stance a foot is below the hips.
    T[2, 3] += stride * (whole - shift + STANCE / 2 + ease)
    T[1, 3] += LIFT * np.sin(np.pi * ease) ** 2
    c, d = np.cos(tilt := DIP * np.sin(np.pi * ease) ** 2), np.sin(tilt)
    T[:3, :3] = np.array([[1, 0, 0], [0, c, -d], [0, d, c]]) @ T[:3, :3]
    return T
