"""The studio's layers without the page: cells of a table, a reach map, a goniometer's arc; and the frames to drag."""

import numpy as np
import pytest

import limbik as lk
from limbik.studio.angle_arc import angle_arc
from limbik.studio.ghosts import ghosts
from limbik.studio.goniometry import motions
from limbik.studio.limbs import limb_of, tips_of
from limbik.studio.reach_plane import reach_plane
from limbik.studio.session import Session
from limbik.studio.table_cells import cell_layer

HUMAN = lk.load("human")


def test_a_layer_of_cells_contains_the_wrist_and_counts_postures() -> None:
    session = Session(lk.load("puma560"))
    layer = cell_layer(session, session.tips[0])
    assert layer.present >= 0
    apart = np.abs(np.diff(np.unique(layer.centres[:, 2])))
    assert np.allclose(apart, layer.side)
    thick = np.ptp(layer.centres, axis=0)
    assert min(thick[0], thick[1]) < 1e-9 < thick[2], "an upright layer, one cell thick"
    assert layer.counts.min() >= 1 and layer.counts.max() == 4
    assert layer.miss < 0.02
    wrist = session.robot.forward(session.q, "link4")[:3, 3]
    assert np.abs(wrist - layer.centres[layer.present]).max() <= layer.side / 2 + 1e-9


@pytest.mark.parametrize(("name", "frame"), [("ur5", "tip"), ("panda", None), ("human", "leftHand"), ("human", "head")])
def test_limbs_without_position_cells_raise(name: str, frame: str | None) -> None:
    session = Session(lk.load(name))
    with pytest.raises(lk.BadOption, match=r"wrist|elbow"):
        cell_layer(session, frame or session.tips[0])


def test_the_map_of_a_figures_hand_is_upright_and_goes_through_the_shoulder() -> None:
    session = Session(HUMAN)
    shoulder = HUMAN.forward(session.q, "leftUpperArm")[:3, 3]
    found = reach_plane(session, "leftHand", points=9, orientations=12)
    assert np.abs(found.points[:, 0] - shoulder[0]).max() < 1e-9
    assert np.ptp(found.points[:, 1]) > 0.4 and np.ptp(found.points[:, 2]) > 0.4
    assert 0 < found.share.min() <= found.share.max() <= 1
    with pytest.raises(lk.BadOption, match="no such map"):
        reach_plane(Session(lk.load("maximum_one")), "wrist", points=5, orientations=5)


@pytest.mark.parametrize("name", sorted(name for name, motion in motions(HUMAN).items() if motion.joint))
def test_the_arms_of_the_arc_enclose_the_measured_angle(name: str) -> None:
    session = Session(HUMAN)
    session.random(5)
    motion = motions(HUMAN)[name]
    session.set_joint(motion.joint, motion.sign * np.radians(min(40.0, motion.normal_deg)))
    arc = angle_arc(session, motion, np.array([3.0, 2.0, 3.0]))
    zero, present = arc.zero - arc.centre, arc.present - arc.centre
    cosine = zero @ present / np.linalg.norm(zero) / np.linalg.norm(present)
    assert np.degrees(np.arccos(np.clip(cosine, -1, 1))) == pytest.approx(abs(motion.angle_deg(session)), abs=1e-4)
    T = HUMAN.forward(session.q, HUMAN.model.mechanism.joint_of[motion.joint].child)
    assert abs(zero @ T[:3, :3] @ HUMAN.model.mechanism.joint_of[motion.joint].axis) < 1e-9
    session.set_joint(motion.joint, 0.0)
    straight = angle_arc(session, motion)
    assert np.abs(straight.zero - straight.present).max() < 1e-12


GRIPPER = """<robot name="gripper">{links}{joints}</robot>"""


def test_the_hand_comes_before_its_fingers() -> None:
    links = "".join(f'<link name="{name}"/>' for name in ("base", "a", "b", "hand", "left", "right"))
    limit = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>'
    rows = (("base", "a", "revolute"), ("a", "b", "revolute"), ("b", "hand", "revolute"),
            ("hand", "left", "prismatic"), ("hand", "right", "prismatic"))  # fmt: skip
    joints = "".join(
        f'<joint name="to_{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.2 0 0"/>{limit}</joint>'
        for parent, child, kind in rows
    )
    robot = lk.load(GRIPPER.format(links=links, joints=joints))
    assert tips_of(robot) == ("hand", "left", "right")
    limb = limb_of(robot, Session(robot).tips[0])
    assert limb is not None
    assert limb.chain.joint_names == ("to_a", "to_b", "to_hand")
    assert tips_of(HUMAN) == ("leftHand", "rightHand", "leftFoot", "rightFoot", "head"), (
        "what is led anywhere comes first"
    )


def test_ghosts_of_a_figures_arm_swivel_its_elbow() -> None:
    session = Session(HUMAN)
    for name, value in (("UpperArm_x", 0.9), ("UpperArm_z", 0.35), ("UpperArm_y", 0.2), ("LowerArm_x", 1.0)):
        session.set_joint(f"left{name}", value)
    found = ghosts(session, "leftHand")
    assert len(found) >= 5
    assert not found.complete
    assert np.array_equal(found.q[found.present], session.q)
    assert np.abs(HUMAN.forward(found.q, "leftHand") - session.target("leftHand")).max() < 1e-9
    assert HUMAN.within_limits(found.q).all()
    swivels = [HUMAN.limb("leftHand").swivel_of(q) for q in found.q]
    assert np.all(np.diff(swivels) > 0)
