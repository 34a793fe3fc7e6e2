"""In a browser: type an angle, undo it by key; keys, play, scrub; export and read back; a broken upload shows a message."""

import io
import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from studio_page import Hands, browser, hands, studio, until  # noqa: F401

import limbik as lk
from limbik.studio.page import player

UR5 = lk.load("ur5")


@pytest.fixture
def ur5(hands: Hands) -> Hands:  # noqa: F811
    hands.fresh(UR5)
    return hands


def with_two_keys(hands: Hands) -> None:  # noqa: F811
    """Set two keys by the page's own buttons, a second apart."""
    hands.press("Set")
    until(lambda: len(hands.session.state.timeline) == 1, "a key")
    hands.type_number("Time [s]", 1.0)
    until(lambda: abs(hands.session.state.time - 1.0) < 1e-9, "the playhead moves")
    hands.tab("Pose")
    hands.type_number(UR5.joint_names[1], -40.0)
    until(lambda: abs(np.degrees(hands.session.q[1]) + 40) < 1e-6, "the joint moves")
    hands.press("Set")
    until(lambda: len(hands.session.state.timeline) == 2, "another key")


def test_a_typed_angle_moves_a_joint_and_is_undone_by_key(ur5: Hands) -> None:
    before, picture = ur5.session.q, ur5.seen()
    ur5.tab("Pose")
    ur5.type_number(UR5.joint_names[0], 77.5)
    until(lambda: abs(np.degrees(ur5.session.q[0]) - 77.5) < 1e-9, "the joint moves")
    assert np.array_equal(ur5.session.q[1:], before[1:])
    until(lambda: np.abs(ur5.seen() - picture).max() > 60, "the picture changes")
    ur5.page.mouse.click(300, 60)
    ur5.page.keyboard.press("Control+z")
    until(lambda: np.array_equal(ur5.session.q, before), "undone")
    ur5.press("Redo")
    until(lambda: abs(np.degrees(ur5.session.q[0]) - 77.5) < 1e-9, "redone")


def test_keys_are_played_and_scrubbed(ur5: Hands, monkeypatch: Any) -> None:
    with_two_keys(ur5)
    clip = ur5.session.clip()
    assert clip.times.tolist() == [0.0, 1.0]
    ur5.says("strip", "2 keys")
    ur5.type_number("Time [s]", 0.4)
    until(lambda: np.array_equal(ur5.session.q, clip.at(0.4)), "the posture of that time")
    ur5.type_number("Time [s]", 0.0)
    until(lambda: np.array_equal(ur5.session.q, clip.q[0]), "the beginning")
    times, show = [], ur5.desk.refresh

    def watching(*given: Any, **named: Any) -> None:
        times.append(ur5.session.state.time)
        show(*given, **named)

    clock = itertools.count()
    monkeypatch.setattr(player, "monotonic", lambda: 0.05 * next(clock))  # a loaded machine would show few frames
    monkeypatch.setattr(ur5.desk, "refresh", watching)
    ur5.press("Play")
    until(lambda: ur5.session.state.time == 1.0 and not ur5.desk.timeline.player.playing, "it plays to the end")
    assert len(set(times)) > 15 and times == sorted(times)
    assert np.array_equal(ur5.session.q, clip.q[1])


def test_motion_is_exported_and_read_back_equal(ur5: Hands, tmp_path: Path) -> None:
    with_two_keys(ur5)
    expected = ur5.session.clip().baked(30)
    ur5.tab("Files")
    for kind in ("bvh", "glb", "csv"):
        ur5.choose("Format", kind)
        with ur5.page.expect_download() as coming:
            ur5.press("Export motion")
        path = tmp_path / coming.value.suggested_filename
        coming.value.save_as(path)
        clip = lk.load_clip(path, robot=UR5) if kind == "csv" else lk.load_clip(path)
        assert len(clip) == len(expected), kind
        ours, theirs = tip_path(expected), tip_path(clip)
        assert np.abs(ours - theirs).max() < 1e-4, kind
    with ur5.page.expect_download() as coming:
        ur5.press("Save project")
    path = tmp_path / "p.limbik.json"
    coming.value.save_as(path)
    assert json.loads(path.read_text())["limbik_project"] == 1
    state = ur5.session.state
    ur5.fresh(UR5)
    ur5.tab("Files")
    ur5.page.set_input_files("input[type=file]", str(path))
    until(lambda: ur5.session.state == state, "the project is open again")


def test_pictures_are_exported_one_per_frame(ur5: Hands, tmp_path: Path) -> None:
    with_two_keys(ur5)
    state = ur5.session.state
    ur5.tab("Files")
    ur5.type_number("Frames/s", 2)
    with ur5.page.expect_download(timeout=120_000) as coming:
        ur5.press("Export pictures")
    path = tmp_path / "pictures.zip"
    coming.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        seen = [np.asarray(Image.open(io.BytesIO(archive.read(name)))).astype(int) for name in names]
    assert names == [f"ur5_{k:04d}.png" for k in range(3)]
    assert all(picture.std() > 3 for picture in seen)
    assert np.abs(seen[0] - seen[-1]).max() > 60
    assert ur5.session.state == state


def tip_path(clip: lk.Clip) -> np.ndarray:
    """Return the motion of the tip relative to its start: files may use other axes and names."""
    robot = clip.robot
    tip = robot.tip if isinstance(robot, lk.Chain) else robot.tips[0]
    points = clip.forward(tip)[:, :3, 3]
    return np.linalg.norm(points - points[0], axis=1)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("walk.bvh", b"HIERARCHY\nROOT hips\n{\n OFFSET 0 0", "walk.bvh"),
        ("robot.urdf", b"<robot name='x'><link name='a'>", "robot.urdf"),
        ("virus.exe", b"MZ", "cannot be uploaded"),
        ("p.json", b"{}", "not a limbik project"),
    ],
)
def test_a_broken_upload_shows_a_message(ur5: Hands, tmp_path: Path, name: str, content: bytes, words: str) -> None:
    state = ur5.session.state
    path = tmp_path / name
    path.write_bytes(content)
    ur5.tab("Files")
    ur5.page.set_input_files("input[type=file]", str(path))
    ur5.says("files", words)
    assert str(tmp_path) not in ur5.text("files")
    assert ur5.session.state == state
    assert ur5.errors == []


def test_another_robot_is_uploaded(ur5: Hands, tmp_path: Path) -> None:
    from limbik.formats.urdf import write_urdf

    path = tmp_path / "mine.urdf"
    path.write_text(write_urdf(lk.load("puma560").model.mechanism))
    ur5.tab("Files")
    ur5.page.set_input_files("input[type=file]", str(path))
    until(lambda: ur5.session.robot.name == "puma560", "the other robot")
    ur5.says("status", "uma")
