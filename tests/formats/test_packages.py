"""ROS packages without ROS: the folders of `$(find NAME)` and `package://NAME/`."""

import os
from pathlib import Path

import pytest

import limbik as lk
from limbik.formats.packages import find_package
from limbik.studio.page.visuals import visuals

PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/><link name="b"/><joint name="{}" type="revolute">
<parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>"""
ARM = """<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="$(find {})/urdf/part.xacro"/></robot>"""


@pytest.fixture(autouse=True)
def no_ros(monkeypatch):
    for name in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)


def package(folder: Path, joint: str, declared: str | None = None) -> Path:
    """A package with a part; its joint's name identifies the package that was found."""
    (folder / "urdf").mkdir(parents=True)
    (folder / "urdf/part.xacro").write_text(PART.format(joint))
    if declared is not None:
        (folder / "package.xml").write_text(
            f'<?xml version="1.0"?><package format="3"><name>{declared}</name></package>'
        )
    return folder


def xacro(folder: Path, name: str = "arm") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "robot.xacro"
    file.write_text(ARM.format(name))
    return file


def test_ament_prefixes_and_ros_package_paths_are_searched(tmp_path, monkeypatch):
    file = xacro(tmp_path / "a/b/c/d/e/f/g/here")
    package(tmp_path / "two/share/arm", "ament", "arm")
    package(tmp_path / "ros/src/stack/my_arm", "nested", "arm")
    package(tmp_path / "direct/arm", "direct")
    with pytest.raises(lk.BadFile, match=r"(?s)'arm'.*ROS_PACKAGE_PATH.*AMENT_PREFIX_PATH"):
        lk.load(file)
    missing = str(tmp_path / "nowhere")
    for variable, entries, expected in (
        ("AMENT_PREFIX_PATH", [missing, tmp_path / "two"], "ament"),
        ("ROS_PACKAGE_PATH", [missing, "", tmp_path / "ros"], "nested"),
        ("ROS_PACKAGE_PATH", [tmp_path / "direct"], "direct"),
        ("ROS_PACKAGE_PATH", [tmp_path / "direct/arm"], "direct"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(variable, os.pathsep.join(map(str, entries)))
            arm = lk.load(file)
            assert arm.joint_names == (expected,) and not arm.notes


def test_the_surroundings_of_the_file_precede_installed_packages(tmp_path, monkeypatch):
    file = xacro(tmp_path / "src/mine/urdf")
    package(tmp_path / "src/arm", "source", "arm")
    package(tmp_path / "install/share/arm", "installed", "arm")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "install"))
    assert lk.load(file).joint_names == ("source",)


def test_a_folder_of_another_name_is_not_taken(tmp_path, monkeypatch):
    file = xacro(tmp_path / "src/mine/urdf")
    package(tmp_path / "src/arm_support", "wrong")
    package(tmp_path / "src/arm_description", "wrong", "arm_description")
    for text in (".*'arm'.*", "with a similar name: arm_description, arm_support"):
        with pytest.raises(lk.BadFile, match=text):
            lk.load(file)
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "src"))
    with pytest.raises(lk.BadFile, match="exact name"):
        lk.load(file)
    package(tmp_path / "src/checkout-of-it", "declared", "arm")
    assert lk.load(file).joint_names == ("declared",)


def test_the_files_own_folder_under_another_name_is_used_with_a_note(tmp_path):
    file = xacro(package(tmp_path / "src/arm", "own") / "urdf", "arm_support")
    arm = lk.load(file)
    assert arm.joint_names == ("own",) and any("'arm_support'" in note and "'arm'" in note for note in arm.notes)
    (tmp_path / "src/arm/package.xml").write_text("<package><name>arm</name></package>")
    with pytest.raises(lk.BadFile, match="'arm_support'"):  # its package.xml has another name
        lk.load(file)


@pytest.mark.parametrize("name", ["..", ".", "/etc", "a/b", "a\\b", "", "C:", "a\0b", "x" * 300])
def test_names_that_lead_elsewhere_are_refused(name, tmp_path, monkeypatch):
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path))
    with pytest.raises(lk.BadFile):
        find_package(name, tmp_path / "r.urdf", [])


def test_a_broken_or_hostile_manifest_is_passed_over(tmp_path):
    file = xacro(tmp_path / "src/mine")
    for k, text in enumerate(
        ("<package><name>arm", "<!DOCTYPE a [<!ENTITY b 'arm'>]><p><name>&b;</name></p>", "<name>arm</name>", "")
    ):
        (tmp_path / f"src/p{k}").mkdir()
        (tmp_path / f"src/p{k}/package.xml").write_text(text)
    with pytest.raises(lk.BadFile, match="'arm'"):
        lk.load(file)


def test_meshes_of_installed_packages_are_found_inside_them_only(tmp_path, monkeypatch):
    trimesh = pytest.importorskip("trimesh")
    look = tmp_path / "install/share/arm_look"
    (look / "meshes").mkdir(parents=True)
    trimesh.creation.box().export(look / "meshes/part.stl")
    trimesh.creation.box().export(tmp_path / "install/share/part.stl")
    file = tmp_path / "mine/r.urdf"
    file.parent.mkdir()
    for variable, where in (
        ("AMENT_PREFIX_PATH", tmp_path / "install"),
        ("ROS_PACKAGE_PATH", tmp_path / "install/share"),
    ):
        with monkeypatch.context() as patch:
            for name, found in (("package://arm_look/meshes/part.stl", True), ("package://arm_look/../part.stl", False),
                                ("package://../part.stl", False), ("package://arm/meshes/part.stl", False)):  # fmt: skip
                file.write_text(
                    f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{name}"/></geometry></visual></link>'
                    '<link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
                )
                assert not visuals(file, lk.load(file))
                patch.setenv(variable, str(where))
                assert bool(visuals(file, lk.load(file))) == found, name
                patch.delenv(variable)
