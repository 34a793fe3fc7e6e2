"""Following: random smooth paths of four arms beside a greedy follower and a peer, paths that force a jump, and timing."""

from pathlib import Path
from time import perf_counter

import numpy as np
from cases.smooth_motions import FRAMES, RATE, smooth_motion

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from limbik.model.joint import Kind
from limbik.motion.follow.pacing import excess

ARMS = ("panda", "ur5", "iiwa7", "puma560")
PATHS = 500
# A frame-by-frame follower jumps where a joint steps farther than this [rad]; at 100 frames/s that is 50 rad/s.
JUMP = 0.5
# The speed limit of joints for which the model has none [rad/s].
BRISK = 50.0
# Lines that are timed, and the bounds of their accelerations [rad/s^2].
TIMED, ACCELERATION = 50, 8.0


def following(_: Path) -> list[Measurement]:
    """Measure 500 random smooth feasible paths for each arm: limbik, a greedy follower, roboticstoolbox."""
    measured: list[Measurement] = []
    for name in ARMS:
        arm = lk.load(name)
        assert isinstance(arm, lk.Chain)
        measured += _paths_of(arm)
    return measured + _forced_jumps() + _speed() + _timing()


def _paths_of(arm: lk.Chain) -> list[Measurement]:
    rng = np.random.default_rng(SEED)
    peer = _toolbox(arm)
    followed = jumps = slowed = 0
    error = turned = quick = 0.0
    times: list[float] = []
    greedy, toolbox = [0, 0], [0, 0]
    outside = 0
    for k in range(PATHS):
        q = smooth_motion(arm, rng, k % 4)
        Ts = arm.forward(q)
        start = perf_counter()
        clip = arm.follow(Ts, rate=RATE)
        times.append(perf_counter() - start)
        followed += clip.ok and len(clip.jumps) == 0
        jumps += len(clip.jumps)
        slowed += clip.duration > (FRAMES - 1) / RATE * (1 + 1e-9)
        error, turned = max(error, clip.position_error.max()), max(turned, clip.rotation_error.max())
        outside += int((~arm.within_limits(clip.q)).sum())
        bound = np.where(np.isfinite(arm.velocity), arm.velocity, BRISK)
        quick = max(
            quick, float((np.abs(np.diff(clip.q, axis=0)) / np.diff(clip.times)[:, None] / bound).max(initial=0.0))
        )
        for count, other in ((greedy, lambda T, seed: _greedy(arm, T, seed)), (toolbox, peer)):
            lost, jumped = _frame_by_frame(arm, Ts, other)
            count[0] += lost
            count[1] += jumped and not lost
    note = f"{slowed} took longer than the motion they were made from, so that no joint exceeds its speed"
    bound_name = "the model's speed" if np.isfinite(arm.velocity).all() else f"{BRISK:g} rad/s"
    return [
        at_least(f"{arm.name}: paths followed without a jump, of {PATHS}", followed, PATHS, "", note),
        at_most(f"{arm.name}: jumps", jumps, 0, ""),
        at_most(f"{arm.name}: the quickest step, in parts of {bound_name}", quick, 1.0, ""),
        at_most(f"{arm.name}: frames outside the limits", outside, 0, ""),
        at_most(f"{arm.name}: worst position error of any frame", error, 1e-8, "m"),
        at_most(f"{arm.name}: worst rotation error of any frame", turned, 1e-8, "rad"),
        at_least(f"{arm.name}: greedy follower, paths lost", greedy[0], 0, "", f"{greedy[1]} more with a step above {JUMP} rad"),
        at_least(f"{arm.name}: roboticstoolbox, paths lost", toolbox[0], 0, "",
                 f"{toolbox[1]} more with a step above {JUMP} rad"),
        at_most(f"{arm.name}: time for a path of {FRAMES} frames, median", 1e3 * float(np.median(times)), 100.0, "ms",
                f"the longest {max(times):.2f} s"),
    ]  # fmt: skip


def _greedy(arm: lk.Chain, T: np.ndarray, seed: np.ndarray) -> np.ndarray | None:
    answer = arm.solve(T, seed)
    return answer.q if answer.ok else None


def _toolbox(arm: lk.Chain):
    import roboticstoolbox as rtb

    parts = []
    for k, e in enumerate(arm.model.compiled.elements):
        parts.append(rtb.ET.SE3(np.array(e.placement)))
        limits = np.array([arm.lower[k], arm.upper[k]])
        parts.append(rtb.ET.tz(qlim=limits) if e.joint.kind is Kind.PRISMATIC else rtb.ET.Rz(qlim=limits))
    parts.append(rtb.ET.SE3(np.array(arm.model.compiled.frames[arm.tip][1])))
    ets = rtb.ETS(parts)

    def solve(T: np.ndarray, seed: np.ndarray) -> np.ndarray | None:
        found = ets.ik_LM(T, q0=np.array(seed), method="chan", k=0.1, tol=1e-10)
        return np.asarray(found.q).reshape(-1) if found.success else None

    return solve


def _frame_by_frame(arm: lk.Chain, Ts: np.ndarray, solve) -> tuple[bool, bool]:
    """Follow from the home posture, each frame from the one before: is a frame lost, does a joint jump?"""
    q, jumped = arm.home, False
    for k, T in enumerate(Ts):
        found = solve(T, q)
        if found is None or not arm.within_limits(found):
            return True, jumped
        jumped |= k > 0 and float(np.abs(found - q).max()) > JUMP
        q = found
    return False, jumped


