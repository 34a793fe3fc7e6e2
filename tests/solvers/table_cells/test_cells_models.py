"""Models of a cell: exact where they can be, derivatives against differences, angles unwrapped and wrapped back."""

import numpy as np
import pytest

from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.network import Network
from limbik.solvers.table.cells.polynomial import full, mixed, polynomial
from limbik.solvers.table.cells.samples import UNKNOWN, Samples, by_solution, ranks
from limbik.solvers.table.cells.unwrap import into_range, unwrapped

GRID = Grid.over([-1, -1, -1], [1, 1, 1], [0.5, 0.5, 0.5])


def records(rng, function, cells=20, per_cell=60, joints=2):
    address = np.repeat(rng.choice(GRID.cells, cells, replace=False), per_cell)
    u = GRID.corner(address) + rng.random((len(address), 3)) * 0.5
    samples = Samples(address, u, function(u), np.zeros(len(u), dtype=np.int64))
    return by_solution(samples, np.zeros(joints, dtype=bool), 5, 1000)


@pytest.mark.parametrize(("model", "degree"), [(full(3, 1), 1), (full(3, 2), 2), (full(3, 3), 3), (mixed(3, 1), 1)])
def test_a_model_reproduces_what_it_can_express(rng, model, degree):
    a = rng.normal(size=(3, 2))
    found = records(rng, lambda u: (u @ a + 0.3) ** degree if degree > 1 else u @ a + 0.3, per_cell=400)
    x = GRID.scaled(found.u[:, 0], found.address)
    np.testing.assert_allclose(model.value(model.fitted(found, GRID), x), found.q[:, 0], atol=1e-6)


def test_the_papers_models_have_its_numbers_of_terms():
    assert [len(full(4, 1).terms), len(mixed(7, 4).terms), len(mixed(6, 3).terms)] == [5, 14, 13]
    assert Network(3, 5).words(3) == 50
    assert polynomial("mixed", 6, 3) == mixed(6, 3) and polynomial("cubic", 3, 3).order == 3


def test_the_networks_derivatives_are_those_of_differences(rng):
    network = Network(3, hidden=4)
    x, y = rng.uniform(-1, 1, (2, 60, 3)), rng.uniform(-1, 1, (2, 60, 2))
    weight = (rng.random((2, 60)) < 0.8).astype(float)
    w = network.with_outputs(rng.normal(size=(2, network.weights(2))), x, y, weight)
    H, g = network.reduced(w, x, y, weight)
    step, columns = 1e-6, []
    for k in range(w.shape[1]):
        d = np.zeros(w.shape[1])
        d[k] = step
        ahead, behind = network.output(w + d, x), network.output(w - d, x)
        columns.append(((ahead - behind) / (2 * step) * weight[..., None]).reshape(2, -1))
    J = np.stack(columns, axis=-1)
    e = ((network.output(w, x) - y) * weight[..., None]).reshape(2, -1)
    whole = np.swapaxes(J, 1, 2) @ J
    inner = H.shape[1]
    B, C = whole[:, :inner, inner:], whole[:, inner:, inner:]
    np.testing.assert_allclose(H, whole[:, :inner, :inner] - B @ np.linalg.solve(C, np.swapaxes(B, 1, 2)), atol=1e-4)
    gradient = (np.swapaxes(J, 1, 2) @ e[..., None])[..., 0]
    np.testing.assert_allclose(g, gradient[:, :inner], atol=1e-6)
    # the outputs fit best: no change of theirs lowers the error
    assert np.abs(gradient[:, inner:]).max() < 1e-5


def test_training_lowers_the_error_and_fits_a_bend(rng):
    found = records(
        rng, lambda u: np.stack([np.sin(3 * u[:, 0]) * u[:, 1], np.cos(2 * u[:, 2])], axis=1), cells=6, per_cell=120
    )
    network = Network(3, hidden=5)
    words = network.fitted(found, GRID)
    rows, samples = found.weight.shape
    x = GRID.scaled(found.u, found.address[:, None]).reshape(-1, 3)
    error = np.abs(network.value(np.repeat(words, samples, 0), x) - found.q.reshape(-1, 2)).mean()
    line = full(3, 1)
    plain = np.abs(line.value(np.repeat(line.fitted(found, GRID), samples, 0), x) - found.q.reshape(-1, 2)).mean()
    assert error < 0.2 * plain and rows == 6


def test_unwrapped_samples_are_continuous_and_wrap_back(rng):
    turning = np.array([True, True, False])
    middle = rng.uniform(-9, 9, (5, 1, 3))
    q = middle + rng.uniform(-1.4, 1.4, (5, 40, 3))
    q[..., 2] *= 3  # a slide may be anywhere
    torn = np.where(turning, q - 2 * np.pi * rng.integers(-2, 3, q.shape), q)
    weight = np.ones(q.shape[:2])
    together = unwrapped(torn, weight, turning)
    assert (np.ptp(together[..., :2], axis=1) < 2.9).all()
    np.testing.assert_allclose(np.exp(1j * together[..., :2]), np.exp(1j * torn[..., :2]), atol=1e-12)
    np.testing.assert_array_equal(together[..., 2], torn[..., 2])
    back = into_range(together, np.zeros(3), turning)
    assert (np.abs(back[..., :2]) <= np.pi + 1e-12).all()


def test_samples_are_grouped_by_cell_and_solution(rng):
    address, label = rng.integers(0, 4, 300), rng.integers(-1, 3, 300)
    samples = Samples(address, rng.normal(size=(300, 2)), rng.normal(size=(300, 1)), label)
    found = by_solution(samples, np.zeros(1, dtype=bool), 1, 7)
    assert (np.diff(found.address * 10 + found.kind) > 0).all()
    for k in range(len(found)):
        own = (address == found.address[k]) & (label == found.kind[k])
        assert found.weight[k].sum() == min(7, own.sum())
        kept = found.u[k][found.weight[k] > 0]
        np.testing.assert_array_equal(kept, samples.u[own][: len(kept)])
    assert UNKNOWN not in found.kind
    np.testing.assert_array_equal(ranks(np.array([5, 3, 5, 5, 3])), [0, 0, 1, 2, 1])
