"""The core's look-up equals NumPy's, by bisection and by index; inconsistent arrays are refused."""

import numpy as np
import pytest

import limbik as lk
from limbik._core import CellLevel
from limbik.papers.kim_tarokh.arms import human_arm, places, puma, random_poses
from limbik.papers.kim_tarokh.whole import cells_of
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.level import level_of
from limbik.solvers.table.cells.network import Network
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.polynomial import full, mixed
from limbik.solvers.table.cells.samples import Samples, by_solution
from limbik.solvers.table.cells.settings import first_grid


def some_level(rng, model, joints):
    """Return a level over random cells with one to four solutions each."""
    axes = model.axes
    grid = Grid.over([-1.0] * axes, [1.0] * axes, [0.4] * axes)
    cells = rng.choice(grid.cells, 40, replace=False)
    address = np.repeat(cells, 160)
    u = grid.corner(address) + rng.random((len(address), axes)) * grid.side
    label = rng.integers(0, 1 + address % 4)
    q = np.sin(u @ rng.normal(size=(axes, joints))) + label[:, None]
    return level_of(by_solution(Samples(address, u, q, label), np.zeros(joints, dtype=bool), 5, 500), grid, model)


MODELS = [(full(3, 1), 3), (full(4, 2), 4), (full(3, 3), 2), (mixed(6, 3), 3), (mixed(7, 4), 3), (full(6, 1), 6)]


@pytest.mark.parametrize("by_index", [False, True])
@pytest.mark.parametrize(
    ("model", "joints"), [*MODELS, (Network(3, 5, iterations=3), 3), (Network(4, 9, iterations=3), 4)]
)
def test_the_core_gives_what_numpy_gives(rng, model, joints, by_index):
    level = some_level(rng, model, joints)
    grid = level.grid
    inside = grid.corner(rng.choice(level.addresses, 300)) + rng.random((300, grid.axes)) * grid.side
    u = np.concatenate([inside, rng.uniform(-1.5, 1.5, (100, grid.axes))])
    q, kinds, counts = level.compiled(by_index=by_index).look(u)
    wanted, row, kind = level.value(u)
    place = np.arange(len(row)) - np.searchsorted(row, row)
    np.testing.assert_array_equal(counts, np.bincount(row, minlength=len(u)))
    np.testing.assert_array_equal(kinds[row, place], kind)
    # outside the grid models are extrapolated, where they may be steep
    near = np.abs(grid.scaled(u, grid.address(u))).max(axis=1)[row] <= 1 + 1e-9
    assert near.sum() > 300
    np.testing.assert_allclose(q[row, place][near], wanted[near], atol=1e-9)
    rest = np.arange(q.shape[1]) >= counts[:, None]
    assert np.isnan(q[rest]).all() and (kinds[rest] == -1).all()


def parts(level):
    return {
        "low": list(level.grid.low),
        "side": list(level.grid.side),
        "divisions": list(level.grid.divisions),
        "joints": level.joints,
        "terms": [list(term) for term in level.model.terms[1:]],
        "hidden": 0,
        "addresses": level.addresses.copy(),
        "first": level.first.copy(),
        "kinds": level.kinds.copy(),
        "words": level.words.copy(),
    }


def wrong(change):
    def apply(level):
        made = parts(level)
        change(made)
        return made

    return apply


def put(name, place, value):
    def change(made):
        made[name][place] = value

    return wrong(change)


def replaced(name, make):
    def change(made):
        made[name] = make(made[name])

    return wrong(change)


