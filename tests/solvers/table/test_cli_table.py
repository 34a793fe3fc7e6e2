"""`limbik table`, run as a user runs it, with the toy design."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from table_content import content

import limbik as lk
from limbik.cli.table_build import settings_from_text
from limbik.cli.table_info import histogram_lines, is_histogram
from limbik.formats.content import file
from limbik.solvers.table.designs import DEFAULT, DESIGNS

SHELL = Path(__file__).parent / "toy_shell.py"


def shell(*words, cwd=None):
    run = [sys.executable, str(SHELL), *map(str, words)]
    return subprocess.run(run, capture_output=True, text=True, check=False, cwd=cwd, timeout=300)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    path = tmp_path_factory.mktemp("built") / "arm.table"
    done = shell("table", "build", "planar3_chin", "-o", path, "--design", "toy", "--set", "rows=20", "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["bytes"] == path.stat().st_size and facts["design"] == "toy" and facts["statistics"]["rows"] == 120
    return path


def test_info_prints_every_fact(built):
    text = shell("table", "info", built).stdout
    for words in ("planar3_chin", "design toy", "rows", "120", "distance", "####", "float64 120 x 3"):
        assert words in text
    facts = json.loads(shell("table", "info", built, "--json").stdout)
    assert (
        facts["settings"] == {"pieces": 6, "rows": 20} and facts["fingerprint"] == lk.load("planar3_chin").fingerprint
    )
    assert facts["arrays"]["q"] == {"dtype": "float64", "shape": [120, 3], "bytes": 2880}


def test_info_plots_what_the_design_draws(built, tmp_path):
    assert shell("table", "info", built, "--plot", tmp_path / "a.png").returncode == 0
    assert (tmp_path / "a.png").read_text() == "120 rows"


def test_query_names_the_robot_that_the_table_is_for(built):
    done = shell("table", "query", built, "planar3_guez", "--target", "1,0,0,0,0,0")
    assert done.returncode == 2 and "planar3_chin" in done.stderr and done.stderr.count("\n") == 1


def test_mistakes_get_one_line(built, tmp_path):
    (tmp_path / "broken").write_bytes(built.read_bytes()[:-1])
    file.write(content(design="lost"), tmp_path / "lost")
    for words, expected in (
        (("build", "planar3_chin", "-o", "t", "--design", "tow"), "did you mean 'toy'"),
        (("build", "planar3_chin", "-o", "t", "--design", "toy", "--set", "row=1"), "did you mean 'rows'"),
        (("build", "planar3_chin", "-o", "t", "--design", "toy", "--set", "rows"), "key=value"),
        (("build", "planar3_chin", "-o", "gone/t", "--design", "toy"), "no folder"),
        (("build", "planar3_chin", "-o", "t", "--design", "toy", "--workers", "0"), "workers=0"),
        (("build", "human", "-o", "t", "--design", "toy"), "--tip"),
        (("info", "broken"), "cut short"),
        (("info", "gone"), "cannot read"),
        (("info", "lost", "--plot", "a.png", "--json"), "does not support"),
        (("query", str(built), "planar3_guez", "--target", "1,0,0,0,0,0"), "planar3_chin"),
        (("query", str(built), "planar3_chin", "--target", "1,0"), "2 numbers"),
    ):
        done = shell("table", *words, cwd=tmp_path)
        assert done.returncode == 2 and expected in done.stderr, (words, done.stderr)
        assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["broken", "lost"]


def test_settings_are_json_or_text():
    assert settings_from_text(["a=1", "b=0.5", "c=word", "d=[1,2]", "e=x=y"]) == {
        "a": 1, "b": 0.5, "c": "word", "d": [1, 2], "e": "x=y",
    }  # fmt: skip


def test_histograms_in_text():
    assert histogram_lines([0, 1, 2], [1, 2]) == [f"  0 .. 1  1  {'#' * 25}", f"  1 .. 2  2  {'#' * 50}"]
    lines = histogram_lines(list(range(101)), [1] * 100)
    assert len(lines) <= 24 and lines[-1].split("..")[1].split()[0] == "100"
    assert histogram_lines([0.0, 1.0], [0]) == ["  0 .. 1  0"]
    assert is_histogram({"edges": [0, 1], "counts": [2]})
    for other in ({}, [], {"edges": [0], "counts": []}, {"edges": [0, 1], "counts": ["a"]}, {"edges": 1, "counts": 2}):
        assert not is_histogram(other)


def test_the_designs():
    assert DEFAULT in DESIGNS and all(name == design.name for name, design in DESIGNS.items())
    assert np.all([design.title and design.module for design in DESIGNS.values()])
