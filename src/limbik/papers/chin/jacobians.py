"""The Jacobian in the thesis' three formulations: (3.7)-(3.8), (3.9)-(3.10) and (5.29)-(5.30), and the gradient (5.31).

- Paul, (3.7)-(3.8): column i in the hand's frame, from the hand's pose [n o a p] in the frame of joint i, with d = (0, 0, 1) the
  axis: (n.(d x p), o.(d x p), a.(d x p), n.d, o.d, a.d).
- Craig, (3.9)-(3.10): velocities from the base outwards. With R the rotation from frame i to i + 1 and P the position of
  joint i + 1 in frame i: w' = R w + rate z, v' = R (v + w x P). Each joint alone gives one column, in the hand's frame.
- Zomaya, (5.29)-(5.30): column i is (z x (p_N - p), z), in the base frame.

Section 5.2.2 says that the Jacobian is that of the end effector's frame, but (5.29)-(5.30) are in the base frame. (5.31) needs
the derivative of the residual (5.22), which is in the hand's frame: -J in that frame, to first order.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.newton_steps import problem_of
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain

POSTURES, QUICK_POSTURES = 500, 100
# |J - J of the core|, in m/rad and rad/rad.
ROUNDING = 1e-9
PERCENT = 100.0
AXIS = np.array([0.0, 0.0, 1.0])


def joint_frames(arm: Chain, q: Array) -> Array:
    """Return the frames of the joints, each after its own rotation about z, then that of the hand, (n + 1, 4, 4)."""
    poses = arm.model.forward_all(q)
    numbers = arm.model.compiled.frame_numbers
    joints = [j.child for j in arm.model.mechanism.path(arm.base, arm.tip) if j.name in arm.joint_names]
    return np.array([*(poses[numbers[name]] for name in joints), arm.forward(q)])


def paul(frames: Array) -> Array:
    """Return the Jacobian (6, n) by (3.7)-(3.8), in the hand's frame."""
    columns = []
    for T in frames[:-1]:
        n, o, a, p = (np.linalg.inv(T) @ frames[-1])[:3].T
        moved = np.cross(AXIS, p)
        columns.append([n @ moved, o @ moved, a @ moved, n @ AXIS, o @ AXIS, a @ AXIS])
    return np.array(columns).T


def craig(frames: Array) -> Array:
    """Return the Jacobian (6, n) by (3.9)-(3.10), in the hand's frame."""
    count = len(frames) - 1
    columns = []
    for moving in range(count):
        w, v = np.zeros(3), np.zeros(3)
        before = np.eye(4)
        for k, T in enumerate(frames):
            step = np.linalg.inv(before) @ T
            R, P = step[:3, :3].T, step[:3, 3]
            v = R @ (v + np.cross(w, P))
            w = R @ w + (AXIS if k == moving else 0.0)
            before = T
        columns.append([*v, *w])
    return np.array(columns).T


def zomaya(frames: Array) -> Array:
    """Return the Jacobian (6, n) by (5.29)-(5.30), in the base frame."""
    end = frames[-1][:3, 3]
    return np.array([[*np.cross(T[:3, 2], end - T[:3, 3]), *T[:3, 2]] for T in frames[:-1]]).T


def in_hand(J: Array, T: Array) -> Array:
    """Return a Jacobian of the base frame in the frame of the hand at T."""
    return np.concatenate([T[:3, :3].T @ J[:3], T[:3, :3].T @ J[3:]])


def measure(setting: Setting) -> Findings:
    """Compare the formulations with the Jacobian of the core, and (5.31) with the derivative of the sum of squares."""
    arm, rng = appendix_b(), setting.rng()
    count = setting.size(POSTURES, QUICK_POSTURES)
    far = dict.fromkeys(("paul", "craig", "zomaya", "zomaya in hand"), 0.0)
    down = {"base": 0, "hand": 0}
    for q in rng.uniform(-np.pi, np.pi, (count, arm.n)):
        frames, J, T = joint_frames(arm, q), arm.jacobian(q), arm.forward(q)
        found = {"paul": paul(frames), "craig": craig(frames), "zomaya in hand": zomaya(frames)}
        for name, own in found.items():
            far[name] = max(far[name], float(np.abs(own - in_hand(J, T)).max()))
        far["zomaya"] = max(far["zomaya"], float(np.abs(zomaya(frames) - J).max()))
        target = np.array(T)
        target[:3, 3] += 2.0 * UNIT * _direction(rng)
        problem = problem_of(arm, target, "5.22", UNIT)
        r, true = problem.residual(q), problem.gradient(q)
        metres = np.repeat([1.0 / UNIT, 1.0], 3)[:, None]
        for frame, own in (("base", zomaya(frames)), ("hand", in_hand(zomaya(frames), T))):
            down[frame] += float((-2.0 * r @ (metres * own)) @ true) > 0.0
    shares = {f"descent {frame}": PERCENT * n / count for frame, n in down.items()}
    return Findings({**far, **shares})


def _direction(rng: np.random.Generator) -> Array:
    d = rng.normal(size=3)
    return np.asarray(d / np.linalg.norm(d))


EXPERIMENT = Experiment(
    name="Jacobian",
    claims=(
        Claim("paul", "(3.7)-(3.8), hand's frame: largest difference from the Jacobian of the core", "m, rad",
              bar=at_most(ROUNDING)),
        Claim("craig", "(3.9)-(3.10), hand's frame: largest difference from the Jacobian of the core", "m, rad",
              bar=at_most(ROUNDING)),
        Claim("zomaya", "(5.29)-(5.30), base frame: largest difference from the Jacobian of the core", "m, rad",
              bar=at_most(ROUNDING)),
        Claim("zomaya in hand", "(5.29)-(5.30) taken for the hand's frame, as the text says: largest difference", "m, rad"),
        Claim("descent base", "(5.31) with J as printed, base frame: postures at which -g leads downhill", "%"),
        Claim("descent hand", "(5.31) with J in the hand's frame: postures at which -g leads downhill", "%"),
    ),
    measure=measure,
    notes=("section 5.2.2 says that the Jacobian is that of the hand's frame; (5.29)-(5.30) give it in the base frame.",),
)  # fmt: skip
