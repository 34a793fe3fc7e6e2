"""Trained networks: their proposals, and the guarantees of solving with them."""

import contextlib
import io
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.neural.choosing import manipulability
from limbik.solvers.neural.learner import Learner, Scale
from limbik.solvers.neural.settings import Settings

SEED = 4
STEPS = 120


@pytest.fixture(scope="module")
def learned():
    """A few arms with hardly trained networks: the guarantees do not depend on their quality."""
    return {name: trained(lk.load(name)) for name in ("ur5", "panda", "planar2_guez", "scara", "gantry")}


def trained(arm, **settings):
    return arm.with_network(lk.train(arm, steps=STEPS, check=STEPS, **settings))


def targets(arm, count, seed=SEED):
    return arm.forward(arm.sample(np.random.default_rng(seed), count))


def test_every_solved_posture_is_verified(learned):
    for arm in learned.values():
        T = targets(arm, 300)
        found = arm.solve_batch(T, method="neural")
        lack = lk.pose_error(arm.forward(found.q), T)
        assert found.ok.all(), f"{arm.name}, seed {SEED}"
        assert np.abs(lack).max() < 1e-7
        assert (found.q >= arm.lower).all() and (found.q <= arm.upper).all()
        assert found.method == "neural"


def test_a_batch_equals_single_solves_bit_for_bit(learned):
    for arm in learned.values():
        T, seeds = targets(arm, 60), arm.sample(np.random.default_rng(9), 60)
        alone = [arm.solve(target, seed, method="neural") for target, seed in zip(T, seeds, strict=True)]
        for threads in (1, 2):
            batch = arm.solve_batch(T, seeds, threads, method="neural")
            assert [batch[k] for k in range(60)] == alone
            assert batch.steps.tolist() == [answer.steps for answer in alone]


def test_the_network_proposes_postures_inside_the_limits_the_closest_first(learned):
    for arm in learned.values():
        T = targets(arm, 50)
        offered = arm.network.propose(T)
        assert offered.shape == (50, 16, arm.n)
        assert (offered >= arm.lower).all() and (offered <= arm.upper).all()
        lack = lk.pose_error(arm.forward(offered.reshape(-1, arm.n)), np.repeat(T, 16, axis=0))
        lack[:, :3] /= 0.5 * arm.model.reach.span
        miss = (4 * np.sin(np.linalg.norm(lack[:, 3:], axis=1) / 2) ** 2 + (lack[:, :3] ** 2).sum(1)).reshape(50, 16)
        assert (np.diff(miss, axis=1) >= -1e-9).all()


def test_proposals_are_at_the_copies_closest_to_the_seed(learned):
    arm = learned["ur5"]
    for seed in (np.full(6, 3.0), np.full(6, -3.0)):
        for target in targets(arm, 20):
            q = arm.solve(target, seed, method="neural").q
            others = [q + 2 * np.pi * k * np.eye(6)[j] for j in range(6) for k in (-1, 1)]
            inside = [o for o in others if (o >= arm.lower).all() and (o <= arm.upper).all()]
            assert all(np.abs(q - seed).max() <= np.abs(o - seed).max() + 1e-12 for o in inside)


def test_its_metadata_and_sentences(learned):
    arm = learned["ur5"]
    answer = arm.solve(targets(arm, 1)[0], method="neural")
    assert answer.method == "neural" and answer.attempt == -1 and answer.tried >= 1
    assert f"proposal {answer.tried} of the network, {answer.steps} steps" in answer.why
    far = np.eye(4)
    far[0, 3] = 9.0
    away = arm.solve(far, method="neural")
    assert away.status == lk.Status.OUT_OF_REACH and "out of reach" in away.why


def test_attempts_follow_if_no_proposal_converges_and_why_reports_it():
    arm = lk.load("ur5")
    content = lk.train(arm, steps=1, check=1, heads=1)
    ruined = {
        name: np.zeros_like(a) if name.startswith(("weights", "bias")) else a for name, a in content.arrays.items()
    }
    lost = arm.with_network(type(content)(**{**vars(content), "arrays": ruined}))
    found = lost.solve_batch(targets(arm, 300), method="neural")
    assert found.ok.all()
    after = np.flatnonzero(found.attempt >= 0)
    assert len(after) > 10
    assert "no proposal of the network" in found[int(after[0])].why
    assert found[int(after[0])] == lost.solve(found.target[after[0]], method="neural")


def test_the_same_settings_give_the_same_weights(tmp_path):
    arm = lk.load("scara")
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        lk.train(arm, file, steps=40, check=20)
    assert files[0].read_bytes() == files[1].read_bytes()
    lk.train(arm, files[1], steps=40, check=20, seed=1)
    assert files[0].read_bytes() != files[1].read_bytes()


def test_an_interrupted_training_resumes_to_the_same_bytes(tmp_path):
    arm = lk.load("scara")
    whole, ended = tmp_path / "whole", tmp_path / "ended"
    lk.train(arm, whole, steps=100, check=20)

    def stop(done, total, stage):
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lk.train(arm, ended, steps=100, check=20, progress=stop)
    assert not ended.exists() and (tmp_path / "ended.parts").exists()
    counted = []
    lk.train(arm, ended, steps=100, check=20, progress=lambda done, total, stage: counted.append(done))
    assert counted[0] == 60, "it goes on from the last look, not from the beginning"
    assert ended.read_bytes() == whole.read_bytes()
    assert not (tmp_path / "ended.parts").exists()


