"""The descent of Gini et al.: anytime, bounded, inside ranges, driven by a model or by a sensor."""

import numpy as np
import pytest

import limbik as lk
from limbik.papers.gini.arm import starts

P1 = np.array([-0.10, 0.20, 0.15])


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def test_it_never_gets_worse_and_keeps_ranges_and_budget(arm):
    low, high = (x[[0, 1, 3, 5]] for x in arm.muscles.ranges)
    for lengths in starts(10):
        run = arm.muscles.descend_lengths(P1, lengths, sweeps=40)
        assert (
            (np.diff(run.history) <= 0).all() and run.history[-1] == run.distance and len(run.history) == run.sweeps + 1
        )
        assert run.sweeps <= 40 and run.calls <= 1 + 40 * (3 * 4 + 1)
        assert ((run.lengths >= low) & (run.lengths <= high)).all()
        assert np.linalg.norm(arm.forward(run.q)[:3, 3] - P1) == pytest.approx(run.distance, abs=1e-12)
        # the best so far is there at any time: a longer run begins with a shorter one
        assert np.array_equal(arm.muscles.descend_lengths(P1, lengths, sweeps=20).history, run.history[:21])
        assert run == arm.muscles.descend_lengths(P1, lengths, sweeps=40)


def test_it_keeps_joint_limits_that_do_not_contain_zero(arm):
    shift = np.array([0, 0, 0, 2 * np.pi])
    shifted = arm.with_limits(arm.lower + shift, arm.upper + shift)
    run, usual = (a.muscles.descend_lengths(P1, starts(1)[0], sweeps=20) for a in (shifted, arm))
    assert ((run.q >= shifted.lower) & (run.q <= shifted.upper)).all()
    assert run.q == pytest.approx(usual.q + shift, abs=1e-6)


def test_it_ends_where_the_goal_is_met(arm):
    run = arm.muscles.descend_lengths(P1, starts(1)[0], sweeps=400, goal=1e-3)
    assert run.reached == (run.distance <= 1e-3) and (not run.reached or run.sweeps < 400)
    assert arm.muscles.descend_lengths(P1, starts(1)[0], sweeps=0).calls == 1


def test_it_beats_the_classical_gradient(arm):
    both = [
        np.median([arm.muscles.descend_lengths(P1, L, settings=s).distance for L in starts(30)])
        for s in (lk.muscle.FastGradient(sweeps=60, goal=0), lk.muscle.FastGradient.classical(sweeps=60, goal=0))
    ]
    assert both[1] > 100 * both[0]


def test_subsets_are_settable(arm):
    settings = lk.muscle.FastGradient(subsets="pairs")
    assert settings.sweeps_over(4) == [[0, 1], [2, 3]] and lk.muscle.FastGradient(subsets="single").sweeps_over(2) == [
        [0],
        [1],
    ]
    assert lk.muscle.FastGradient(subsets=[[0, 3], [1, 2, 3]]).sweeps_over(4) == [[0, 3], [1, 2, 3]]
    L = starts(1)[0]
    run = arm.muscles.descend_lengths(P1, L, sweeps=30, subsets=[[3]])
    assert np.array_equal(run.lengths[:3], L[:3]) or run.reheated
    for bad in ("twos", [[9]], [], [[]], 3):
        with pytest.raises(lk.BadOption):
            arm.muscles.descend_lengths(P1, L, subsets=bad)


@pytest.mark.parametrize("noise", [0.0, 1e-4])
def test_a_sensor_can_drive_it(arm, noise):
    low, high = (x[[0, 1, 3, 5]] for x in arm.muscles.ranges)
    ends = []
    for k, L in enumerate(starts(12)):
        rng = np.random.default_rng(k)

        def seen(lengths, rng=rng):
            found = arm.muscles.posture_from_lengths(lengths)
            return (
                abs(np.linalg.norm(arm.forward(found.q[0])[:3, 3] - P1) + noise * rng.normal()) if found.ok else np.inf
            )

        settings = (
            lk.muscle.FastGradient(sweeps=60, goal=0)
            if noise == 0
            else lk.muscle.FastGradient(sweeps=60, goal=0, probe=2e-3, part=1e3)
        )
        run = lk.muscle.follow_distance(seen, L, low, high, settings)
        ends.append(np.linalg.norm(arm.forward(arm.muscles.posture_from_lengths(run.lengths).q[0])[:3, 3] - P1))
        if noise == 0:
            assert np.allclose(
                run.history[:10], arm.muscles.descend_lengths(P1, L, settings=settings).history[:10], rtol=1e-5
            )
    assert np.median(ends) <= (1e-5 if noise == 0 else 2e-2)


