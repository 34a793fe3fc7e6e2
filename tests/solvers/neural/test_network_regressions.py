"""Regression tests of networks."""

import os
import pickle

import numpy as np
import pytest

import limbik as lk
from limbik.errors import LimbikError
from limbik.solvers.neural.train import plan_for

SMALL = {"steps": 10, "check": 10, "width": 8, "heads": 3, "batch": 32}


def targets(arm, count, seed=5):
    return arm.forward(arm.sample(np.random.default_rng(seed), count))


def test_a_network_does_not_depend_on_its_file_once_it_is_read(tmp_path):
    arm, file = lk.load("scara"), tmp_path / "f"
    made = lk.train(arm, file, **SMALL)
    able = arm.with_network(file)
    packed = pickle.dumps(able)
    T = targets(arm, 3)
    before = able.network.propose(T)
    os.truncate(file, 0)
    assert able.solve(T[0], method="neural", limits=False).ok
    assert (arm.with_network(made).network.propose(T) == before).all()
    assert (pickle.loads(packed).network.propose(T) == before).all()


def test_steps_of_a_batch_are_those_of_single_solves_on_long_chains_too():
    rows = [(0.1, (np.pi / 2, -np.pi / 2, 1.0)[k % 3], 0.05, 0.0, "revolute", -0.5, 0.5) for k in range(9)]
    arm = lk.Chain.from_dh(rows)
    able = arm.with_network(lk.train(arm, steps=1, check=1, width=2, heads=1, batch=4))
    T = targets(arm, 100)
    batch = able.solve_batch(T, method="neural")
    assert (batch.attempt >= 0).any(), "none has fallen back"
    assert [able.solve(target, method="neural").steps for target in T] == batch.steps.tolist()


@pytest.mark.parametrize("options", [{"prefer": "limits"}, {"valid": lambda q: False}, {"valid": lambda q: q[0] > 0}])
def test_a_batch_equals_single_solves_with_preferences(options):
    arm = lk.load("panda")
    able = arm.with_network(lk.train(arm, **SMALL))
    T = targets(arm, 8)
    batch = able.solve_batch(T, method="neural", **options)
    assert [batch[k] for k in range(8)] == [able.solve(target, method="neural", **options) for target in T]


def test_a_network_of_positions_uses_the_seed_and_stops_at_proofs():
    arm = lk.load("ur5")
    able = arm.with_network(lk.train(arm, places=True, **SMALL))
    seed = np.full(6, 6.0)
    q = able.solve(lk.Position(None, arm.forward(seed)[:3, 3]), seed=seed, method="neural").q
    for turn in (-2 * np.pi, 2 * np.pi):
        inside = (q + turn >= arm.lower) & (q + turn <= arm.upper)
        assert (np.abs(q - seed) <= np.abs(q + turn - seed) + 1e-12)[inside].all()
    for wrong in ("x", [np.nan] * 6, [1, 2]):
        with pytest.raises(LimbikError):
            able.solve(lk.Position(None, (0.3, 0.2, 0.4)), seed=wrong, method="neural")
    away = lk.Position(None, (9.0, 9.0, 9.0))
    far = able.solve(away, method="neural")
    assert far.status == lk.Status.OUT_OF_REACH and far.tried == arm.solve(away).tried


def test_wide_networks_are_trained_in_little_memory():
    arm = lk.load("scara")
    assert np.isfinite(lk.train(arm, width=1024, heads=8, steps=1, check=1).statistics["validation_error"])


def test_an_objective_that_can_be_infinite_is_accepted():
    arm = lk.load("iiwa7")

    def bent(q):
        return np.where(np.abs(q[:, 3]) > 1.5, np.inf, np.abs(q[:, 3]))

    found = plan_for(arm, prefer=bent, examples=60, steps=5).examples
    assert len(found.q) == 60 and (np.abs(found.q[:, 3]) > 1.5).any()


def test_unusable_examples_are_refused_before_any_work(tmp_path):
    arm = lk.load("ur5")
    q = arm.sample(np.random.default_rng(0), 60)
    T = arm.forward(q)
    millimetres = T.copy()
    millimetres[:, :3, 3] *= 1000
    for samples, word in (((T[:, :3, 3], q), "places"), ((T, q * 1e40), "unit"), ((millimetres, q), "metres")):
        with pytest.raises(lk.BadOption, match=word):
            lk.train(arm, tmp_path / "f", samples=samples, **SMALL)
    np.save(tmp_path / "one.npy", T)
    (tmp_path / "one.npy").rename(tmp_path / "one.npz")
    with pytest.raises(lk.BadFile, match="one array"):
        lk.train(arm, samples=tmp_path / "one.npz", **SMALL)
    assert lk.train(arm, samples={"T": T.astype(np.float32), "q": q}, rate=np.float32(0.01), **SMALL)


def test_invalid_paths_and_callbacks_raise(tmp_path):
    arm = lk.load("scara")
    for path in (5, "a\0b", tmp_path, tmp_path / "none" / "f"):
        with pytest.raises(LimbikError):
            lk.train(arm, path, **SMALL)
    with pytest.raises(lk.BadOption):
        lk.train(arm, progress=5, **SMALL)


def test_networks_compare_and_hash():
    arm = lk.load("scara")
    one, same, other = (lk.train(arm, seed=k, **SMALL) for k in (0, 0, 1))
    assert one == same == pickle.loads(pickle.dumps(one)) and hash(one) == hash(same)
    assert one != other and one != 3
