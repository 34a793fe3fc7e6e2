"""The graphs of runs along the line: they show the measured values, and every picture is a readable file."""

import numpy as np
import pytest

from limbik.papers.chin import six_joints
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.graphs import draw_angles, draw_path
from limbik.papers.chin.iterative import ITERATIVE
from limbik.papers.chin.methods import BFGS, BROYDN_BOX, NEWTON
from limbik.papers.chin.trajectory import STEPS, TARGETS, nearest_turns, run_along
from limbik.papers.paper import Setting

PNG = b"\x89PNG"


@pytest.mark.parametrize("residual", STEPS)
def test_a_run_contains_its_postures_and_paths(residual):
    arm = appendix_b()
    found = run_along(arm, STEPS[residual], NEWTON)
    assert found.q.shape == (TARGETS + 1, arm.n) and found.desired.shape == found.calculated.shape == (TARGETS + 1, 3)
    assert np.allclose(np.diff(found.desired, axis=0), STEPS[residual])
    assert np.allclose(arm.forward(found.q)[:, :3, 3] / UNIT, found.calculated)
    assert np.abs(found.calculated - found.desired).max() <= found.error.max()
    assert np.allclose(np.degrees(np.abs(np.diff(found.q, axis=0)).max(axis=1)), found.jump)


def test_methods_rotate_joints_as_far_as_the_nearest_posture_requires():
    arm = appendix_b()
    assert np.allclose(nearest_turns(arm, STEPS[4]), run_along(arm, STEPS[4], BFGS).jump, atol=0.01)


def test_every_figure_of_the_thesis_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    names = set()
    for experiment in ITERATIVE.experiments[:3]:
        for picture in experiment.run(Setting(quick=True))[1]:
            path = tmp_path / f"{picture.name}.png"
            picture.draw(path)
            names.add(picture.name)
            assert path.read_bytes()[:4] == PNG
    assert names == {
        "counts", "figure_6_1", "appendix_f", "figure_g_1", "figure_g_2", "angles_8_joints", "angles_3_joints",
    }  # fmt: skip


def test_the_panels_are_the_methods_of_the_thesis():
    panels = {name: list(panels) for name, (_, panels) in six_joints.ANGLES.items()}
    assert panels["figure_6_1"] == ["(a) BFGS", "(b) NEWTON"]
    assert panels["appendix_f"][:4] == ["F.1 BROYDN", "F.2 FRPRM", "F.3 POWELL", "F.4 FLETCHER"]


def test_graphs_show_the_numbers(tmp_path, monkeypatch):
    """The lines of a graph are the angles in degrees; a path that misses shows it."""
    pytest.importorskip("matplotlib")
    from limbik.papers.chin import graphs

    drawn = []
    monkeypatch.setattr(graphs, "save", lambda figure, path: drawn.append(figure))
    arm = appendix_b()
    straight, lost = run_along(arm, STEPS[4], NEWTON), run_along(arm, STEPS[200], BROYDN_BOX)
    draw_angles("t", {"one": straight, "other": straight}, tmp_path / "a.png")
    draw_path("t", lost, tmp_path / "b.png")
    angles = np.array([line.get_ydata() for line in drawn[0].axes[0].lines]).T
    assert np.allclose(angles, np.degrees(straight.q)) and drawn[0].axes[0].get_ylabel() == "joint angle [deg]"
    plane, gap = drawn[1].axes
    assert np.allclose(plane.lines[1].get_xydata(), lost.calculated[:, :2])
    assert gap.get_yscale() == "log" and gap.get_ylim()[1] > lost.error.max() > 1
    assert f"{lost.reached} of 10" in drawn[1].get_suptitle()
