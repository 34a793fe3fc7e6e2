"""Files that declare excessive sizes are refused before anything is allocated or opened."""

import io
import os
import zipfile

import numpy as np
import pytest

import limbik as lk
from limbik.formats import npz
from limbik.formats.urdf import MOST_JOINTS


def announced(path, shape, held=None, name="positions"):
    """Write an archive of markers whose array declares a shape and contains this many zero bytes."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        names = io.BytesIO()
        np.save(names, np.array(["a"]))
        archive.writestr("names.npy", names.getvalue())
        size = int(np.prod(shape)) * 8 if held is None else held
        archive.writestr(f"{name}.npy", head.getvalue() + bytes(size))


@pytest.mark.parametrize("name", ("positions", "times"))
def test_an_archive_of_markers_is_bounded_before_it_is_unpacked(tmp_path, monkeypatch, name):
    monkeypatch.setattr(npz, "LARGEST_MOTION", 1 << 20)
    monkeypatch.setattr(npz.read_npz, "__defaults__", (1 << 20,))
    path = tmp_path / "bomb.npz"
    announced(path, (100_000, 1, 3), name=name)  # 2.4 MB of zeros in a few KB
    assert path.stat().st_size < 10_000
    opened = []
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *a: opened.append(a))
    with pytest.raises(lk.BadFile, match=r"2 MB.*1 MB"):
        lk.formats.load_markers(path)
    assert not opened


@pytest.mark.parametrize(("shape", "held"), (((10**9, 1, 3), 24), ((10**6, 10**6, 10**6), 0), ((2, 1, 3), 24)))
def test_an_array_whose_size_differs_from_its_shape_is_refused(tmp_path, shape, held):
    announced(tmp_path / "short.npz", shape, held)
    with pytest.raises(lk.BadFile, match="its size differs"):
        lk.formats.load_markers(tmp_path / "short.npz")


def test_archives_that_are_none_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    for data in (b"", b"PK\x03\x04", b"no archive"):
        path.write_bytes(data)
        with pytest.raises(lk.BadFile):
            lk.formats.load_markers(path)
    np.savez(path, names=np.array(["a"], object), positions=np.zeros((2, 1, 3)))
    with pytest.raises(lk.BadFile, match="type object"):
        lk.formats.load_markers(path)
    np.savez(path, names=np.array(["a"]))
    with pytest.raises(lk.BadFile, match="positions"):
        lk.formats.load_markers(path)


# ---- MJCF ------------------------------------------------------------------------------------------------------------

ARM = """<mujoco>{head}<asset>{assets}</asset>
<worldbody><body name="b"><joint name="j"/><geom {geom}/></body></worldbody></mujoco>"""


def model(tmp_path, assets, head="", geom='size="0.1"'):
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(assets=assets, head=head, geom=geom))
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize(
    ("assets", "head", "place"),
    (
        ('<mesh name="m" file="m.stl"/>', "", "m.stl"),
        ('<mesh name="m" file="m.obj"/>', '<compiler meshdir="parts"/>', "parts/m.obj"),
        ('<mesh name="m" file="far/m.stl"/>', '<compiler assetdir="parts" strippath="true"/>', "parts/m.stl"),
        ('<hfield name="h" file="h.png" size="1 1 1 1"/>', "", "h.png"),
        ('<texture name="t" type="cube" fileright="t.png"/>', '<compiler texturedir="parts"/>', "parts/t.png"),
        ('<skin name="s" file="s.skn"/>', "", "s.skn"),
    ),
)
def test_a_pipe_in_the_place_of_an_asset_is_refused_and_not_waited_for(tmp_path, assets, head, place):
    pytest.importorskip("mujoco")
    (tmp_path / "parts").mkdir()
    os.mkfifo(tmp_path / place)
    with pytest.raises(lk.BadFile, match="not a regular file"):
        lk.load(model(tmp_path, assets, head))


@pytest.mark.parametrize(
    ("assets", "head"),
    (
        ('<hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/>', ""),
        ('<texture name="t" type="2d" builtin="flat" width="100000" height="100000"/>', ""),
        ("", '<custom><numeric name="x" size="2000000000"/></custom>'),
        ("", '<size nkey="1000000000"/>'),
        ("", '<size nuser_body="1e9"/>'),
    ),
)
def test_sizes_that_no_model_has_are_refused_before_they_are_allocated(tmp_path, assets, head, monkeypatch):
    mujoco = pytest.importorskip("mujoco")
    asked = []
    monkeypatch.setattr("limbik.formats.mjcf._compiled", lambda *a: asked.append(a))
    with pytest.raises(lk.BadFile, match="asks for"):
        lk.load(model(tmp_path, assets, head))
    assert not asked and mujoco


def test_a_huge_asset_is_refused_by_its_size(tmp_path):
    pytest.importorskip("mujoco")
    with (tmp_path / "m.stl").open("wb") as file:
        file.truncate(2**40)  # sparse: no room is taken
    with pytest.raises(lk.BadFile, match="MB"):
        lk.load(model(tmp_path, '<mesh name="m" file="m.stl"/>'))


def test_models_of_usual_size_are_still_read(tmp_path):
    pytest.importorskip("mujoco")
    head = '<size nkey="3" nstack="300000" nconmax="20000"/><custom><numeric name="x" size="4"/></custom>'
    texture = '<texture name="t" type="2d" builtin="flat" width="64" height="64"/>'
    assets = f'<hfield name="h" nrow="20" ncol="30" size="1 1 1 1"/>{texture}'
    arm = lk.load(model(tmp_path, assets, head))
    assert [joint.name for joint in arm.model.mechanism.joints if joint.kind.size] == ["j"]
    without = lk.load(model(tmp_path, '<mesh name="m" file="gone.stl"/>', geom='type="mesh" mesh="m"'))
    assert any("missing" in note for note in without.model.mechanism.notes)


# ---- URDF ------------------------------------------------------------------------------------------------------------


def urdf(count, inside="", kind="revolute", follow=""):
    joints = "".join(
        f'<link name="l{k + 1}"/><joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/>{inside}'
        + (f'<mimic joint="j{k - 1}"/>' if follow and k else "")
        + "</joint>"
        for k in range(count)
    )
    return f'<robot name="r"><link name="l0"/>{joints}</robot>'


def test_more_joints_than_any_robot_has_are_refused(tmp_path):
    path = tmp_path / "a.urdf"
    path.write_text(urdf(MOST_JOINTS + 1))
    with pytest.raises(lk.BadFile, match=f"{MOST_JOINTS + 1} joints"):
        lk.load(path)
    links = "".join(f'<link name="l{k}"/>' for k in range(MOST_JOINTS + 2))
    path.write_text(f'<robot name="r">{links}</robot>')
    with pytest.raises(lk.BadFile, match="links"):
        lk.load(path)


def test_a_row_of_joints_that_follow_each_other_has_an_end(tmp_path):
    path = tmp_path / "a.urdf"
    limit = '<limit lower="-1" upper="1"/>'
    path.write_text(urdf(200, limit, follow="yes"))
    assert lk.load(path).n == 1
    path.write_text(urdf(300, limit, follow="yes"))
    with pytest.raises(lk.BadModel, match="through more than 256 joints"):
        lk.load(path)
