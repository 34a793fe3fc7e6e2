"""The instruction levels: each passes the laws, and all agree."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import limbik as lk
from limbik._core import LEVEL

LEVELS: list[str] = lk.build_info()["built"]
TESTS = Path(__file__).parents[1]

SCRIPT = """
import sys, numpy as np, limbik as lk
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import random_chain, random_tree
rng = np.random.default_rng(5)
out = []
for n in range(1, 10):
    arm = random_chain(rng, [[lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC][rng.integers(2)] for _ in range(n)])
    T, J = arm.forward_jacobian(arm.sample(rng, 21))
    out += [T.ravel(), J.ravel(), lk.pose_error(T[:-1], T[1:]).ravel()]
figure = random_tree(rng, 25)
q = figure.sample(rng, 5)
model = figure.model
out += [model.forward_all(q).ravel(), model.integrate(q, q[::-1]).ravel(), model.difference(q, q[::-1]).ravel()]
np.save(sys.argv[1], np.concatenate(out))
"""


def run(level, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"LIMBIK_ISA": level},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_levels_agree_to_rounding(tmp_path):
    assert len(LEVELS) >= 1
    results = {}
    for level in LEVELS:
        file = tmp_path / f"{level}.npy"
        done = run(level, "-c", SCRIPT, str(file), str(TESTS))
        assert done.returncode == 0, done.stderr
        results[level] = np.load(file)
    for level in LEVELS:
        assert np.abs(results[level] - results[LEVELS[0]]).max() < 1e-13 * np.abs(results[LEVELS[0]]).max()


@pytest.mark.parametrize("level", [level for level in LEVELS if level != LEVEL])
def test_the_laws_hold_on_the_other_levels(level):
    files = [
        str(TESTS / f)
        for f in (
            "robot/test_kinematics.py",
            "core/test_trigonometry.py",
            "geometry/test_pose_error.py",
            "model/test_ranges.py",
        )
    ]
    done = run(level, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files)
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_level_that_is_not_there_is_an_error_with_the_choices():
    done = run("v9", "-c", "import limbik; limbik.build_info()")
    assert done.returncode != 0 and "LIMBIK_ISA='v9'" in done.stderr and LEVELS[-1] in done.stderr
