"""The page about the catalogue lists every robot, and its examples work."""

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from test_catalogue_files import SIZES

import limbik
from limbik.model.catalog import CATALOGUE

PAGE = Path(__file__).parents[2] / "docs" / "catalogue.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_lists_the_catalogue():
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name: (title, int(n)) for name, title, n in rows}
    assert listed == {name: (limbik.load(name).model.mechanism.title, SIZES[name]) for name in CATALOGUE}


# What must hold for the examples of the page, by name.
EXAMPLES: dict[str, Callable[[object], bool]] = {
    "desk_arm": lambda arm: (
        arm.n == 3 and math.isclose(arm.upper[2], 0.08) and np.allclose(arm.forward([0, 0, 0])[:3, 3], [0.26, 0, 0.12])
    ),
    "gripper": lambda hand: hand.n == 4 and set(hand.tips) == {"left_finger", "right_finger"},
}


def test_the_examples_of_the_page_load(tmp_path):
    found = {}
    for k, text in enumerate(blocks("toml")):
        path = tmp_path / f"example{k}.toml"
        path.write_text(text, encoding="utf-8")
        robot = limbik.load(path)
        found[robot.name] = robot
    assert set(found) == set(EXAMPLES)
    for name, holds in EXAMPLES.items():
        assert holds(found[name]), name


def test_the_code_of_the_page_runs():
    for text in blocks("python"):
        names: dict[str, object] = {}
        exec(compile(text, str(PAGE), "exec"), names)
        assert names["pose"].shape == (4, 4) and names["reach"].n == 8
