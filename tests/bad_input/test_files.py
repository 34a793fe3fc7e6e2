"""Paths that are not regular files, files without text, and very large files."""

import os
import time

import numpy as np
import pytest
from hostile import joint, load_apart, refused, urdf

import limbik
from limbik import BadFile, Skeleton
from limbik.errors import FileUnreadable, UnknownFrame


def row_of_joints(n):
    """Return a URDF with n joints in series."""
    links = "".join(f'<link name="l{k}"/>' for k in range(n + 1))
    inside = '<origin xyz="0.01 0 0" rpy="0.1 0 0"/><axis xyz="0 0 1"/>'
    joints = "".join(joint(f"j{k}", parent=f"l{k}", child=f"l{k + 1}", inside=inside) for k in range(n))
    return f'<robot name="row">{links}{joints}</robot>'


def fan_of_links(n):
    """Return a URDF with n links on one parent."""
    links = "".join(f'<link name="l{k}"/>' for k in range(n + 1))
    return (
        f'<robot name="fan">{links}{"".join(joint(f"j{k}", parent="l0", child=f"l{k + 1}") for k in range(n))}</robot>'
    )


def test_five_thousand_joints_in_a_row():
    start = time.process_time()
    body = limbik.load(row_of_joints(5000))
    assert time.process_time() - start < 10
    assert body.n == 5000
    q = np.random.default_rng(1).uniform(-1, 1, (3, 5000))
    T = body.forward(q)
    assert np.array_equal(T[1], body.forward(q[1]))
    assert np.allclose(T, body.model.forward_all(q)[:, body.frames.index("l5000")], atol=1e-9)
    assert np.allclose(T[:, :3, :3] @ np.swapaxes(T[:, :3, :3], -1, -2), np.eye(3), atol=1e-11)
    assert body.jacobian(q).shape == (3, 6, 5000)
    with refused(UnknownFrame, "l4999x", "more"):
        body.forward(q, "l4999x")


def test_twenty_thousand_links_on_one():
    start = time.process_time()
    body = limbik.load(fan_of_links(20_000))
    assert time.process_time() - start < 10
    assert isinstance(body, Skeleton) and body.n == 20_000
    assert body.forward(body.home, "l20000").shape == (4, 4)


FILES = {
    "empty": (b"", BadFile, "empty"),
    "blank": (b" \n\t\n", BadFile, "empty"),
    "junk": (bytes(range(256)) * 4, BadFile, ""),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), BadFile, ""),
    "UTF-16": (urdf(joint()).encode("utf-16"), BadFile, ""),
    "half a character": (urdf(joint(name="\u00e9")).encode()[:-20] + b"\xc3", BadFile, ""),
}


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".toml", ".xacro"])
@pytest.mark.parametrize("content", FILES)
def test_files_that_hold_no_text_are_refused(content, suffix, tmp_path):
    data, kind, word = FILES[content]
    path = tmp_path / f"robot{suffix}"
    path.write_bytes(data)
    with refused(kind, str(path), word if suffix != ".xacro" else ""):
        limbik.load(path)


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".toml", ".xacro"])
def test_special_files_are_refused_at_once(suffix, tmp_path):
    large = tmp_path / f"large{suffix}"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with refused(BadFile, str(large), "48 MB"):
        limbik.load(large)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with refused(BadFile, str(folder), "directory"):
        limbik.load(folder)
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    assert load_apart(pipe) == "BadFile"
    for name, target in (("dangling", "nowhere"), ("circle", f"circle{suffix}")):
        link = tmp_path / f"{name}{suffix}"
        link.symlink_to(target)
        with refused(FileUnreadable, name):
            limbik.load(link)
    endless = tmp_path / f"endless{suffix}"
    endless.symlink_to("/dev/zero")
    with refused(BadFile, "endless"):
        limbik.load(endless)


def test_folders_and_odd_endings_are_refused(tmp_path):
    with refused(BadFile, str(tmp_path), "directory"):
        limbik.load(tmp_path)
    for name in ("robot.txt", "robot", "robot.urdf.bak", "robot.stl", ".urdf"):
        path = tmp_path / name
        path.write_text(urdf(joint()))
        with refused(BadFile, name, ".urdf", ".toml"):
            limbik.load(path)


def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    path = tmp_path / "secret.urdf"
    path.write_text(urdf(joint()))
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with refused(FileUnreadable, "secret.urdf", "permission"):
        limbik.load(path)
