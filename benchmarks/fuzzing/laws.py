"""The laws that every accepted model must obey, whatever its numbers."""

import contextlib
import math

import numpy as np

from benchmarks.fuzzing.models import greatest_number
from benchmarks.fuzzing.texts import pick
from limbik import Chain, LimbikError, Skeleton
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.model.shape import Box, Shape

# Below this magnitude of every length, limit, multiplier and joint value, nothing may overflow.
HARMLESS = 1e60
# Relative error allowed where two ways of computing must agree.
AGREEMENT = 1e-9
# Angles up to this still mean something: one unit in their last place is less than AGREEMENT [rad].
READABLE_ANGLE = 1e5
# Laws that compare numbers are checked only for models of at most so many joint values.
MOST_JOINTS_COMPARED = 200


class Broken(Exception):
    """A law does not hold."""


def check(holds: bool, law: str) -> None:
    """Raise Broken with the law's name if it does not hold."""
    if not holds:
        raise Broken(law)


def postures(rng: np.random.Generator, body) -> np.ndarray:
    """Return a batch of q: zeros, home, the limits, multiples of pi/2, random values of any magnitude; more rows than lanes."""
    n = body.n
    rows = [np.zeros(n), body.home, np.where(np.isfinite(body.lower), body.lower, 1.0),
            np.where(np.isfinite(body.upper), body.upper, -1.0), rng.integers(-4, 5, n) * (math.pi / 2)]  # fmt: skip
    rows += list(rng.uniform(-math.pi, math.pi, (9, n)))
    rows += [rng.choice([-1.0, 1.0], n) * 10 ** rng.uniform(-300, 59, n), 10 ** rng.uniform(-8, 5, n)]
    return np.clip(rows, -HARMLESS, HARMLESS)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays are equal bit for bit; NaN equals NaN."""
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def near(a: np.ndarray, b: np.ndarray, scale: float = 1.0) -> bool:
    """Return whether poses agree to AGREEMENT: rotations absolutely, positions relative to the mechanism's size."""
    turned = np.abs(a[..., :3, :3] - b[..., :3, :3]).max(initial=0.0)
    moved = np.abs(a[..., :3, 3] - b[..., :3, 3]).max(initial=0.0)
    return bool(turned <= AGREEMENT and moved <= AGREEMENT * max(scale, 1.0))


def obey(rng: np.random.Generator, body) -> None:
    """Call every method; raise Broken if a law does not hold."""
    mechanism, n = body.model.mechanism, body.n
    size = greatest_number(mechanism)
    frame = body.tip if isinstance(body, Chain) else pick(rng, body.frames)
    check(body.lower.shape == body.upper.shape == body.home.shape == (n,), "the limits have n numbers")
    check(bool(np.isfinite(body.home).all()), "home is finite")
    check(bool((body.lower <= body.home).all() and (body.home <= body.upper).all()), "home is inside the limits")
    q = postures(rng, body)
    rows = len(q)
    T, J, everything = body.forward(q, frame), body.jacobian(q, frame), body.model.forward_all(q)
    both = body.forward_jacobian(q, frame)
    check(T.shape == (rows, 4, 4) and J.shape == (rows, 6, n), "forward and jacobian have their shapes")
    check(everything.shape == (rows, len(body.frames), 4, 4), "forward_all has its shape")
    check(same(both[0], T) and same(both[1], J), "forward_jacobian is forward and jacobian")
    k = int(rng.integers(rows))
    check(same(body.forward(q[k], frame), T[k]), "a row of forward is that row alone")
    check(same(body.jacobian(q[k], frame), J[k]), "a row of jacobian is that row alone")
    check(same(body.model.forward_all(q[k]), everything[k]), "a row of forward_all is that row alone")
    check(same(body.forward(q, frame, threads=3), T), "threads change nothing")
    q2 = q[rng.permutation(rows)]
    moved, apart = body.model.integrate(q, q2), body.model.difference(q, q2)
    check(same(body.model.integrate(q[k], q2[k]), moved[k]), "a row of integrate is that row alone")
    check(same(body.model.difference(q[k], q2[k]), apart[k]), "a row of difference is that row alone")
    inside = body.clamp(q)
    check(inside.shape == q.shape and bool(np.isfinite(inside).all()), "clamp gives finite postures")
    check(bool(body.within_limits(inside).all()), "a clamped posture is inside the limits")
    check(same(body.clamp(inside), inside), "clamping twice changes nothing")
    drawn = body.sample(rng, 5)
    check(drawn.shape == (5, n) and bool(np.isfinite(drawn).all()), "samples are finite")
    check(bool(body.within_limits(drawn).all()), "samples are inside the limits")
    check(bool(np.isfinite(body.reach)) or size > HARMLESS, "reach is finite")
    str(body), repr(body), body.fingerprint, getattr(body, "structure", None)
    extreme(rng, body, frame)

    reaching = np.abs(q).max(axis=-1, initial=0.0)
    harmless = (reaching < HARMLESS) & (size < HARMLESS)
    for name, values in (("forward", T), ("jacobian", J), ("forward_all", everything), ("integrate", moved)):
        check(bool(np.isfinite(values[harmless]).all()), f"{name} is finite")
    R = T[harmless][:, :3, :3]
    check(bool(np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0) < AGREEMENT), "rotations are rotations")
    check(
        same(T[harmless][:, 3], np.broadcast_to([0.0, 0.0, 0.0, 1.0], (int(harmless.sum()), 4))),
        "the last row is 0 0 0 1",
    )
    if size < READABLE_ANGLE and n <= MOST_JOINTS_COMPARED:
        plain = reaching < READABLE_ANGLE
        compare(body, frame, q[plain], T[plain], everything[plain])


