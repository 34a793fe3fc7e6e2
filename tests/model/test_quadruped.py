"""The four-legged figure: it stands, it is symmetric, and it is solved like other figures."""

import numpy as np
import pytest

import limbik as lk

PAWS = tuple(f"{side}{end}Paw" for side in ("left", "right") for end in ("Front", "Hind"))
MIRROR = np.diag([-1.0, 1.0, 1.0])


@pytest.fixture(scope="module")
def dog():
    return lk.load("quadruped")


@pytest.fixture(scope="module")
def standing(dog):
    return dog.clamp(np.zeros(dog.n))


def test_it_stands_on_four_paws(dog, standing):
    assert (standing == 0).all()
    for paw in PAWS:
        T = dog.forward(standing, paw)
        assert T[1, 3] == pytest.approx(0.02) and np.allclose(T[:3, :3], np.eye(3))
    support = [dog.forward(standing, paw)[:3, 3] for paw in PAWS]
    centre = dog.model.centre_of_mass(standing)
    assert min(p[2] for p in support) < centre[2] < max(p[2] for p in support) and abs(centre[0]) < 1e-9
    assert dog.solve([lk.Balance(support)], seed=standing).ok


def test_left_and_right_are_symmetric(dog):
    rng = np.random.default_rng(2)
    q = dog.sample(rng)
    q[:6] = 0
    for name in dog.joint_names[6:]:  # of the trunk, only what keeps it symmetric
        if not name.startswith(("left", "right")) and name[-1] != "x":
            q[dog.joint_names.index(name)] = 0
    for k, name in enumerate(dog.joint_names):
        if name.startswith("right"):
            q[k] = q[dog.joint_names.index("left" + name.removeprefix("right"))]
    for paw in PAWS[:2]:
        other = "right" + paw.removeprefix("left")
        assert np.allclose(MIRROR @ dog.forward(q, paw)[:3, 3], dog.forward(q, other)[:3, 3])


def test_positive_is_flexion(dog, standing):
    """The paw moves closer to the first joint of the leg."""
    for leg, first in (("leftFront", "leftFrontUpperLeg"), ("leftHind", "leftHindUpperLeg")):
        for joint in ("LowerLeg_x", "Foot_x"):
            lengths = []
            for angle in (0.0, 0.5):
                q = standing.copy()
                q[dog.joint_names.index(leg + joint)] = angle
                lengths.append(np.linalg.norm(dog.forward(q, leg + "Paw")[:3, 3] - dog.forward(q, first)[:3, 3]))
            if leg + joint != "leftFrontFoot_x":  # in the standing posture the carpus is hyperextended
                assert lengths[1] < lengths[0]


def test_four_paws_planted_and_the_head_looks_at_a_point(dog, standing):
    body = lk.Body(dog, [*(lk.Planted(paw) for paw in PAWS), lk.Gaze("head")], balance=0.02)
    pose = body.at(standing)
    for t in np.linspace(0, 1, 60):
        pose = pose.drag({"gaze": (1.5 * np.sin(6 * t), 0.2 + 0.8 * t, 1.5)})
        assert pose.ok and dog.within_limits(pose.q)
    for paw in PAWS:
        assert np.abs(lk.pose_error(dog.forward(pose.q, paw), dog.forward(standing, paw))).max() < 2e-6
    T = dog.forward(pose.q, "head")
    way = np.array([1.5 * np.sin(6), 1.0, 1.5]) - T[:3, 3]
    assert T[:3, 2] @ way / np.linalg.norm(way) == pytest.approx(1, abs=1e-9)


def test_it_trots(dog, standing):
    """Two diagonal paws are lifted in turn while the others stand; no joint jumps and no standing paw slides."""
    body = lk.Body(dog, [*(lk.Pin(paw, rotation=0) for paw in PAWS), lk.Pin("hips", position=0.2, rotation=0.2)])
    pose = body.at(standing)
    ground = {paw: dog.forward(standing, paw)[:3, 3] for paw in PAWS}
    for k in range(120):
        phase = 2 * np.pi * k / 40
        targets = {}
        for paw in PAWS:
            turn = phase + (np.pi if paw in ("leftFrontPaw", "rightHindPaw") else 0)
            targets[paw] = ground[paw] + [0, 0.06 * max(np.sin(turn), 0), 0.08 * np.cos(turn)]
        after = pose.drag(targets)
        assert all(after.met[paw] for paw in PAWS), after.why
        assert np.abs(dog.model.difference(pose.q, after.q))[6:].max() < 0.3
        pose = after


def test_it_takes_proportions(dog, standing):
    long = dog.with_proportions({"chest": (1, 1, 1.5)})
    assert long.forward(standing, "leftFrontPaw")[2, 3] > dog.forward(standing, "leftFrontPaw")[2, 3] + 0.1
    tall = dog.with_proportions(
        {f"{side}{end}LowerLeg": 1.4 for side in ("left", "right") for end in ("Front", "Hind")}
    )
    assert min(tall.forward(standing, paw)[1, 3] for paw in PAWS) == pytest.approx(0.02)