@pytest.mark.parametrize("kind", ["default", "for_sensor"])
def test_a_noisy_sensor_does_not_freeze_it(arm, kind):
    """Reheating that ends at 1 cm breaks this: noise refuses steps, the temperature falls to 0, and 6 mm remain."""
    low, high = (x[[0, 1, 3, 5]] for x in arm.muscles.ranges)
    ends = []

    def away(lengths):
        posture = arm.muscles.posture_from_lengths(lengths)
        return np.linalg.norm(arm.forward(posture.q[0])[:3, 3] - P1) if posture.ok else np.inf

    for k, L in enumerate(starts(30)):
        rng = np.random.default_rng(k)

        def seen(lengths, rng=rng):
            return abs(away(lengths) + 1e-4 * rng.normal())

        if kind == "default":
            changes = {"alpha": 1e-3, "probe": 1e-3, "part": 1e3}
            run = lk.muscle.follow_distance(seen, L, low, high, sweeps=100, goal=0, **changes)
        else:
            settings = lk.muscle.FastGradient.for_sensor(1e-4, sweeps=100, goal=0)
            run = lk.muscle.follow_distance(seen, L, low, high, settings)
        ends.append(away(run.lengths))
    assert np.median(ends) <= {"default": 4e-3, "for_sensor": 2e-3}[kind]


def test_settings_for_a_sensor_follow_its_noise_and_the_size_of_the_arm():
    usual, noisy = (lk.muscle.FastGradient.for_sensor(noise) for noise in (0.0, 2e-3))
    assert usual.far == pytest.approx(1e-3) and usual.alpha == lk.muscle.FastGradient().alpha
    assert noisy.probe == noisy.far == 2e-3 and noisy.part > 1e3
    large = lk.muscle.FastGradient.for_sensor(2e-2, 7.0, sweeps=9)
    assert large.alpha == pytest.approx(10 * noisy.alpha) and large.probe == 2e-2 and large.sweeps == 9
    for bad in (-1.0, np.nan, np.inf, "loud"):
        with pytest.raises(lk.LimbikError):
            lk.muscle.FastGradient.for_sensor(bad)


def test_a_negative_distance_is_refused():
    """A negative number that counts as reached breaks this."""
    with pytest.raises(lk.LimbikError, match=r"returned -0\.1: a distance is 0 or more"):
        lk.muscle.follow_distance(lambda L: L[0] - 1.1, [1.0], [0.0], [2.0])


def test_other_arms_descend_too():
    limb = lk.load("human_upper_limb")
    q = limb.muscles.sample_admissible(np.random.default_rng(2), 2)
    p = limb.forward(q[0])[:3, 3]
    run = limb.muscles.descend_lengths(p, None, q[1], sweeps=60)
    assert run.distance < run.history[0] and limb.n == len(run.q)
    chain = lk.Chain.from_dh([(0.2, 0, 0, 0, "revolute", -2, 2)] * 5)
    strings = [
        lk.muscle.Muscle(f"m{k}", (), [(name, 0.02)], 0.2, 0.1, 0.3, independent=True)
        for k, name in enumerate(chain.joint_names)
    ]
    strung = chain.with_muscles(strings)
    aim = strung.forward([0.3, -0.2, 0.5, 0.1, 0.2])[:3, 3]
    run = strung.muscles.descend_lengths(aim, None, np.full(5, 0.1), sweeps=150)
    assert run.distance < 0.5 * run.history[0] and np.linalg.norm(strung.forward(run.q)[:3, 3] - aim) == pytest.approx(
        run.distance
    )


def test_misuse_raises(arm):
    L = starts(1)[0]
    for bad in (
        {"alpha": -1},
        {"alpha": np.nan},
        {"cooling": 1.5},
        {"sweeps": 1.5},
        {"sweeps": -1},
        {"seed": "x"},
        {"velocity": 1},
        {"speed": 1},
    ):
        with pytest.raises(lk.LimbikError):
            arm.muscles.descend_lengths(
                P1, L, **({"settings": lk.muscle.FastGradient(**bad)} if "seed" in bad else bad)
            )
    for call in (
        lambda: arm.muscles.descend_lengths([1, 2], L), lambda: arm.muscles.descend_lengths(P1, [1, 2]),
        lambda: arm.muscles.descend_lengths(P1, L, moved="biceps"),
        lambda: arm.muscles.descend_lengths(P1, L, moved=["bicep"]), lambda: arm.muscles.descend_lengths(P1, L, side=2),
        lambda: arm.muscles.descend_lengths(P1, L, settings=3), lambda: lk.muscle.follow_distance(3, [1], [0], [2]),
        lambda: lk.muscle.follow_distance(lambda L: "far", [1.0], [0.0], [2.0]),
        lambda: lk.muscle.follow_distance(len, [1.0], [2.0], [0.0]),
        lambda: lk.muscle.follow_distance(len, [], [], []), lambda: lk.muscle.follow_distance(len, [1.0], [0.0, 1.0], [2.0]),
    ):  # fmt: skip
        with pytest.raises(lk.LimbikError):
            call()


def test_what_a_sensor_raises_comes_through():
    def broken(lengths):
        raise ZeroDivisionError("the camera is off")

    with pytest.raises(ZeroDivisionError, match="camera"):
        lk.muscle.follow_distance(broken, [1.0], [0.0], [2.0])
    assert np.isinf(lk.muscle.follow_distance(lambda L: np.nan, [1.0], [0.0], [2.0], sweeps=3).distance)
