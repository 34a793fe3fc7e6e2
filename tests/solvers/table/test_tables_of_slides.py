"""Tables of arms with prismatic joints, and contradictory settings."""

from dataclasses import replace

import numpy as np
import pytest
from test_postures import table

import limbik as lk


def test_arrays_that_do_not_fit_together_are_refused():
    arm = lk.load("jaco2")
    good = table("jaco2")

    def changed(**arrays):
        return replace(good, arrays={**good.arrays, **arrays})

    nodes, begin, models = (np.array(good.arrays[name]) for name in ("nodes", "begin", "models"))
    loop, beyond, before = nodes.copy(), nodes.copy(), nodes.copy()
    loop[0], beyond[0], before[5] = -1, len(begin), -4
    unsorted, short = begin.copy(), begin.copy()
    unsorted[1] = 10**6
    short[-1] -= 1
    broken = models.copy()
    broken[7] = np.nan
    for wrong in (
        changed(nodes=loop), changed(nodes=beyond), changed(nodes=before), changed(nodes=nodes[:-1]), changed(begin=unsorted),
        changed(begin=short), changed(begin=begin[:1]), changed(models=broken), changed(models=models[:-1]),
        changed(models=models.astype(np.float64)), changed(nodes=nodes.astype(np.int64)), changed(nodes=nodes[::2]),
        replace(good, settings={**good.settings, "order": 1}), replace(good, settings={**good.settings, "bins": [4, 4, 4]}),
        replace(good, settings={**good.settings, "low": [0.0, 0.0, 0.0, float("nan")]}),
        replace(good, settings={**good.settings, "bins": [4, 4, 4, 5]}), replace(good, settings={}), replace(good, arrays={}),
        replace(good, settings={**good.settings, "bins": "many"}),
    ):  # fmt: skip
        with pytest.raises(lk.BadFile):
            arm.with_table(wrong)
    with pytest.raises(lk.BadFile, match="design"):
        arm.with_table(replace(good, design="other"))


def test_settings_of_cells_that_contradict_themselves_are_refused():
    arm = lk.load("puma560")
    good = lk.build_table(arm, design="cells", position_side=0.4, per_cell=30)
    place = good.settings["levels"]["place"]
    assert arm.with_table(good).solve(arm.forward(arm.home), method="table").ok

    def levels(**changes):
        return {"place": {**place, **changes}}

    grid = place["grid"]
    for wrong in (
        {"levels": {}}, {"levels": []}, {"levels": 3}, {"per_cell": "x"}, {"wrist": "other"}, {"classes": 7},
        {"levels": levels(grid={**grid, "side": []})}, {"levels": levels(grid={**grid, "low": [1.0] * 6})},
        {"levels": levels(grid={**grid, "low": [1.0]})}, {"levels": levels(grid={**grid, "divisions": [1e308] * 3})},
        {"levels": levels(grid={**grid, "divisions": [4] * 6})},
        {"levels": levels(model={**place["model"], "terms": [[], [-1]]})},
    ):  # fmt: skip
        with pytest.raises(lk.BadFile):
            arm.with_table(replace(good, settings={**good.settings, **wrong}))
