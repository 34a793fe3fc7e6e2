"""Parts of the page that need no browser: solids, poses, texts, meshes, the shell."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.studio.opening import opened
from limbik.studio.page.chart import chart
from limbik.studio.page.shortcuts import SHORTCUTS
from limbik.studio.page.skin import bones, skin
from limbik.studio.page.sliders import display_scales, grouped, parsed, short_name
from limbik.studio.page.solids import capsule, cube, cylinder
from limbik.studio.page.status_line import status_html
from limbik.studio.page.turning import pose_of, quaternions
from limbik.studio.page.verbs import Verbs
from limbik.studio.page.visuals import visuals
from limbik.studio.report import Report


def test_quaternions_and_poses_agree_with_scipy() -> None:
    R = Rotation.random(500, random_state=4).as_matrix()
    R[:3] = np.diag([1, -1, -1]), np.diag([-1, 1, -1]), np.diag([-1, -1, 1])
    for turn, q in zip(R, quaternions(R), strict=True):
        assert np.abs(pose_of(q, np.zeros(3))[:3, :3] - turn).max() < 1e-12
        assert np.abs(Rotation.from_quat(q[[1, 2, 3, 0]]).as_matrix() - turn).max() < 1e-12


@pytest.mark.parametrize(
    "solid",
    [capsule(np.zeros(3), np.array([0, 0, 1.0]), 0.1), cylinder(np.zeros(3), np.ones(3), 0.3, 0.2), cube(0.5)],
)
def test_solids_are_closed_and_face_outwards(solid: tuple[np.ndarray, np.ndarray]) -> None:
    vertices, faces = solid
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume > 0.02
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


@pytest.mark.parametrize("name", lk.CATALOGUE)
def test_every_robot_has_a_skin_and_sticks(name: str) -> None:
    robot = lk.load(name)
    for parts in (skin(robot), bones(robot)):
        assert parts
        assert all(part.frame in robot.frames and np.isfinite(part.solid.vertices).all() for part in parts)
    columns = [column for _, own in grouped(robot) for column in own]
    assert sorted(columns) == list(range(robot.n))
    assert len(display_scales(robot)) == robot.n


def test_names_from_files_cannot_write_html() -> None:
    evil = "<script>alert(1)</script>"
    for text in (status_html(evil, Report(True, None, evil, at_limit=(evil,))),
                 chart(np.arange(3.0), [(evil, np.arange(3.0))], unit=evil, along=evil)):  # fmt: skip
        assert "<script" not in text and "&lt;script" in text


def test_pasted_angles_are_read_or_refused() -> None:
    assert parsed("[1, 2; 3]", 3).tolist() == [1, 2, 3]
    for text in ("1 2", "1 2 x", "1 2 nan", ""):
        with pytest.raises(lk.BadOption):
            parsed(text, 3)
    assert short_name("leftUpperArm_x", "left hand") == "upper arm x"


def test_every_shortcut_has_an_action_and_a_distinct_key() -> None:
    assert all(hasattr(Verbs, shortcut.verb) for shortcut in SHORTCUTS)
    assert len({(s.key, s.modifier) for s in SHORTCUTS}) == len(SHORTCUTS)
    text = (Path(__file__).parents[2] / "docs" / "studio.md").read_text()
    assert all(shortcut.shown.split()[-1] in text for shortcut in SHORTCUTS)


URDF = """<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/></geometry></visual></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/>
</joint></robot>"""


def test_meshes_are_read_only_inside_the_package(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    (tmp_path / "in").mkdir()
    for folder in (tmp_path, tmp_path / "in"):
        trimesh.creation.box().export(folder / "part.stl")
    path = tmp_path / "in" / "r.urdf"
    for named, there in (("part.stl", True), ("../part.stl", False), (str(tmp_path / "part.stl"), False),
                         ("package://in/part.stl", True), ("package://in/../part.stl", False), ("none.stl", False)):  # fmt: skip
        path.write_text(URDF.format(named))
        robot, clip, meshes = opened(path)
        assert clip is None
        assert bool(meshes) == there == bool(visuals(path, robot)), named


def test_the_studio_refuses_what_it_cannot_open() -> None:
    with pytest.raises(lk.BadOption):
        opened(3)
    with pytest.raises(lk.errors.UnknownRobot):
        opened("nobody")
    pytest.importorskip("viser")
    for options in ({"port": -1}, {"port": "80"}, {"host": ""}):
        with pytest.raises(lk.BadOption):
            lk.open_studio("ur5", browser=False, wait=False, **options)


def test_the_shell_helps_and_a_missing_package_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "limbik.cli", "studio", "--help"], capture_output=True, text=True, check=False
    )
    if done.returncode:  # without __main__, call the function
        done = subprocess.run(
            [sys.executable, "-c", "import sys; sys.argv = ['limbik', 'studio', '--help']; from limbik.cli import main; main()"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0 and "limbik studio walk.bvh" in done.stdout
    hide = (
        "import sys; sys.modules['viser'] = None; import limbik as lk; lk.open_studio('ur5', browser=False, wait=False)"
    )
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, check=False)
    assert "pip install 'limbik[studio]'" in done.stderr
