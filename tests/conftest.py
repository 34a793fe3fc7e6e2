"""Shared by the tests: random mechanisms with every kind of joint, and forward kinematics without code of the core."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from toys import analytic as _analytic  # noqa: F401  registers its method for every suite over the registry
from toys import iterative as _iterative  # noqa: F401

import limbik as lk

Rng = np.random.Generator


def random_pose(rng: Rng, size: float = 1.0) -> np.ndarray:
    """Return a pose with a random rotation and a translation of about `size`."""
    T = np.eye(4)
    T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
    T[:3, 3] = rng.normal(scale=size, size=3)
    return T


def random_joint(rng: Rng, name: str, parent: str, child: str, kind: lk.model.Kind) -> lk.model.Joint:
    """Return a joint of the given kind with a random origin, axis and range."""
    low, high = (
        sorted(rng.uniform(-3, 3, 2))
        if kind in (lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC)
        else (-math.inf, math.inf)
    )
    almost = (1e-8 * rng.normal(), -1.0, 0.0)  # of unit length to the last digit, but not the axis y
    axis = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), almost, tuple(rng.normal(size=3))][rng.integers(6)]
    return lk.model.Joint(name, kind, parent, child, random_pose(rng), np.array(axis, float), low, high)


def random_chain(rng: Rng, kinds: list[lk.model.Kind], name: str = "random") -> lk.Chain:
    """Return a chain of joints of these kinds, with fixed joints between some."""
    links, joints = [lk.model.Link("l0")], []
    for k, kind in enumerate(kinds):
        if rng.random() < 0.3:
            links.append(lk.model.Link(f"f{k}"))
            joints.append(
                lk.model.Joint(f"fixed{k}", lk.model.Kind.FIXED, links[-2].name, links[-1].name, random_pose(rng, 0.3))
            )
        links.append(lk.model.Link(f"l{k + 1}"))
        joints.append(random_joint(rng, f"j{k + 1}", links[-2].name, links[-1].name, kind))
    links.append(lk.model.Link("tool"))
    joints.append(lk.model.Joint("flange", lk.model.Kind.FIXED, links[-2].name, "tool", random_pose(rng, 0.2)))
    return lk.Chain(lk.model.Mechanism(name, tuple(links), tuple(joints)))


MOVING = [k for k in lk.model.Kind if k is not lk.model.Kind.FIXED]


def random_tree(rng: Rng, size: int) -> lk.Skeleton:
    """Return a tree of `size` joints of all kinds, some of them mimicking others."""
    links, joints = [lk.model.Link("l0")], []
    for k in range(size):
        kind = lk.model.Kind.FIXED if rng.random() < 0.15 else MOVING[rng.integers(len(MOVING))]
        parent = links[rng.integers(len(links))].name
        links.append(lk.model.Link(f"l{k + 1}"))
        joint = random_joint(rng, f"j{k + 1}", parent, links[-1].name, kind)
        drivers = [j for j in joints if j.kind.size == 1 and j.mimic is None]
        if kind.size == 1 and drivers and rng.random() < 0.3:
            driver = drivers[rng.integers(len(drivers))].name
            joint = joint.moved_to(mimic=lk.model.Mimic(driver, float(rng.uniform(-2, 2)), float(rng.normal())))
        joints.append(joint)
    return lk.Skeleton(lk.model.Mechanism("tree", tuple(links), tuple(joints)))


def reference_forward(
    mechanism: lk.model.Mechanism, base: str, tip: str, value: Callable[[lk.model.Joint], np.ndarray]
) -> np.ndarray:
    """Return T_base_tip directly from the definition, with SciPy's rotations."""

    def from_root(link: str) -> np.ndarray:
        T = np.eye(4)
        for joint in mechanism.ancestry(link):
            M, x = np.eye(4), value(joint)
            if joint.kind.is_revolute:
                M[:3, :3] = Rotation.from_rotvec(np.asarray(joint.axis) * x[0]).as_matrix()
            elif joint.kind is lk.model.Kind.PRISMATIC:
                M[:3, 3] = np.asarray(joint.axis) * x[0]
            elif joint.kind is lk.model.Kind.BALL:
                M[:3, :3] = Rotation.from_rotvec(x).as_matrix()
            elif joint.kind is lk.model.Kind.FLOATING:
                M[:3, 3], M[:3, :3] = x[:3], Rotation.from_rotvec(x[3:]).as_matrix()
            T = T @ joint.origin @ M
        return T

    return np.linalg.inv(from_root(base)) @ from_root(tip)


def values_of(body: lk.Chain | lk.Skeleton, q: np.ndarray) -> Callable[[lk.model.Joint], np.ndarray]:
    """Return a function that gives the values of a joint, derived from its driver if it mimics."""

    def value(joint: lk.model.Joint) -> np.ndarray:
        if joint.kind is lk.model.Kind.FIXED:
            return np.zeros(0)
        driver, multiplier, offset = body.model.mechanism.driver(joint)
        if joint.kind.size == 1:
            return np.array([multiplier * q[body.joint_names.index(driver.name)] + offset])
        start = body.joint_names.index(f"{joint.name}.{'rx' if joint.kind is lk.model.Kind.BALL else 'px'}")
        return q[start : start + joint.kind.size]

    return value


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Return a generator; the test's name shows its seed."""
    return np.random.default_rng(request.param)
