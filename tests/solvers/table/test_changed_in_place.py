"""A table file that changes while chains use it: truncated, or overwritten by another copy."""

import os

import numpy as np
import pytest

import limbik as lk


@pytest.fixture
def held(tmp_path):
    arm = lk.load("puma560")
    path = tmp_path / "puma.table"
    lk.build_table(arm, path, samples=20_000)
    return arm.with_table(path), path


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a signal is caught in a process of its own, by fork")
@pytest.mark.parametrize("change", ("cut", "empty", "noise"))
def test_readers_outlive_a_change_of_the_file(held, change):
    arm, path = held
    T = arm.forward(arm.sample(np.random.default_rng(1), 50))
    before = arm.solve_batch(T, method="table")
    size = path.stat().st_size
    with path.open("r+b") as file:
        if change == "noise":
            file.write(np.random.default_rng(2).bytes(size))
        else:
            os.truncate(file.fileno(), size // 2 if change == "cut" else 0)
    # in a process of its own: a signal would end this one
    child = os.fork()
    if child == 0:
        try:
            again = arm.solve_batch(T, method="table")
            kept = all(np.isfinite(array).all() for array in arm.table.content.arrays.values())
            os._exit(0 if kept and all(a == b for a, b in zip(again, before, strict=True)) else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    with pytest.raises(lk.BadFile):
        lk.load("puma560").with_table(path)