def test_training_stops_early_when_the_validation_error_no_longer_falls():
    arm = lk.load("planar3_chin")
    content = lk.train(arm, steps=100_000, check=5, patience=1, batch=64, rate=1e-9)
    assert content.statistics["steps"] < 1000


def test_learning_lowers_the_validation_error():
    arm = lk.load("ur5")
    errors = [lk.train(arm, steps=n, check=50).statistics["validation_error"] for n in (50, 400)]
    assert errors[1] < 0.7 * errors[0]


def test_heads_do_not_average_solutions():
    """With two postures of one target as examples, two heads learn both, and one head learns neither."""
    arm = lk.load("planar3_chin")
    rng = np.random.default_rng(SEED)
    q = rng.uniform([-1, 0.5, -1], [1, 1.5, 1], (400, 3))
    T = arm.forward(q)
    both = [np.stack([a.q for a in arm.solve_all(target, limits=False)]) for target in T]
    T2 = np.concatenate([np.repeat(target[None], len(found), 0) for target, found in zip(T, both, strict=True)])
    samples = T2, np.concatenate(both)
    misses = []
    for heads in (1, 2):
        able = arm.with_network(lk.train(arm, samples=samples, heads=heads, steps=800, check=200))
        offered = able.network.propose(T)
        elbow = np.abs(offered[:, :, 1][..., None] - np.stack([found[:, 1] for found in both])[:, None])
        misses.append(np.median(elbow.min(axis=1).max(axis=1)))
    assert misses[1] < 0.1 < 0.5 < misses[0]


def test_the_gradient_agrees_with_finite_differences():
    rng = np.random.default_rng(SEED)
    settings = Settings(heads=3, width=7, layers=2, steps=10)
    scale = Scale(np.zeros(4), np.ones(4), np.zeros(2), np.ones(2), np.array([True, False]))
    learner = Learner.begin(scale, settings, rng.uniform(-1, 1, (50, 2)))
    inputs, outputs = (rng.uniform(-1, 1, (16, k)).astype(np.float32) for k in (4, 2))

    def cost():
        gaps = scale.wrapped(learner.proposals(inputs) - outputs[:, None]).astype(np.float64)
        far = (gaps**2).sum(-1)
        share = np.full(far.shape, 0.02 / 3)
        share[np.arange(16), far.argmin(1)] = 0.98
        return (share * far).sum() / 16

    before = learner.network
    gradients = {}
    for k, (w, b) in enumerate(zip(learner.weights, learner.biases, strict=True)):
        for name, array in ((f"weights.{k}", w), (f"bias.{k}", b)):
            place = tuple(rng.integers(s) for s in array.shape)
            array[place] += np.float32(1e-2)
            up = cost()
            array[place] -= np.float32(2e-2)
            gradients[name, place] = (up - cost()) / 2e-2
            array[place] = before[name][place]
    # the first step of Adam goes against the sign of the gradient
    learner.learn(inputs, outputs, 200, 1e-4)
    for (name, place), gradient in gradients.items():
        if abs(gradient) > 1e-3:
            assert np.sign(before[name][place] - learner.network[name][place]) == np.sign(gradient), (name, place, SEED)


def test_redundant_arms_learn_the_preferred_postures():
    arm = lk.load("planar3_guez")
    able = arm.with_network(lk.train(arm, prefer="manipulable", places=True, examples=600, steps=400, check=100))
    places = targets(arm, 60)[:, :3, 3]
    learned_q = np.stack([able.solve(lk.Position(None, p), method="neural").q for p in places])
    anyhow = np.stack(
        [arm.solve(lk.Position(None, p), seed=arm.sample(np.random.default_rng(k))).q for k, p in enumerate(places)]
    )
    assert np.abs(arm.forward(learned_q)[:, :3, 3] - places).max() < 1e-7
    assert (
        manipulability(arm.model, learned_q, places=True).mean()
        > 1.1 * manipulability(arm.model, anyhow, places=True).mean()
    )
    answer = able.solve(lk.Position(None, places[0]), method="neural")
    assert "network's proposal" in answer.why


def test_an_objective_that_is_a_function_may_depend_on_the_side():
    arm = lk.load("iiwa7")
    content = lk.train(arm, prefer=lambda q: -np.abs(q[:, 2]), examples=100, steps=20, check=20)
    assert content.settings["sided"] is True
    able = arm.with_network(content)
    assert able.solve_batch(targets(arm, 50), method="neural").ok.all()


def test_tables_and_networks_are_attached_together_and_pickled(tmp_path):
    arm = lk.load("scara")
    lk.train(arm, tmp_path / "net", steps=20, check=20)
    for network in (tmp_path / "net", lk.train(arm, steps=20, check=20)):
        able = arm.with_network(network).with_table(lk.build_table(arm, samples=2000, bins=2))
        assert set(able.model.attachments) == {"network", "table"}
        copy = pickle.loads(pickle.dumps(able))
        T = targets(arm, 5)
        assert (copy.network.propose(T) == able.network.propose(T)).all() and copy.table.content.arrays


def test_the_examples_of_the_page_on_networks_print_what_it_shows():
    text = (Path(__file__).parents[3] / "docs" / "neural.md").read_text()
    pieces = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.S)
    assert len(pieces) == 1
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(pieces[0][0], "neural.md", "exec"), {})
    assert printed.getvalue() == pieces[0][1]
