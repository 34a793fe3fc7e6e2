"""Solutions classified without a closed form: clear clusters, sheets that touch, and arms of the catalogue."""

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.table.cells import coverage, euler, wrist
from limbik.solvers.table.cells.classes import jacobians, linked, quality
from limbik.solvers.table.cells.fitting import branches_of
from limbik.solvers.table.cells.fuzzy import fuzzy
from limbik.solvers.table.cells.samples import Samples
from limbik.solvers.table.cells.sampling import drawn
from limbik.solvers.table.cells.settings import first_grid, settings_for
from limbik.solvers.table.cells.split import split_of


def clusters(rng, cells=6, per=40):
    """Return samples of cells with one to three clusters of angles, some across the half turn, and their true labels."""
    address, q, truth = [], [], []
    for cell in range(cells):
        for k in range(1 + cell % 3):
            centre = np.array([np.pi + 2.1 * k, 1.3 * cell])
            q.append(np.remainder(centre + 0.15 * rng.uniform(-1, 1, (per, 2)) + np.pi, 2 * np.pi) - np.pi)
            address += [cell] * per
            truth += [k] * per
    u = np.zeros((len(address), 2))
    return Samples(np.array(address), u, np.concatenate(q), np.full(len(u), -1)), np.array(truth)


@pytest.mark.parametrize("tell", [linked, fuzzy])
def test_clear_clusters_are_separated(rng, tell):
    samples, truth = clusters(rng)
    found = quality(tell(samples, np.ones(2, dtype=bool), None), truth, samples.address)
    assert found["exact"] == 1.0


def test_quality_detects_each_kind_of_error():
    address, truth = np.zeros(6, dtype=int), np.array([0, 0, 0, 1, 1, 1])
    assert quality(truth, truth, address)["exact"] == 1
    assert quality(np.zeros(6, dtype=int), truth, address)["merged"] == 1
    divided = quality(np.array([0, 0, 2, 1, 1, 1]), truth, address)
    assert divided["divided"] == 1 and divided["merged"] == 0 and divided["stray"] == pytest.approx(1 / 6)


@pytest.mark.parametrize("folds", [1, 2])
def test_sheets_that_touch_are_separated_by_the_jacobian(rng, folds):
    """u_k = q_k^2 has a fold at q_k = 0: the two (or four) sheets meet there, and no distance separates them."""
    q = rng.uniform(-0.5, 0.5, (400, 3))
    J = np.tile(np.eye(3), (len(q), 1, 1))
    truth = np.zeros(len(q), dtype=int)
    for k in range(folds):
        J[:, k, k] = 2 * q[:, k]
        truth += (q[:, k] > 0) * 2**k
    samples = Samples(np.zeros(len(q), dtype=int), q, q, np.full(len(q), -1))
    slides = np.zeros(3, dtype=bool)
    assert quality(linked(samples, slides, None), truth, samples.address)["merged"] == 1
    assert quality(linked(samples, slides, J), truth, samples.address)["merged"] == 0


def test_the_pumas_solutions_need_no_closed_form():
    split, settings = settings_for(lk.load("puma560"), {"reach": 0.9, "position_side": 0.1})
    samples, report = drawn(split, first_grid(split, settings), per_cell=150, share=0.2, seed=5, most_blocks=6)
    full = np.unique(samples.address)[::25]
    samples = samples.where(np.isin(samples.address, full))
    found = quality(
        linked(samples, split.turning[:3], jacobians(split, samples.q)), branches_of(split, samples), samples.address
    )
    assert found["merged"] == 0 and found["stray"] < 0.03
    assert report["drawn"] <= 600_000 and report["share_full"] >= 0.2


@pytest.mark.parametrize("name", ["puma560", "human_arm_7", "iiwa7"])
def test_a_chain_decouples_at_its_wrist(rng, name):
    arm = lk.load(name)
    split = split_of(arm)
    q = arm.sample(rng, 50)
    T = arm.forward(q)
    u, J = split.place_jacobian(q[:, : split.joints])
    np.testing.assert_allclose(u[:, :3], split.place_of(T), atol=1e-12)
    if split.inclined:
        np.testing.assert_allclose(u[:, 3], [arm.swivel(row) for row in q], atol=1e-9)
    step = 1e-6
    for k in range(split.joints):
        d = np.zeros(split.joints)
        d[k] = step
        change = split.place(q[:, : split.joints] + d) - split.place(q[:, : split.joints] - d)
        change[:, 3:] = np.remainder(change[:, 3:] + np.pi, 2 * np.pi) - np.pi
        np.testing.assert_allclose(J[..., k], change / (2 * step), atol=1e-5)
    both, exist = coverage.wrist_postures(split, q[:, : split.joints], T[:, :3, :3])
    whole = np.concatenate([np.repeat(q[:, None, : split.joints], 2, axis=1), both], axis=-1)
    assert exist.all() and np.abs(arm.forward(whole) - T[:, None]).max() < 1e-6
    np.testing.assert_array_equal(wrist.kind_of(both, split.wrist_axes), np.tile([0, 1], (len(q), 1)))
    near = np.abs(np.remainder(both - q[:, None, -3:] + np.pi, 2 * np.pi) - np.pi).max(-1).min(-1)
    assert near.max() < 1e-5


@pytest.mark.parametrize("convention", euler.CONVENTIONS)
def test_euler_angles_give_their_rotation_back(rng, convention):
    angles = np.stack(
        [rng.uniform(-np.pi, np.pi, 200), rng.uniform(0.01, 1.5, 200), rng.uniform(-np.pi, np.pi, 200)], axis=1
    )
    R = euler.rotation(angles, convention)
    np.testing.assert_allclose(np.linalg.det(R), 1)
    np.testing.assert_allclose(euler.angles(R, convention), angles, atol=1e-9)
    locked = euler.rotation(np.array([[0.3, 0.0 if convention == "zyz" else np.pi / 2, 0.4]]), convention)
    np.testing.assert_allclose(euler.rotation(euler.angles(locked, convention), convention), locked, atol=1e-9)
