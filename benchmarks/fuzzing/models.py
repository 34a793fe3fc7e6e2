"""Random chains and trees of joints, with magnitudes from 1e-300 to 1e300."""

import math

import numpy as np

from benchmarks.fuzzing.texts import pick
from limbik import Capsule, Sphere
from limbik.model import Joint, Kind, Link, Mechanism, Mimic


def magnitude(rng: np.random.Generator, wild: float) -> float:
    """Return a signed number: of ordinary size, or of any size up to 10^wild where that is not 0."""
    if rng.random() < 0.1:
        return 0.0
    size = 10 ** float(rng.uniform(-300, wild) if wild else rng.uniform(-3, 1))
    return math.copysign(size, rng.uniform(-1, 1))


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a rotation: any, by quarter turns, or a hair from a pitch of 90 degrees."""
    act = rng.random()
    if act < 0.3:
        angles = rng.integers(-2, 3, 3) * (math.pi / 2)
    elif act < 0.5:
        angles = np.array([rng.uniform(-3, 3), math.pi / 2 - 10 ** rng.uniform(-16, -2), rng.uniform(-3, 3)])
    else:
        angles = rng.uniform(-math.pi, math.pi, 3)
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def random_mechanism(rng: np.random.Generator) -> Mechanism:
    """Return a random chain or tree; half of them with magnitudes of many sizes. May raise LimbikError."""
    wild = pick(rng, (0, 0, 0, 4, 25, 300))
    tree = rng.random() < 0.5
    scalar = rng.random() < 0.5
    kinds = [Kind.REVOLUTE, Kind.CONTINUOUS, Kind.PRISMATIC] + (
        [] if scalar else [Kind.FIXED, Kind.BALL, Kind.FLOATING]
    )
    joints: list[Joint] = []
    for k in range(int(rng.integers(1, 20))):
        kind = pick(rng, kinds)
        origin = np.eye(4)
        origin[:3, :3] = random_rotation(rng)
        origin[:3, 3] = [magnitude(rng, wild) for _ in range(3)]
        axis = np.array(
            pick(rng, [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), tuple(rng.normal(size=3))]), dtype=float
        )
        axis *= 10 ** float(rng.uniform(-300, 300)) if wild and rng.random() < 0.1 else 1.0
        low, high = sorted((magnitude(rng, wild), magnitude(rng, wild)))
        mimic = None
        if kind.size == 1 and k > 0 and rng.random() < 0.2:
            mimic = Mimic(f"j{int(rng.integers(k))}", magnitude(rng, wild), magnitude(rng, wild))
        limited = kind in (Kind.REVOLUTE, Kind.PRISMATIC) and rng.random() < 0.8
        joints.append(
            Joint(
                f"j{k}", kind, f"l{int(rng.integers(k + 1)) if tree else k}", f"l{k + 1}", origin, axis,
                low if limited and rng.random() < 0.9 else -math.inf, high if limited and rng.random() < 0.9 else math.inf,
                swing=pick(rng, (0.0, math.pi, math.inf, math.inf, *rng.uniform(0, 3.2, 4).tolist())),
                twist=tuple(sorted(rng.uniform(-3.1, 3.1, 2).tolist())) if rng.random() < 0.5 else (-math.inf, math.inf),
                mimic=mimic,
            )
        )  # fmt: skip
    links = tuple(Link(f"l{k}", shapes=random_shapes(rng, wild)) for k in range(len(joints) + 1))
    return Mechanism("fuzz", links, tuple(joints))


def random_shapes(rng: np.random.Generator, wild: float) -> tuple[Sphere | Capsule, ...]:
    """Return no, one or two shapes. May raise LimbikError."""

    def point() -> tuple[float, float, float]:
        return magnitude(rng, wild), magnitude(rng, wild), magnitude(rng, wild)

    if rng.random() < 0.8:
        return ()
    radius = abs(magnitude(rng, wild)) or 1.0
    capsule = Capsule(point(), point(), radius)
    return (capsule,) if rng.random() < 0.5 else (capsule, Sphere(point(), radius))


def greatest_number(mechanism: Mechanism) -> float:
    """Return the greatest magnitude that a motion of the mechanism can meet, apart from q."""
    sizes = [1.0]
    for joint in mechanism.joints:
        sizes.append(float(np.abs(joint.origin[:3, 3]).max()))
        sizes += [abs(x) for x in (joint.lower, joint.upper) if math.isfinite(x)]
        if joint.mimic is not None:
            _, multiplier, offset = mechanism.driver(joint)
            sizes += [abs(multiplier), abs(offset)]
    return max(sizes) if not any(map(math.isnan, sizes)) else math.inf