def extreme(rng: np.random.Generator, body, frame: str) -> None:
    """Check joint values of any magnitude: refused, or answered without NaN in a rotation or in a clamped posture."""
    q = rng.choice([-1.0, 1.0], (3, body.n)) * 10 ** rng.uniform(-300, 308, (3, body.n))
    with contextlib.suppress(LimbikError):
        check(
            body.model.integrate(q, np.zeros_like(q)).shape == q.shape, "integrate keeps the shape of extreme postures"
        )
        check(body.model.difference(q, q[::-1]).shape == q.shape, "difference keeps the shape of extreme postures")
        inside = body.clamp(q)
        check(bool(np.isfinite(inside).all()), "extreme postures are clamped to finite ones")
        check(bool(body.within_limits(inside).all()), "extreme postures are clamped into the limits")
        T = body.forward(q, frame)
        check(same(body.forward(q[1], frame), T[1]), "a row of extreme postures is that row alone")
        if greatest_number(body.model.mechanism) < HARMLESS and not any(
            joint.mimic for joint in body.model.mechanism.joints
        ):
            check(bool(np.isfinite(T[:, :3, :3]).all()), "extreme postures have a rotation")


def size_of(shape: Shape) -> object:
    """Return the lengths of a shape that no placement changes."""
    return shape.sides if isinstance(shape, Box) else shape.radius


def compare(body, frame: str, q: np.ndarray, T: np.ndarray, everything: np.ndarray) -> None:
    """Compare two ways of computing the same result."""
    mechanism = body.model.mechanism
    lengths = sum(float(np.abs(joint.origin[:3, 3]).sum()) for joint in mechanism.joints)
    scale = lengths + body.n * float(np.abs(q).max(initial=1.0)) * max(1.0, greatest_number(mechanism))
    check(near(everything[:, body.frames.index(frame)], T, scale), "forward_all has forward's pose")
    skeleton = Skeleton(mechanism, body.base)
    columns = [skeleton.joint_names.index(name) for name in body.joint_names]
    whole = np.zeros((len(q), skeleton.n))
    whole[:, columns] = q
    check(near(skeleton.forward(whole, frame), T, scale), "a chain moves as in its skeleton")
    written = write_urdf(mechanism)
    again = read_urdf(written)
    back = Chain(again, body.base, frame) if isinstance(body, Chain) else Skeleton(again, body.base)
    check(back.joint_names == body.joint_names, "joint names survive writing")
    check(near(back.forward(q, frame), T, scale), "the motion survives writing")
    check(len(back.model.shapes) == len(body.model.shapes), "shapes survive writing")
    for (name, one), (twin, other) in zip(body.model.shapes, back.model.shapes, strict=True):
        check(
            name == twin and type(one) is type(other) and size_of(one) == size_of(other),
            "shapes survive writing as they are",
        )
