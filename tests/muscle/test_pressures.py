"""Pneumatic muscles: the law of Chou and Hannaford, and postures in balance."""

import numpy as np
import pytest

import limbik as lk
from limbik import Status
from limbik.model.masses import gravity_torques
from limbik.muscle import McKibben

SEED = 5


def test_force_is_the_work_of_the_pressure():
    """-F dL = P dV, with the volume of the braided tube."""
    muscle = McKibben(thread=0.26, turns=3.0)
    L = np.linspace(0.155, 0.25, 30)

    def volume(x):
        return 0.25 * np.pi * muscle.diameter(x) ** 2 * x

    step = 1e-6
    work = -2e5 * (volume(L + step) - volume(L - step)) / (2 * step)
    assert np.allclose(muscle.force(L, 2e5), work, rtol=1e-6)
    rise = (muscle.force(L + step, 2e5) - muscle.force(L - step, 2e5)) / (2 * step)
    assert np.allclose(muscle.stiffness(L, 2e5), rise, rtol=1e-6)
    assert np.allclose(muscle.pressure(L, muscle.force(L, 2e5)), 2e5)
    assert muscle.force(muscle.shortest, 2e5) == pytest.approx(0, abs=1e-9) and muscle.longest == 0.26
    uncertain = McKibben(0.26, 3.0, hysteresis=0.05)
    assert np.allclose(uncertain.length_uncertainty(L), 0.05 * muscle.force(L, 1e5) / muscle.stiffness(L, 1e5))


def test_muscles_that_cannot_be_are_refused():
    for bad in (
        {"thread": 0},
        {"turns": -1},
        {"highest": np.inf},
        {"hysteresis": 1.0},
        {"hysteresis": -0.1},
        {"tendon": np.nan},
    ):
        with pytest.raises(lk.LimbikError):
            McKibben(**{"thread": 0.3, "turns": 3.0, **bad})
    with pytest.raises(lk.BadOption, match="1\\.732"):
        McKibben.for_range(0.1, 0.2)
    fitted = McKibben.for_range(0.15, 0.25)
    assert fitted.shortest < 0.15 and fitted.longest > 0.25
    with pytest.raises(lk.BadOption, match="does not pull"):
        fitted.pressure(0.1, 5.0)


@pytest.fixture(scope="module")
def elbow():
    """A hinge between two muscles on pulleys of different size."""
    arm = lk.Chain.from_dh([(0.3, 0, 0, 0, "revolute", -1, 1)])
    joint = arm.joint_names[0]
    return arm.with_muscles([
        lk.muscle.Muscle("flexor", (), [(joint, -0.03)], 0.2, 0.15, 0.25, actuator=McKibben(0.255, 3.0, hysteresis=0.02)),
        lk.muscle.Muscle("extensor", (), [(joint, 0.02)], 0.2, 0.15, 0.25, actuator=McKibben(0.255, 3.0, hysteresis=0.02)),
    ])  # fmt: skip


def test_stiffness_and_posture_to_pressures_and_back(elbow):
    for q in (-0.7, 0.0, 0.4):
        for stiffness in (1.0, 2.0):
            held = elbow.muscles.pressures_at([q], stiffness)
            assert (
                held.ok and held.stiffness[0, 0] == pytest.approx(stiffness, rel=1e-6) and abs(held.torques[0]) < 1e-8
            )
            assert 0.03 * held.forces[0] == pytest.approx(0.02 * held.forces[1], rel=1e-9)  # antagonists in balance
            back = elbow.muscles.posture_from_pressures(held.pressures, seed=[0.1])
            assert back.ok and back.q[0] == pytest.approx(q, abs=1e-9)
            loaded = elbow.muscles.pressures_at([q], stiffness, load=[0.5])
            assert loaded.ok and elbow.muscles.posture_from_pressures(loaded.pressures, load=[0.5]).q[
                0
            ] == pytest.approx(q, abs=1e-9)
            softer = elbow.muscles.posture_from_pressures(held.pressures, load=[0.01]).q[0] - q
            assert softer * stiffness == pytest.approx(-0.01, rel=0.05) or softer * stiffness == pytest.approx(
                0.01, rel=0.05
            )
    by_lengths = elbow.muscles.pressures(elbow.muscles.lengths([0.4]), 2.0)
    assert np.allclose(by_lengths.pressures, held.pressures)


