"""The plan: pieces in any order give the same table, predicates exclude postures, chains without a wrist use whole poses."""

import pickle

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.table.cells.coverage import placed
from limbik.solvers.table.cells.design import built, plan
from limbik.solvers.table.cells.opened import opened
from limbik.solvers.table.cells.sampling import drawn
from limbik.solvers.table.cells.settings import first_grid, settings_for

SMALL = {"reach": 0.9, "position_side": 0.3, "per_cell": 60}


def same(a, b):
    assert a.settings == b.settings and sorted(a.arrays) == sorted(b.arrays)
    for name in a.arrays:
        np.testing.assert_array_equal(a.arrays[name], b.arrays[name])


@pytest.mark.parametrize("coverage", ["even", "random"])
def test_pieces_made_separately_in_any_order_give_the_same_table(coverage):
    arm = lk.load("puma560")
    settings = SMALL | {"coverage": coverage, "share": 0.3}
    first = plan(arm, **settings)
    whole = built(first)
    again = pickle.loads(pickle.dumps(plan(arm, **settings)))
    assert again.identity == first.identity
    made = {}
    for stage in again.stages:
        pieces = {piece: stage.make(piece, made) for piece in reversed(range(stage.pieces))}
        made = stage.join([pieces[piece] for piece in range(stage.pieces)], made)
    same(again.finish(made), whole)
    assert whole.statistics["place_cells"] > 50 and whole.fingerprint == arm.fingerprint


def test_another_seed_is_another_table():
    arm = lk.load("puma560")
    one, two = (built(plan(arm, **SMALL, seed=seed)) for seed in (0, 1))
    assert one.settings != two.settings
    assert (one.arrays["place.words"][:5] != two.arrays["place.words"][:5]).any()


def test_a_table_opens_and_finds(rng):
    arm = lk.load("puma560")
    content = built(plan(arm, **(SMALL | {"position_side": 0.15, "model": "quadratic", "classes": "branches"})))
    table, levels = opened(content, arm, arm.model.kernel)
    T = arm.forward(arm.sample(rng, 200))
    q, _, counts, _ = table.find(T)
    assert (counts > 0).mean() > 0.97 and len(levels) == 1
    row, slot = np.nonzero(np.arange(q.shape[1]) < counts[:, None])
    error = np.linalg.norm(arm.forward(q[row, slot])[:, :3, 3] - T[row, :3, 3], axis=1)
    assert np.median(error) < 3e-3
    broken = dict(content.settings) | {"levels": {"place": {}}}
    for settings in ({}, broken):
        with pytest.raises(lk.LimbikError):
            opened(
                type(content)("cells", arm.name, arm.fingerprint, settings, {}, content.arrays), arm, arm.model.kernel
            )


def test_orientation_cells_are_made_too():
    arm = lk.load("puma560").with_limits(
        lower=np.radians([-30, -60, -60, -30, 20, -30]), upper=np.radians([30, 0, 0, 30, 80, 30])
    )
    content = built(plan(arm, **(SMALL | {"wrist": "cells", "joint_side": np.radians(30)})))
    assert content.statistics["turn_records"] > 50
    table, _ = opened(content, arm, arm.model.kernel, by_index=True)
    T = arm.forward(arm.sample(np.random.default_rng(0), 100))
    assert (table.find(T)[2] > 0).mean() > 0.6


def elbow_bent(q):
    return q[..., 3] > 1.0


def test_postures_that_a_predicate_refuses_are_left_out():
    arm = lk.load("human_arm_7")
    settings = {"reach": 0.6, "position_side": 0.3, "inclination_side": 0.8, "per_cell": 40}
    split, chosen = settings_for(arm, settings)
    grid = first_grid(split, chosen)
    met = np.unique(grid.address(split.place(arm.sample(np.random.default_rng(0), 50)[:, :4])))
    even = placed(split, grid, met, per_cell=40, seed=0, valid=elbow_bent)
    random, _ = drawn(split, grid, per_cell=40, share=0.3, seed=0, valid=elbow_bent, most_blocks=1)
    every = placed(split, grid, met, per_cell=40, seed=0)
    for samples in (even, random):
        assert len(samples) > 500 and (samples.q[:, 3] > 1.0).all()
    assert (every.q[:, 3] > 1.0).mean() < 0.9
    assert "elbow_bent" in plan(arm, elbow_bent, **settings).identity["settings"]["valid"]


def test_a_chain_without_a_spherical_wrist_has_whole_poses():
    arm = lk.load("jaco2")
    narrow = arm.with_limits(lower=arm.home - 0.25, upper=arm.home + 0.25)
    chosen = plan(narrow, position_side=0.3, euler_side=1.0, per_cell=200, share=0.5)
    content = built(chosen)
    table, (level,) = opened(content, narrow, narrow.model.kernel)
    assert level.joints == narrow.n and level.grid.axes == 6
    T = narrow.forward(narrow.sample(np.random.default_rng(0), 200))
    q, _, counts, _ = table.find(T)
    row, slot = np.nonzero(np.arange(q.shape[1]) < counts[:, None])
    error = np.linalg.norm(narrow.forward(q[row, slot])[:, :3, 3] - T[row, :3, 3], axis=1)
    assert (counts > 0).mean() > 0.8 and np.median(error) < 0.05


@pytest.mark.parametrize(
    "settings",
    [{"modle": "linear"}, {"model": "quartic"}, {"coverage": "odd"}, {"classes": "guess"}, {"position_side": -1.0},
     {"convention": "xyz"}, {"per_cell": 0}, {"share": 2.0}, {"wrist": "loose"}, {"reach": 0.0}, {"position_side": 1e-4}],
)  # fmt: skip
def test_invalid_settings_are_refused(settings):
    with pytest.raises(lk.LimbikError):
        built(plan(lk.load("puma560"), **(SMALL | settings)))


def test_redundant_arms_without_a_swivel_are_refused():
    with pytest.raises(lk.LimbikError, match="with_frozen"):
        plan(lk.load("panda"))
    with pytest.raises(lk.LimbikError, match="linkage"):
        plan(lk.load("jaco2"), classes="branches")
