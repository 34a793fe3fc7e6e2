"""`lk.load`: which sources give a chain, and which a skeleton."""

from pathlib import Path

import numpy as np
import pytest
from conftest import random_tree

import limbik as lk

FORKED = """<robot name="fork"><link name="root"/><link name="palm"/><link name="left"/><link name="right"/><link name="badge"/>
  <joint name="badge_j" type="fixed"><parent link="root"/><child link="badge"/></joint>
  <joint name="turn" type="continuous"><parent link="root"/><child link="palm"/><axis xyz="0 0 1"/></joint>
  <joint name="l" type="{kind}"><parent link="palm"/><child link="left"/><axis xyz="1 0 0"/></joint>
  <joint name="r" type="{kind}"><parent link="palm"/><child link="right"/><axis xyz="0 0 1"/></joint></robot>"""


def test_one_tip_gives_a_chain_and_several_give_a_skeleton():
    fork = lk.load(FORKED.format(kind="continuous"))
    assert isinstance(fork, lk.Skeleton) and fork.tips == ("left", "right")
    assert isinstance(lk.load(FORKED.format(kind="continuous"), tip="left"), lk.Chain)
    chain = fork.chain("left")
    assert isinstance(chain, lk.Chain) and chain.joint_names == ("turn", "l")


INNER_FRAMES = """<robot name="arm"><link name="root"/><link name="upper"/><link name="camera"/>
  <link name="hand"/><link name="flange"/><link name="same_place"/><link name="badge"/>
  <joint name="badge_j" type="fixed"><parent link="root"/><child link="badge"/></joint>
  <joint name="a" type="continuous"><parent link="root"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="camera_j" type="fixed"><parent link="upper"/><child link="camera"/><origin xyz="0 1 0"/></joint>
  <joint name="b" type="continuous"><parent link="upper"/><child link="hand"/><axis xyz="0 1 0"/></joint>
  <joint name="f" type="fixed"><parent link="hand"/><child link="flange"/><origin xyz="0 0 {z}"/></joint>
  <joint name="s" type="fixed"><parent link="hand"/><child link="same_place"/><origin xyz="0 0 1"/></joint></robot>"""


def test_inner_frames_are_not_tips_and_coinciding_frames_are_one():
    arm = lk.load(INNER_FRAMES.format(z=1))
    assert isinstance(arm, lk.Chain) and arm.tip == "same_place" and {"camera", "badge", "flange"} <= set(arm.frames)
    two = lk.load(INNER_FRAMES.format(z=2))
    assert isinstance(two, lk.Skeleton) and two.tips == ("flange", "same_place")


def test_base_and_tip_choose_the_chain(rng):
    figure = random_tree(rng, 10)
    tip = figure.tips[0]
    arm = lk.load(figure.model.mechanism, tip=tip)
    assert arm.base == figure.base and arm.tip == tip
    still = lk.Chain(figure.model.mechanism, tip, tip)
    assert still.n == 0 and np.array_equal(still.forward([]), np.eye(4))
    with pytest.raises(lk.BadOption, match="both"):
        lk.load(figure.model.mechanism, base=tip, tip=tip)
    with pytest.raises(lk.BadOption, match="both"):
        figure.chain(tip, tip)


def test_strings_paths_and_case(tmp_path):
    text = FORKED.format(kind="continuous")
    file = tmp_path / "Fork.URDF"
    file.write_text("\ufeff" + text, encoding="utf-8")
    assert lk.load(file) == lk.load(str(file)) == lk.load(text) == lk.load(text.encode()) == lk.load("\n  " + text)
    as_xml = tmp_path / "fork.xml"
    as_xml.write_text(text)
    assert lk.load(as_xml) == lk.load(text)


def test_relative_paths(tmp_path, monkeypatch):
    (tmp_path / "f.urdf").write_text(FORKED.format(kind="continuous"))
    monkeypatch.chdir(tmp_path)
    assert lk.load("f.urdf") == lk.load(Path("f.urdf"))


@pytest.mark.parametrize("name", lk.CATALOGUE)
def test_every_name_of_the_catalogue_loads(name):
    body = lk.load(name)
    assert body.name == name and body.within_limits(body.home)