def _forced_jumps() -> list[Measurement]:
    """Measure paths that cannot be followed smoothly: refused with the frame and the reason, or followed with a list of jumps."""
    ur5, puma, panda = lk.load("ur5"), lk.load("puma560"), lk.load("panda")
    flat = ur5.forward(np.radians([-20, -100, 110, -100, -90, 0]))
    pitched = puma.forward(np.radians([10, -120, 20, 10, 40, 5]))
    start = panda.forward(panda.home)
    far, away = np.array(flat), np.array(start)
    far[1, 3] += 1.2
    away[0, 3] += 1.0
    round_the_ur5 = lk.Path.circle(flat, radius=0.05, turning=True)
    round_the_puma = lk.Path.circle(pitched, radius=0.03, turning=True)
    cases = {
        "ur5, wrist wound past its limit": (ur5, round_the_ur5.repeated(4), "limit", True),
        "puma560, wrist wound past its limit": (puma, round_the_puma.repeated(2), "limit", True),
        "ur5, past its reach": (ur5, lk.Path.line(flat, far), "reach", False),
        "panda, past its reach": (panda, lk.Path.line(start, away), "reach", False),
        "panda, flange rotated past the limits": (panda, lk.Path.screw(start, axis=(0, 0, 1), angle=4 * np.pi), "limit", True),
        "ur5 with a shoulder held back": (ur5.with_limits({"shoulder_pan_joint": -0.4}, {"shoulder_pan_joint": 0.4}),
                                          lk.Path.circle(flat, centre=(0, 0, flat[2, 3]), angle=2 * np.pi), "limit", False),
    }  # fmt: skip
    measured = []
    for what, (arm, path, reason, passes) in cases.items():
        clip, jumping = arm.follow(path), arm.follow(path, jumps="allow")
        explained = (
            not clip.ok
            and clip.failed is not None
            and any(word in clip.why for word in reason.split("|"))
            and "frame" in clip.why
        )
        smooth = len(clip) < 2 or float(np.abs(np.diff(clip.q, axis=0)).max()) < JUMP
        rest = np.ones(len(jumping) - 1, bool)
        rest[[k - 1 for k in jumping.jumps]] = False
        others = np.abs(np.diff(jumping.q, axis=0))[rest]
        listed = (
            jumping.ok == passes
            and (not passes or len(jumping.jumps) > 0)
            and (not len(others) or float(others.max()) < JUMP)
        )
        measured.append(
            at_least(f"{what}: reported where and why", float(explained and smooth and listed), 1, "", clip.why)
        )
    return measured


def _speed() -> list[Measurement]:
    measured = []
    for name, bar in (("ur5", 10.0), ("panda", 100.0), ("iiwa7", 100.0)):
        arm = lk.load(name)
        rng = np.random.default_rng(SEED)
        low, high = np.maximum(arm.lower, -2.0), np.minimum(arm.upper, 2.0)
        times = []
        while len(times) < TIMED:
            q = 0.5 * (low + high) + 0.6 * (high - low) * rng.uniform(-0.5, 0.5, arm.n)
            T = arm.forward(q)
            end = np.array(T)
            end[:3, 3] += rng.uniform(-0.15, 0.15, 3)
            path = lk.Path.line(T, end).with_duration((FRAMES - 2) / RATE)
            start = perf_counter()
            clip = arm.follow(path)
            spent = perf_counter() - start
            if clip.ok:
                times.append(spent)
        measured.append(
            at_most(
                f"{name}: a line of {FRAMES - 1} frames, median of {TIMED}", 1e3 * float(np.median(times)), bar, "ms"
            )
        )
    return measured


def _timing() -> list[Measurement]:
    """Measure speeds and accelerations of the frames, and the duration beside toppra's, for curves at full speed."""
    import logging

    import toppra
    from toppra import algorithm, constraint

    logging.getLogger("toppra").setLevel(logging.ERROR)
    arm = lk.load("ur5")
    rng = np.random.default_rng(SEED)
    worst, ratios, off = 0.0, [], 0.0
    most = np.full(6, ACCELERATION)
    while len(ratios) < TIMED:
        q = np.radians([-20, -100, 110, -100, -90, 0]) + rng.uniform(-0.4, 0.4, 6)
        places = arm.forward(q)[:3, 3] + np.cumsum(rng.uniform(-0.12, 0.12, (5, 3)), axis=0)
        path = lk.Path.spline(places, rotation=arm.forward(q)[:3, :3])
        plain = arm.follow(path, seed=q, velocity=np.inf)
        clip = arm.follow(path, seed=q, rate=200.0, acceleration=most, fastest=True)
        if not (plain.ok and clip.ok):
            continue
        worst = max(worst, excess(clip.q, clip.times, arm.velocity, most))
        off = max(off, float(clip.position_error.max()))
        curve = toppra.SplineInterpolator(plain.times, plain.q)
        bounds = [
            constraint.JointVelocityConstraint(np.stack([-arm.velocity, arm.velocity], 1)),
            constraint.JointAccelerationConstraint(np.stack([-most, most], 1)),
        ]
        other = algorithm.TOPPRA(
            bounds, curve, gridpoints=np.linspace(0, plain.times[-1], 800), parametrizer="ParametrizeConstAccel"
        )
        ratios.append(clip.duration / other.compute_trajectory(0, 0).duration)
    return [
        at_most("timing: speeds and accelerations between frames, in parts of their bounds", worst, 1.0, ""),
        at_most("timing: distance of any frame from the path", off, 1e-8, "m"),
        at_most(
            "timing: time beside toppra's, median",
            float(np.median(ratios)),
            1.05,
            "",
            f"from {min(ratios):.3f} to {max(ratios):.3f}",
        ),
    ]
