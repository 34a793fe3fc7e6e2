"""Optional packages that are missing: the message gives the command."""

from functools import partial

import pytest
from hostile import ARM, joint, mjcf, refused, urdf, xacro

import limbik
from limbik.errors import MissingExtra
from limbik.formats import source


@pytest.fixture
def without(monkeypatch):
    def hide(module):
        real = source.find_spec
        monkeypatch.setattr(source, "find_spec", lambda name: None if name == module else real(name))

    return hide


def test_a_missing_extra_is_named_with_the_command(without, tmp_path):
    (tmp_path / "robot.xml").write_text(mjcf(""))
    (tmp_path / "robot.xacro").write_text(xacro(""))
    without("mujoco")
    with refused(MissingExtra, "mujoco", "pip install 'limbik[mjcf]'"):
        limbik.load(tmp_path / "robot.xml")
    without("xacro")
    with refused(MissingExtra, "xacro", "pip install 'limbik[xacro]'"):
        limbik.load(tmp_path / "robot.xacro")
    (tmp_path / "plain.xml").write_text(urdf(joint()))
    assert limbik.load(tmp_path / "plain.xml").n == 1


def test_drawing_without_its_extra(without, tmp_path):
    from limbik.plots.robot import draw

    without("matplotlib")
    with refused(MissingExtra, "matplotlib", "pip install 'limbik[plot]'"):
        draw(ARM, tmp_path / "arm.png")


def test_praxis_without_its_extra(without):
    without("nlopt")
    for call in (ARM.solve, partial(limbik.methods.trace, ARM)):
        with refused(MissingExtra, "nlopt", "pip install 'limbik[methods]'"):
            call(ARM.forward(ARM.home + 0.1), method="praxis")
