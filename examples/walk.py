"""A generated walk of the human figure: fixed feet during stance, hips on a small wave, swinging arms."""

import numpy as np

import limbik as lk

# The phase of each leg, as a share of the cycle.
SIDES = (("left", 0.0), ("right", 0.5))
# The cycle, which is two steps [s]; the share of stance; the length of a cycle in leg lengths; the lift of a foot [m].
CYCLE, STANCE, STRIDE, LIFT = 1.2, 0.62, 0.82, 0.08
# The pitch of a swinging foot [rad].
DIP = 0.45
# The height of the hips, as a share of the leg, and their vertical amplitude [m].
LOW, BOB = 0.95, 0.012


def generated_walk(seconds: float = 3.0, rate: float = 60.0, figure: lk.Skeleton | None = None) -> lk.Clip:
    """Return a walk along z of the catalogue's human, or of one with other proportions."""
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
        seed = np.zeros(body.n)
        seed[:3] = 0.0, -(1 - LOW) * leg - BOB * np.cos(4 * np.pi * phase), stride * phase
        for side, shift in SIDES:
            swing = np.sin(2 * np.pi * (phase + shift))
            seed[names.index(f"{side}UpperArm_x")] = 0.12 - 0.35 * swing
            seed[names.index(f"{side}UpperArm_z")] = 0.12
            seed[names.index(f"{side}LowerArm_x")] = 0.45 - 0.2 * swing
            seed[names.index(f"{side}LowerArm_y")] = -1.2
        seed[names.index("spine_y")] = 0.06 * np.sin(2 * np.pi * phase)
        feet = {f"{side}Foot": _foot(ankles[side], phase + s, s, stride) for side, s in SIDES}
        frozen = {n: seed[names.index(n)] for n in names if "." not in n and "Leg" not in n and "Foot" not in n}
        legs = [k for k, n in enumerate(names) if "Leg" in n or "Foot" in n]
        seed[legs] = q[legs]
        goals: list[lk.Goal] = [lk.Position(name, T[:3, 3]) for name, T in feet.items()]
        goals += [lk.Orientation(name, T, tolerance=np.inf) for name, T in feet.items()]
        answer = body.solve(goals, seed=seed, frozen=frozen | {"root": seed[:6]})
        assert answer.ok, answer.why
        q = answer.q
        out.append(q)
    return lk.Clip(body, np.array(out), times)


def _foot(ankle: np.ndarray, phase: float, shift: float, stride: float) -> np.ndarray:
    """Return the pose of a foot: fixed on the ground, or swinging forwards."""
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