HOSTILE = {
    "an address beyond the grid": put("addresses", -1, 10**9),
    "a negative address": put("addresses", 0, -5),
    "addresses out of order": replaced("addresses", lambda a: a[::-1].copy()),
    "a first record beyond the end": put("first", 3, 10**12),
    "a first record before the start": put("first", 3, -(10**12)),
    "a cell without records": put("first", 1, 0),
    "fewer records than the cells have": replaced("first", lambda a: np.r_[a[:-1], a[-1] - 1]),
    "first records too short": replaced("first", lambda a: a[:-1].copy()),
    "a cell with too many records": replaced(
        "first", lambda a: np.r_[np.zeros(1, a.dtype), np.full(len(a) - 1, a[-1])]
    ),
    "a wild solution number": put("kinds", 0, 2**30),
    "a negative solution number": put("kinds", 0, -1),
    "too few words": replaced("words", lambda a: a[:, :-1].copy()),
    "too few records": replaced("words", lambda a: a[:-1].copy()),
    "words of another type": replaced("words", lambda a: a.astype(np.float64)),
    "addresses of another type": replaced("addresses", lambda a: a.astype(np.int32)),
    "strided words": replaced("words", lambda a: np.repeat(a, 2, axis=0)[::2]),
    "words that are none": replaced("words", lambda a: a.tolist()),
    "no divisions": put("divisions", 0, 0),
    "divisions that overflow": replaced("divisions", lambda a: [2**40] * len(a)),
    "a side of nothing": put("side", 0, 0.0),
    "a side that is none": put("side", 0, float("nan")),
    "a low end at infinity": put("low", 0, float("inf")),
    "one axis less": replaced("low", lambda a: a[:-1]),
    "a term of no input": put("terms", 0, [99]),
    "a term without its beginning": replaced("terms", lambda a: [[0, 1, 2], *a]),
    "too many joints": replaced("joints", lambda a: 1000),
    "too many neurons": replaced("hidden", lambda a: 10**6),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_inconsistent_arrays_are_refused(name):
    level = some_level(np.random.default_rng(1), full(3, 1), 3)
    CellLevel(**parts(level))
    with pytest.raises(lk.LimbikError):
        CellLevel(**HOSTILE[name](level))


def test_nan_propagates_to_the_result(rng):
    level = some_level(rng, full(3, 1), 3)
    words = level.words.copy()
    words[::2] = np.nan
    core = CellLevel(**(parts(level) | {"words": words}))
    u = np.array([[np.nan, 0, 0], [np.inf, -np.inf, 0], [1e300, -1e300, 0]])
    _, _, counts = core.look(u)
    assert (counts <= core.most).all()


@pytest.fixture(scope="module")
def puma_table():
    split, settings = puma(wrist="cells")
    T = random_poses(split, settings, np.random.default_rng(7), 60)
    place, turn = cells_of(split, settings, split.place_of(T), T)
    return split, settings, T, place, turn


def test_a_table_gives_the_same_by_halving_and_by_index(puma_table):
    split, settings, T, place, turn = puma_table
    kernel = split.arm.model.kernel
    one = table_of(split, kernel, place, turn, settings.convention).find(T)
    two = table_of(split, kernel, place, turn, settings.convention, by_index=True).find(T)
    for a, b in zip(one[:3], two[:3], strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(one[3]) == 7 and min(one[3]) >= 0 and one[2].sum() > 100


@pytest.mark.parametrize("exact", [False, True])
def test_a_tables_postures_are_near_the_closed_forms(puma_table, exact):
    split, settings, T, place, turn = puma_table
    arm = split.arm
    table = table_of(split, arm.model.kernel, place, None if exact else turn, settings.convention)
    q, kinds, counts, _ = table.find(T)
    every = arm.solve_all_batch(T)
    gap = np.abs(np.remainder(q[:, :, None] - every.q[:, None] + np.pi, 2 * np.pi) - np.pi).max(-1)
    gap[np.isnan(gap)] = np.inf
    true = np.arange(every.q.shape[1]) < every.count[:, None]
    found = gap.min(axis=1)[true] < 0.35
    assert found.mean() > (0.96 if exact else 0.88), f"{found.mean()} of {found.size}"
    if exact:
        row, slot = np.nonzero(np.arange(q.shape[1]) < counts[:, None])
        R = arm.forward(q[row, slot])[:, :3, :3]
        np.testing.assert_allclose(R, T[row, :3, :3], atol=1e-9)
        assert set(np.unique(kinds)) <= set(range(-1, 8))


def test_one_target_gets_what_its_row_of_a_batch_gets(puma_table):
    split, settings, T, place, turn = puma_table
    for second in (turn, None):
        table = table_of(split, split.arm.model.kernel, place, second, settings.convention)
        q, _, counts, _ = table.find(T)
        for k in range(10):
            alone = table.candidates(T[k])
            np.testing.assert_array_equal(alone, q[k, : counts[k]])
            assert len(alone) <= table.most


def test_an_inclined_arm_is_looked_up_at_all_inclinations():
    split, settings = human_arm()
    truth = places(split, settings, np.random.default_rng(3), 5)
    grid = first_grid(split, settings)
    middles = settings.inclination[0] + settings.inclination_side * (np.arange(14) + 0.5)
    u = np.concatenate([np.c_[np.tile(row[:3], (14, 1)), middles] for row in truth.u])
    place = place_level(split, settings, None, np.unique(grid.address(u)))
    table = table_of(split, split.arm.model.kernel, place, None, "zyz")
    T = split.tip_at(truth.u[:, :3])
    for k in range(len(T)):
        q, _, counts, _ = table.find(np.tile(T[k], (14, 1, 1)), middles)
        wanted = np.concatenate([row[:count] for row, count in zip(q, counts, strict=True)])
        np.testing.assert_allclose(table.candidates(T[k]), wanted, atol=1e-12)
    with pytest.raises(lk.LimbikError):
        table.find(T)


def test_a_table_for_another_chain_is_refused(puma_table):
    split, settings, _, place, turn = puma_table
    other, _ = human_arm()
    with pytest.raises(lk.LimbikError):
        table_of(other, other.arm.model.kernel, place, turn, settings.convention)
    with pytest.raises(lk.LimbikError):
        table_of(split, split.arm.model.kernel, turn, place, settings.convention)
    with pytest.raises(lk.LimbikError):
        table_of(split, split.arm.model.kernel, place, turn, "zyz").find(np.eye(4))
