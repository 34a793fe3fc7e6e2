"""Grids: every point is in the cell of its address, every cell has one address, and the numbers of cells are the paper's."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.table.cells.grid import Grid


def some_grid(rng):
    axes = int(rng.integers(1, 6))
    low = rng.uniform(-3, 3, axes)
    side = rng.uniform(0.1, 2, axes)
    return Grid.over(low, low + side * rng.uniform(0.3, 7, axes), side)


def test_a_point_is_in_the_cell_of_its_address(rng):
    grid = some_grid(rng)
    u = rng.uniform(grid.low, grid.high, (500, grid.axes))
    corner = grid.corner(grid.address(u))
    assert (u >= corner - 1e-12).all() and (u <= corner + np.array(grid.side) + 1e-12).all()
    x = grid.scaled(u, grid.address(u))
    assert (np.abs(x) <= 1 + 1e-9).all() and np.ptp(x) > 1


def test_addresses_count_every_cell_once(rng):
    grid = some_grid(rng)
    every = np.arange(grid.cells)
    parts = grid.parts_of(every)
    assert (parts >= 0).all() and (parts < grid.divisions).all()
    np.testing.assert_array_equal(grid.address_of(parts), every)
    # mixed radix: one step along an axis is one product of the divisions before it
    stride = np.r_[1, np.cumprod(grid.divisions)[:-1]]
    np.testing.assert_array_equal(parts @ stride, every)


def test_beyond_the_range_the_nearest_part_counts():
    grid = Grid.over([0, 0], [1, 2], [0.5, 0.5])
    assert grid.parts(np.array([[-7.0, 9.0], [1.0, 2.0]])).tolist() == [[0, 3], [1, 3]]
    assert grid.inside(np.array([[0.0, 2.0], [-1e-9, 1.0]])).tolist() == [True, False]


def test_the_papers_counts():
    degrees = np.radians
    assert Grid.over([-0.9] * 3, [0.9] * 3, [0.1] * 3).cells == 18**3
    puma = [(-170, 170), (-225, 45), (-250, 75)] + [(-180, 180)] * 3
    low, high = degrees(np.array(puma)).T
    assert Grid.over(low, high, degrees([20] * 3 + [45] * 3)).cells == 2_071_552
    arm = [(-39, 164), (-61, 187), (-83, 210), (0, 149)] + [(-180, 180)] * 3
    low, high = degrees(np.array(arm)).T
    assert Grid.over(low, high, degrees([20] * 4 + [45] * 3)).cells == 8_785_920


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [([0], [1], [0]), ([0], [1], [-1]), ([1], [0], [1]), ([0], [math.inf], [1]), ([0, 0], [1], [1]),
     ([0] * 8, [1e9] * 8, [1] * 8)],
)  # fmt: skip
def test_invalid_grids_are_refused(low, high, side):
    with pytest.raises(lk.LimbikError):
        Grid.over(low, high, side)
