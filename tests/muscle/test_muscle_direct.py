"""From lengths to postures: closed form with both branches and reasons, and a search for other arms."""

import numpy as np
import pytest

import limbik as lk
from limbik import Status
from limbik.papers.gini.explicit import angles, equation_14, spheres

SEED = 4


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def postures(arm, count, low=1.0, high=89.0):
    """Random postures in front of the body."""
    rng = np.random.default_rng(SEED)
    q = arm.sample(rng, count)
    q[:, 1] = np.radians(rng.uniform(low, high, count))
    return q


def test_lengths_of_a_posture_give_it_back(arm):
    for q in postures(arm, 300):
        L = arm.muscles.lengths(q)
        found = arm.muscles.posture_from_lengths(L[[0, 1, 3, 5]])
        assert found.ok and np.abs(found.q[0] - q).max() <= 1e-10
        # and the mirror image behind the body
        assert len(found) == 2 and np.abs(found.q[1] - q * [1, -1, 1, 1]).max() <= 1e-10
        assert np.abs(found.lengths[:, [0, 1, 3, 4, 5, 6]] - L[[0, 1, 3, 4, 5, 6]]).max() <= 1e-12
        whole = arm.muscles.posture_from_lengths(L)  # the dorsal muscle tells them apart
        assert len(whole) == 1 and np.abs(whole.q[0] - q).max() <= 1e-10
        behind = arm.muscles.posture_from_lengths(arm.muscles.lengths(q * [1, -1, 1, 1]))
        assert len(behind) == 1 and np.abs(behind.q[0] - q * [1, -1, 1, 1]).max() <= 1e-10


def test_the_papers_equations_corrected_are_the_same(arm):
    for q in postures(arm, 200):
        l_pe, l_de = 100 * arm.muscles.lengths(q)[:2]
        front, back = spheres(l_pe, l_de)
        assert np.abs(equation_14(l_pe, l_de) - front).max() <= 1e-6 and np.allclose(back, front * [1, -1, 1])
        assert np.allclose(angles(front), [q[1], q[0]], atol=1e-10)
        insertion = 100 * (arm.forward(q, "upper_arm") @ [0, 0, -0.05, 1])[:3]
        assert np.abs(insertion - front).max() <= 1e-9


def test_near_the_fold_the_pair_changes(arm):
    """Pectoralis and deltoid are singular there; the dorsal muscle determines the posture."""
    L = arm.muscles.lengths([0.3, np.radians(0.01), 0.0, 1.0])
    found = arm.muscles.posture_from_lengths(L)
    assert "dorsal" in found.pair and np.abs(found.q[0] - [0.3, np.radians(0.01), 0.0, 1.0]).max() <= 1e-10
    well = arm.muscles.posture_from_lengths(L[[0, 1, 3, 5]])
    assert set(well.pair) == {"pectoralis", "deltoid"} and well.conditioning < found.conditioning


GOOD = {"pectoralis": 0.2, "deltoid": 0.15, "supraspinatus": 0.2, "biceps": 0.28}


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"pectoralis": 0.3}, Status.LIMITS, ("range", "'pectoralis'", "0.15 to 0.25")),
        ({"biceps": 0.2}, Status.LIMITS, ("range", "'biceps'")),
        (
            {"pectoralis": 0.16, "deltoid": 0.125},
            Status.OUT_OF_REACH,
            ("'pectoralis'", "'deltoid'", "contradict each other"),
        ),
        ({"subscapularis": 0.22}, Status.OUT_OF_REACH, ("'subscapularis'", "antagonist", "'supraspinatus'", "0.2 m")),
        ({"triceps": 0.25}, Status.OUT_OF_REACH, ("'biceps'", "antagonist", "'triceps'")),
        ({"dorsal": 0.25}, Status.OUT_OF_REACH, ("'dorsal'", "contradict each other", "0.24801")),
        ({"dorsal": 0.22}, Status.OUT_OF_REACH, ("contradicts", "would be")),
        ({"biceps": 0.3249}, Status.LIMITS, ("joint limit",)),
        ({"supraspinatus": 0.151}, Status.LIMITS, ("joint limit",)),
    ],
)
def test_impossible_lengths_are_refused_with_the_reason(arm, changes, status, says):
    found = arm.muscles.posture_from_lengths({**GOOD, **changes})
    assert found.status is status and not found.ok and len(found) == 0
    assert all(word in found.why for word in says), found.why


def test_the_triangle_inequality_is_reported_without_ranges(arm):
    for name, length in (
        ("pectoralis", 0.26),
        ("pectoralis", 0.14),
        ("deltoid", 0.11),
        ("deltoid", 0.19),
        ("biceps", 0.1),
        ("biceps", 0.4),
    ):
        found = arm.muscles.posture_from_lengths({**GOOD, name: length}, limits=False)
        assert found.status is Status.OUT_OF_REACH and "triangle" in found.why and f"'{name}'" in found.why


def test_refused_lengths_are_impossible(arm):
    """No posture that random draws find has lengths near those that are called impossible."""
    q = arm.sample(np.random.default_rng(SEED), 100_000)
    L = arm.muscles.lengths(q)[:, :2]
    rng = np.random.default_rng(SEED + 1)
    for pair in rng.uniform((0.15, 0.12), (0.25, 0.18), (100, 2)):
        found = arm.muscles.posture_from_lengths({**GOOD, "pectoralis": pair[0], "deltoid": pair[1]})
        near = np.abs(L - pair).max(axis=1).min()
        assert (near < 1e-3) if found.ok else (near > 1e-6), (pair, found.why)


@pytest.mark.parametrize(
    "bad",
    [
        "abc",
        None,
        [0.2, 0.2],
        [np.nan] * 7,
        {"nobody": 0.2},
        {},
        {"biceps": np.inf},
        {"biceps": "x"},
        np.zeros((2, 7)),
        {"biceps": 0.28},
    ],
)
def test_misuse_raises(arm, bad):
    with pytest.raises(lk.LimbikError):
        arm.muscles.posture_from_lengths(bad)


def test_other_misuse_raises(arm):
    for options in ({"seed": [0, 0]}, {"tolerance": 0}, {"tolerance": "x"}, {"limits": "no"}):
        with pytest.raises(lk.LimbikError):
            arm.muscles.posture_from_lengths(GOOD, **options)


def test_an_arm_without_closed_form_is_searched():
    arm = lk.load("human_upper_limb")
    rng = np.random.default_rng(SEED)
    for q in arm.muscles.sample_admissible(rng, 20):
        L = arm.muscles.lengths(q)
        found = arm.muscles.posture_from_lengths(L)
        assert found.ok and np.abs(found.lengths - L).max() <= 1e-6 and arm.muscles.admissible(found.q).all()
        assert min(np.abs(x - q).max() for x in found.q) <= 1e-6
    crossed = dict(zip(arm.muscles.names, L, strict=True)) | {"supinator": 0.099, "pronator_teres": 0.119}
    assert arm.muscles.posture_from_lengths(crossed).status is Status.NOT_FOUND
    family = arm.muscles.posture_from_lengths({"brachialis": 0.12})
    assert family.ok and "family" in family.why and family.lengths[0, 7] == pytest.approx(0.12)