def test_hysteresis_is_an_uncertainty(elbow):
    held = elbow.muscles.pressures_at([0.3], 2.0)
    away = np.sqrt(((np.array([0.03, 0.02]) * 0.02 * held.forces) ** 2).sum()) / 2.0
    assert held.q_uncertainty[0] == pytest.approx(away, rel=1e-6) and held.tip_uncertainty[:2].max() <= 0.3 * away * (
        1 + 1e-9
    )
    exact = elbow.with_muscles(elbow.muscles.as_mckibben(hysteresis=0.0))
    assert (exact.muscles.pressures_at([0.3], 2.0).q_uncertainty == 0).all()


def test_postures_that_cannot_be_held_are_reported(elbow):
    too_much = elbow.muscles.pressures_at([0.3], 2.0, load=[1e4])
    assert too_much.status is Status.LIMITS and "residual torque" in too_much.why
    assert not elbow.muscles.posture_from_pressures([0.0, 0.0]).ok
    hard = elbow.muscles.pressures_at([0.3], 1e9)
    assert hard.ok and hard.stiffness[0, 0] < 1e9 and (hard.pressures <= 4e5 * (1 + 1e-9)).all()


def test_the_weight_of_the_links_is_the_slope_of_its_potential():
    arm = lk.load("maximum_one")
    mass = sum(link.mass for link in arm.model.mechanism.links)

    def potential(q):
        return mass * 9.80665 * arm.model.centre_of_mass(q)[2]

    for q in arm.sample(np.random.default_rng(SEED), 10):
        step = 1e-6
        slope = [(potential(q + step * e) - potential(q - step * e)) / (2 * step) for e in np.eye(4)]
        assert np.allclose(gravity_torques(arm.model, q), -np.array(slope), atol=1e-6)
    with pytest.raises(lk.BadOption, match="mass"):
        gravity_torques(lk.load("planar2_guez").model, [0, 0])


def test_gravity_allows_muscles_to_hold_some_postures():
    """MaximumOne's shoulder is pulled from one side; a stable equilibrium is recovered from its pressures."""
    arm = lk.load("maximum_one")
    found = 0
    for q in arm.muscles.sample_admissible(np.random.default_rng(SEED), 40):
        held = arm.muscles.pressures_at(q, 2.0, "gravity")
        assert ((held.pressures >= 0) & (held.pressures <= 4e5 * (1 + 1e-9))).all()
        if held.ok:
            found += 1
            back = arm.muscles.posture_from_pressures(held.pressures, "gravity", seed=q + 0.01)
            assert back.ok and np.abs(back.q - q).max() <= 1e-7
    assert found >= 1


def test_misuse_raises(elbow):
    for call in (
        lambda: elbow.muscles.pressures_at([0.3, 0.1], 1.0), lambda: elbow.muscles.pressures_at([0.3], -1.0),
        lambda: elbow.muscles.pressures_at([0.3], np.nan),
        lambda: elbow.muscles.pressures_at([0.3], 1.0, load="wind"), lambda: elbow.muscles.pressures_at([0.3], 1.0, load=[1, 2]),
        lambda: elbow.muscles.posture_from_pressures([1.0]), lambda: elbow.muscles.posture_from_pressures([-1.0, 1.0]),
        lambda: elbow.muscles.posture_from_pressures([np.nan, 1.0]), lambda: elbow.muscles.posture_from_pressures([1e9, 1.0]),
        lambda: elbow.muscles.pressures([0.3, 0.3], 1.0), lambda: elbow.muscles.as_mckibben(colour=1),
        lambda: lk.load("human_upper_limb").muscles.pressures_at(np.zeros(7), 1.0),
        lambda: lk.load("human_upper_limb").muscles.as_mckibben(),
    ):  # fmt: skip
        with pytest.raises(lk.LimbikError):
            call()
