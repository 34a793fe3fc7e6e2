"""URDF joints whose lower and upper limit are 0, or not written: locked, unless the caller says that the file means no limit."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import limbik as lk
from limbik.formats.urdf import write_urdf

ROBOT = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="first" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="second" type="{kind}"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>{limit}</joint>
</robot>"""
ZERO = ['<limit lower="0" upper="0"/>', '<limit upper="-0.0"/>', '<limit effort="1" velocity="1"/>']


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("limit", ZERO)
def test_limits_of_zero_lock_a_joint(kind, limit):
    text = ROBOT.format(kind=kind, limit=limit)
    locked, free = lk.load(text), lk.load(text, zero_limits="unlimited")
    assert locked.lower[1] == locked.upper[1] == 0.0
    assert any(
        "locked at 0" in note and "'second'" in note and "zero_limits='unlimited'" in note for note in locked.notes
    )
    T = free.forward([0.3, 1.6])
    answer = locked.solve(T)
    assert not answer.ok and answer.q[1] == 0.0
    assert locked.solve(locked.forward([0.3, 0.0])).ok
    assert free.lower[1] == -math.inf and free.upper[1] == math.inf and free.solve(T).q[1] == pytest.approx(1.6)
    assert any("taken as unlimited" in note for note in free.notes)
    assert lk.load(text, zero_limits="locked") == locked != free


def test_a_continuous_joint_has_no_limits_whatever_is_written():
    arm = lk.load(ROBOT.format(kind="continuous", limit=ZERO[0]))
    assert arm.lower[1] == -math.inf and arm.upper[1] == math.inf and not arm.notes


def test_limits_in_the_wrong_order_stay_an_error():
    for option in (None, "locked", "unlimited"):
        with pytest.raises(lk.BadModel, match="second"):
            lk.load(ROBOT.format(kind="revolute", limit='<limit lower="1" upper="-1"/>'), zero_limits=option)


def test_zero_limits_is_an_option_of_urdf_with_two_values():
    with pytest.raises(lk.BadOption, match="'locked' or 'unlimited'"):
        lk.load(ROBOT.format(kind="revolute", limit=ZERO[0]), zero_limits="free")
    for source in ("panda", lk.load("panda").model.mechanism, "figure.bvh"):
        with pytest.raises(lk.BadOption, match="URDF"):
            lk.load(source, zero_limits="unlimited")


def test_a_locked_follower_does_not_lock_its_driver():
    text = ROBOT.format(kind="revolute", limit=ZERO[0] + '<mimic joint="first"/>')
    arm = lk.load(text)
    assert arm.n == 1 and arm.lower[0] == -math.inf and arm.upper[0] == math.inf


def test_a_locked_joint_survives_being_written_and_read():
    arm = lk.load(ROBOT.format(kind="prismatic", limit=ZERO[0]))
    again = lk.load(write_urdf(arm.model.mechanism))
    assert again == arm and np.array_equal(again.upper, arm.upper)


def test_the_shell_has_the_same_switch(tmp_path):
    file = tmp_path / "r.urdf"
    file.write_text(ROBOT.format(kind="revolute", limit=ZERO[0]))

    def upper(*options):
        command = [str(Path(sys.executable).parent / "limbik"), "show", str(file), "--json", *options]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["upper"]

    assert upper()[1] == 0.0 and upper("--zero-limits", "unlimited")[1] is None


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("limit", ZERO)
@pytest.mark.parametrize("offset", [0.0, 0.3])
def test_a_mimic_joint_follows_its_driver(kind, limit, offset):
    """Its position is that of its driver; a <limit> without lower and upper gives no range; no note says otherwise."""
    follows = f'{limit}<mimic joint="first" multiplier="2" offset="{offset}"/>'
    arm = lk.load(ROBOT.format(kind=kind, limit=follows))
    assert arm.joint_names == ("first",) and arm.lower[0] == -math.inf and arm.upper[0] == math.inf
    assert not any("locked" in note or "unlimited" in note for note in arm.notes)
    assert any("follows" in note for note in arm.notes) == ("er=" in limit)
    moved = np.linalg.inv(arm.forward([0.4], "b")) @ arm.forward([0.4], "c")
    angle = math.atan2(moved[1, 0], moved[0, 0])
    assert (angle if kind == "revolute" else moved[2, 3]) == pytest.approx(0.8 + offset)
    assert lk.load(write_urdf(arm.model.mechanism)).model.mechanism.joints == arm.model.mechanism.joints
