"""Bones of a human are found by the names of every convention, and a name in the wrong place of the tree is rejected."""

import pickle
import re

import pytest
from cases.other_models import NotInstalled, installed

import limbik as lk
from limbik.model.bone_names import BONES, PARENTS, REQUIRED


def both_sides(words, left, right):
    """Words with '*' for the side, written for each side."""
    return [
        name
        for word in words
        for name in ([word.replace("*", left), word.replace("*", right)] if "*" in word else [word])
    ]


WORDS = {
    "builder": "Hips Spine Spine1 Spine2 Neck Head *Shoulder *Arm *ForeArm *Hand *UpLeg *Leg *Foot *ToeBase",
    "cmu": "Hips LowerBack Spine Spine1 Neck Neck1 Head *Shoulder *Arm *ForeArm *Hand *UpLeg *Leg *Foot *ToeBase",
    "asf": "root lowerback upperback thorax lowerneck upperneck head *clavicle *humerus *radius *wrist *hand *fingers "
    "*thumb *hipjoint *femur *tibia *foot *toes",
    "smpl": "pelvis spine1 spine2 spine3 neck head *collar *shoulder *elbow *wrist *hand *hip *knee *ankle *foot",
    "unreal": "pelvis spine_01 spine_02 spine_03 neck_01 head clavicle* upperarm* lowerarm* hand* thigh* calf* foot* ball*",
    "rigify": "spine spine.001 spine.002 spine.003 spine.004 spine.006 shoulder* upper_arm* forearm* hand* thigh* shin* "
    "foot* toe*",
    "biped": "Pelvis Spine Spine1 Neck Head *Clavicle *UpperArm *Forearm *Hand *Thigh *Calf *Foot *Toe0",
    "bullet": "root chest neck *shoulder *elbow *wrist *hip *knee *ankle",
}
BUILDER, CMU, ASF, SMPL, UNREAL, RIGIFY, BIPED, BULLET = (words.split() for words in WORDS.values())

# Names, the convention that they follow, and what three of the left bones are called.
LISTS = {
    "mixamo": (["mixamorig:" + n for n in both_sides(BUILDER, "Left", "Right")], "mixamorig:LeftForeArm"),
    "mixamo_bare": (["mixamorig" + n for n in both_sides(BUILDER, "Left", "Right")], "mixamorigLeftForeArm"),
    "motionbuilder": (both_sides(BUILDER, "Left", "Right"), "LeftForeArm"),
    "motionbuilder_space": (["Anna:" + n for n in both_sides(BUILDER, "Left", "Right")], "Anna:LeftForeArm"),
    "cmu": (both_sides(CMU, "Left", "Right"), "LeftForeArm"),
    "asf": (both_sides(ASF, "l", "r"), "lradius"),
    "smpl": (both_sides(SMPL, "left_", "right_"), "left_elbow"),
    "smpl_short": (both_sides(SMPL, "L_", "R_"), "L_elbow"),
    "unreal": (both_sides(UNREAL, "_l", "_r"), "lowerarm_l"),
    "rigify": (both_sides(RIGIFY, ".L", ".R"), "forearm.L"),
    "rigify_deform": (["DEF-" + n for n in both_sides(RIGIFY, ".L", ".R")], "DEF-forearm.L"),
    "biped": (["Bip01 " + n for n in both_sides(BIPED, "L ", "R ")], "Bip01 L Forearm"),
    "pybullet": (both_sides(BULLET, "left_", "right_"), "left_elbow"),
}


@pytest.mark.parametrize("case", LISTS)
def test_names_of_every_convention_are_known(case):
    listed, forearm = LISTS[case]
    names = lk.humanoid(listed)
    assert names.convention == case.split("_")[0]
    assert names.missing == () and names.complete
    assert names["leftLowerArm"] == forearm
    for bone, frame in names.items():  # the sides are mirror images
        assert frame in listed
        if bone.startswith("left"):
            assert names["right" + bone.removeprefix("left")] != frame
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("spelling", [str.upper, str.lower])
def test_case_does_not_matter(spelling):
    names = lk.humanoid([spelling(name) for name in LISTS["mixamo"][0]])
    assert names.convention == "mixamo" and names.complete


def test_the_catalogue_figure_has_the_names_of_vrm():
    figure = lk.load("human")
    names = lk.humanoid(figure)
    assert names.convention == "vrm" and names.missing == ()
    assert dict(names) == {bone: bone for bone in names} and set(names) == set(REQUIRED)
    assert set(names.values()) <= set(figure.frames)
    assert lk.humanoid(figure.model.mechanism) == names


@pytest.mark.parametrize(
    ("package", "file", "convention", "hand", "foot"),
    [
        ("example-robot-data", "human_description/robots/human.urdf", "isb", "left_hand", "left_foot"),
        ("dm_control", "suite/humanoid_CMU.xml", "asf", "lhand", "lfoot"),
    ],
)
def test_figures_of_other_packages(package, file, convention, hand, foot):
    try:
        path = installed(package, file)
    except NotInstalled as reason:
        pytest.skip(str(reason))
    figure = lk.load(str(path))
    names = lk.humanoid(figure)
    assert names.convention == convention and names.missing == ()
    assert (names["leftHand"], names["leftFoot"]) == (hand, foot)
    for bone in names:  # each bone is a descendant of its parent, over moving joints only
        above = names.parent(bone)
        if above is not None:
            assert names[above] in [joint.parent for joint in figure.model.mechanism.ancestry(names[bone])]


def test_a_file_of_pybullet_names_its_links():
    try:
        text = installed("pybullet", "pybullet_data/humanoid/humanoid.urdf").read_text(errors="replace")
    except NotInstalled as reason:
        pytest.skip(str(reason))
    assert lk.humanoid(re.findall(r'<link name\s*=\s*"([^"]+)"', text)).convention == "pybullet"


def tree(*pairs):
    """A mechanism of balls from (parent, child)."""
    links = dict.fromkeys(name for pair in pairs for name in pair)
    joints = [lk.model.Joint(f"{child}_joint", lk.model.Kind.BALL, parent, child) for parent, child in pairs]
    return lk.model.Mechanism("tree", tuple(lk.model.Link(name) for name in links), joints)


def test_a_bone_with_the_wrong_parent_is_rejected():
    right = tree(
        ("hips", "spine"), ("spine", "leftUpperArm"), ("leftUpperArm", "leftLowerArm"), ("leftLowerArm", "leftHand")
    )
    assert "leftHand" in lk.humanoid(right)
    wrong = tree(
        ("hips", "spine"), ("spine", "leftHand"), ("leftHand", "leftUpperArm"), ("leftUpperArm", "leftLowerArm")
    )
    assert "leftUpperArm" not in lk.humanoid(wrong)


def test_names_of_the_caller_take_precedence():
    figure = tree(("a", "b"), ("b", "c"))
    names = lk.humanoid(figure, {"hips": "a", "spine": "b", "head": "c"})
    assert dict(names) == {"hips": "a", "spine": "b", "head": "c"}
    assert names.convention == "unknown" and "leftHand" in names.missing and not names.complete


def test_a_robot_arm_is_no_human():
    names = lk.humanoid(lk.load("panda"))
    assert names.convention == "unknown" and len(names.missing) > 10


def test_misuse_raises():
    figure = lk.load("human")
    names = lk.humanoid(figure)
    with pytest.raises(lk.errors.UnknownFrame, match="bone 'leftToes'"):
        names["leftToes"]
    with pytest.raises(lk.errors.UnknownFrame, match="did you mean 'leftHand'"):
        names["lefthand"]
    for bad in (None, "human", 3, [], [1, 2]):
        with pytest.raises(lk.BadOption):
            lk.humanoid(bad)
    with pytest.raises(lk.BadOption):
        lk.humanoid(figure, names=["hips"])
    with pytest.raises(lk.errors.UnknownFrame):
        lk.humanoid(figure, names={"hips": "nowhere"})
    with pytest.raises(lk.errors.UnknownFrame):
        lk.humanoid(figure, names={"tail": "hips"})


def test_a_humanoid_is_immutable_hashable_and_picklable():
    names = lk.humanoid(lk.load("human"))
    again = pickle.loads(pickle.dumps(names))
    assert again == names and hash(again) == hash(names) and "vrm" in str(names)
    with pytest.raises(TypeError):
        names.frames["hips"] = "spine"
    assert names.bone("leftHand") == "leftHand" and names.bone("spine_1") is None
    assert names.parent("leftUpperArm") == "spine" and names.parent("hips") is None


def test_vrm_has_55_bones_of_which_15_are_required():
    assert len(BONES) == 55 and len(REQUIRED) == 15 and set(REQUIRED) <= set(BONES)
    seen = set()
    for bone in BONES:  # parents come first
        assert PARENTS[bone] is None or PARENTS[bone] in seen
        seen.add(bone)
