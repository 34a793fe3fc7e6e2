"""Edge cases of muscles: files with prismatic joints, redundant lengths, threads, folds, and misuse."""

import numpy as np
import pytest
import typer

import limbik as lk
from limbik import Status
from limbik.muscle import McKibben, Muscle

SLIDER = """
name = "slider"
unit = "cm"
[[joint]]
name = "j1"
kind = "prismatic"
parent = "base"
child = "a"
axis = [1, 0, 0]
lower = 0
upper = 50
[[muscle]]
name = "b"
pulley = [{ joint = "j1", radius = 1 }]
rest = 10
"""


def _joint(name, kind, parent, child, xyz, axis, lower, upper):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/>'
        f'<axis xyz="{axis}"/><limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint>'
    )


LINKS = ("torso", "s1", "s2", "upper_arm", "forearm", "wrist", "finger_link")
BRANCH = (
    '<robot name="branch">'
    + "".join(f'<link name="{name}"/>' for name in LINKS)
    + _joint("y", "revolute", "torso", "s1", "0 0 0", "0 1 0", -3, 3)
    + _joint("x", "revolute", "s1", "s2", "0 0 0", "1 0 0", -1.5, 1.5)
    + _joint("z", "revolute", "s2", "upper_arm", "0 0 0", "0 0 1", -1.5, 1.5)
    + _joint("e", "revolute", "upper_arm", "forearm", "0 0 -0.35", "1 0 0", 0, 2.5)
    + _joint("w", "fixed", "forearm", "wrist", "0 0 -0.35", "1 0 0", 0, 0)
    + _joint("f", "revolute", "forearm", "finger_link", "0.1 0 -0.3", "1 0 0", 0, 2.5)
    + "</robot>"
)


def branch_muscles():
    far = ("finger",)
    return [
        Muscle("pectoralis", [("torso", (-0.2, 0, 0)), ("upper_arm", (0, 0, -0.05))], (), 0, 0.1, 0.3, ("dorsal",)),
        Muscle("deltoid", [("torso", (0, 0, 0.03)), ("upper_arm", (0, 0, -0.15))], (), 0, 0.1, 0.2, far),
        Muscle("dorsal", [("torso", (-0.1, -0.18, 0)), ("upper_arm", (0, 0, -0.05))], (), 0, 0.1, 0.3, far),
        Muscle("supraspinatus", (), [("z", -0.03)], 0.2, 0.1, 0.3, far),
        Muscle("subscapularis", (), [("z", 0.03)], 0.2, 0.1, 0.3, ("supraspinatus", *far)),
        Muscle("biceps", [("upper_arm", (0, 0.02, -0.07)), ("forearm", (0, 0.02, -0.04))], (), 0, 0.1, 0.4, far),
        Muscle("triceps", (), [("e", 0.02)], 0.25, 0.2, 0.4, ("biceps", *far)),
        Muscle("finger", [("forearm", (0, 0, -0.1)), ("finger_link", (0, 0, -0.1))], lower=0, upper=1.0),
    ]


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def antagonists(**settings):
    joint = lk.Chain.from_dh([(0.3, 0, 0, 0, "revolute", -1, 1)], name="elbow")
    pair = [Muscle(n, (), [("joint1", r)], 0.2, 0.15, 0.25) for n, r in (("f", -0.03), ("e", 0.03))]
    joint = joint.with_muscles(pair)
    return joint.with_muscles(joint.muscles.as_mckibben(**settings))


def test_a_pulley_on_a_prismatic_joint_is_a_ratio_in_every_file(tmp_path):
    path = tmp_path / "slider.toml"
    path.write_text(SLIDER)
    loaded = lk.load(path)
    again = loaded.with_muscles(path)
    assert loaded.muscles.lengths([0.2]) == pytest.approx([0.3])
    assert again.muscles.lengths([0.2]) == pytest.approx([0.3])


def test_a_descent_returns_the_lengths_of_its_posture(arm):
    names = ("pectoralis", "dorsal", "subscapularis", "triceps")
    run = arm.muscles.descend_lengths([-0.1, 0.2, 0.15], moved=names, sweeps=20)
    own = dict(zip(arm.muscles.names, arm.muscles.lengths(run.q), strict=True))
    assert run.lengths == pytest.approx([own[n] for n in names], abs=1e-15)
    for bad in (list(arm.muscles.names), ["biceps", "biceps"], [], 3, "biceps", ["bicep"], [["biceps"]]):
        with pytest.raises(lk.BadOption):
            arm.muscles.descend_lengths([-0.1, 0.2, 0.15], moved=bad)


def test_a_descent_that_cannot_start_says_why(arm):
    with pytest.raises(lk.BadOption, match="'pectoralis' is 1 m"):
        arm.muscles.descend_lengths([-0.1, 0.2, 0.15], lengths=[1.0] * 4)
    with pytest.raises(lk.BadOption, match="limit"):
        arm.muscles.descend_lengths([-0.1, 0.2, 0.15], seed=[9.0] * 4)
    answer = arm.muscles.solve_lengths([-0.1, 0.2, 0.15], seed=[9.0] * 4, method="fast_gradient")
    assert np.isfinite(answer.position_error) and "inf" not in answer.why


def test_a_muscle_is_no_longer_than_its_thread():
    short = antagonists(thread=0.1)
    held = short.muscles.pressures_at([0.4], 2.0)
    assert held.status is Status.LIMITS and "thread" in held.why
    assert not short.muscles.posture_from_pressures(held.pressures).ok
    assert antagonists().muscles.pressures_at([0.4], 2.0).ok


def test_a_stiffness_beyond_reach_gives_the_stiffest_posture():
    joint = antagonists()
    stiff, stiffest = joint.muscles.pressures_at([0.2], 1e9), joint.muscles.pressures_at([0.2], 1e300)
    assert stiffest.ok and stiffest.pressures == pytest.approx(stiff.pressures, rel=1e-6)
    assert stiffest.pressures.max() == pytest.approx(4e5)


def test_impossible_mckibben_muscles_are_refused(arm):
    for bad in ({"turns": 1e200}, {"turns": 1e-200}, {"thread": 1e200}, {"highest": 1e300}):
        with pytest.raises(lk.LimbikError):
            arm.muscles.as_mckibben(**bad)
    with pytest.raises(lk.LimbikError):
        McKibben.for_range("a", 1)
    muscle = McKibben(0.2, 3.0, hysteresis=0.1)
    assert muscle.length_uncertainty(0.0) == 0 and muscle.force(-1.0, 1e5) == 0
    for bad in (1e300, np.inf, np.nan):
        with pytest.raises(lk.LimbikError):
            muscle.force(bad, 1e5)


def test_misuse_is_reported_in_a_sentence(arm):
    home, point = arm.home, [-0.1, 0.2, 0.15]
    rng = np.random.default_rng(0)
    for misuse in (
        lambda: arm.muscles.lengths(None),
        lambda: arm.muscles.moment_arms(None),
        lambda: arm.muscles.lengths(home, threads=None),
        lambda: arm.muscles.moment_arms(home, threads=None),
        lambda: antagonists().muscles.posture_from_pressures([1e5, 1e5], seed=[[0.0]]),
        lambda: arm.muscles.map(plane=[]),
        lambda: arm.muscles.map(points=10**6),
        lambda: arm.muscles.sample_admissible(rng, 10**12),
        lambda: lk.muscle.follow_distance(lambda L: 10**400, [0.2], [0.1], [0.3]),
        lambda: arm.muscles.track_lengths(home, point, centring=np.nan),
        lambda: arm.muscles.track_lengths(home, point, centring=-1.0),
        lambda: arm.muscles.descend_lengths(point, side=True),
        lambda: arm.muscles.solve_lengths(point, swivel=True),
        lambda: arm.muscles.solve_lengths(point, position_tolerance=np.inf),
    ):
        with pytest.raises(lk.LimbikError):
            misuse()
    assert arm.muscles.descend_lengths(point, side=np.int64(1), sweeps=2).sweeps <= 2


def test_pressures_of_an_arm_that_does_not_move(arm):
    fixed = arm.with_frozen(dict.fromkeys(arm.joint_names, 0.3))
    for load in (None, "gravity"):
        for held in (fixed.muscles.pressures_at([], 1.0, load), fixed.muscles.posture_from_pressures([1e5] * 7, load)):
            assert held.q.shape == (0,) and held.lengths == pytest.approx(fixed.muscles.lengths([]))


@pytest.mark.parametrize(("digits", "tolerance"), [(4, 1e-3), (6, 1e-5), (9, 1e-8)])
def test_lengths_with_few_digits_at_the_fold_have_a_posture(arm, digits, tolerance):
    """The upper arm in the plane of two origins: rounded lengths are slightly beyond what the two muscles allow."""
    rng = np.random.default_rng(1)
    postures = arm.muscles.sample_admissible(rng, 60)
    postures[:, 1] = 0.0
    postures = np.vstack([[-2.29938383, 0, -0.93162284, 0.66384356], postures[arm.muscles.admissible(postures)]])
    for q in postures:
        rounded = dict(zip(arm.muscles.names, np.round(arm.muscles.lengths(q), digits), strict=True))
        for given in (rounded, {name: rounded[name] for name in arm.muscles.independent}):
            found = arm.muscles.posture_from_lengths(given, tolerance=tolerance, limits=False)
            assert found.ok, (q, found.why)
            for lengths in found.lengths:
                own = dict(zip(arm.muscles.names, lengths, strict=True))
                assert max(abs(own[name] - length) for name, length in given.items()) <= tolerance
    far = {"pectoralis": 0.16, "deltoid": 0.18, "supraspinatus": 0.2, "biceps": 0.25}
    assert arm.muscles.posture_from_lengths(far, limits=False).status is Status.OUT_OF_REACH


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
def test_the_tolerance_of_lengths_scales_with_the_arm(arm, factor):
    scaled = arm.scaled(factor)
    lengths = np.array(scaled.muscles.lengths([0.3, 0.4, 0.2, 1.0]))
    assert scaled.muscles.posture_from_lengths(lengths).ok
    lengths[-1] *= 1.01
    assert scaled.muscles.posture_from_lengths(lengths).status is Status.OUT_OF_REACH


def test_a_contradiction_names_antagonists_of_this_chain_alone(tmp_path):
    """A muscle may oppose one that runs to another branch, which this chain does not have."""
    path = tmp_path / "branch.urdf"
    path.write_text(BRANCH)
    chain = lk.load(path, tip="wrist").with_muscles(branch_muscles())
    assert "finger" not in chain.muscles.names
    lengths = dict(zip(chain.muscles.names, chain.muscles.lengths([0.3, 0.4, 0.2, 1.0]), strict=True))
    assert chain.muscles.posture_from_lengths(lengths).ok
    for name in ("subscapularis", "triceps", "dorsal", "biceps"):
        wrong = chain.muscles.posture_from_lengths({**lengths, name: lengths[name] + 0.004})
        assert wrong.status is Status.OUT_OF_REACH and "contradicts" in wrong.why and "finger" not in wrong.why


def test_messages_name_a_muscle_once(arm, tmp_path):
    path = tmp_path / "m.toml"
    pulley = 'pulley = [{ joint = "elbow", radius = 1 }]'
    for body in (
        "",
        f"lower = 3\nupper = 2\n{pulley}",
        'pulley = [{ joint = "elbow", radius = "a" }]',
        f"lower = 0.10\nupper = 0.12\nmckibben = {{ turns = 0 }}\n{pulley}",
        f"lower = 0.10\nupper = 0.12\nmckibben = {{ turns = 'a' }}\n{pulley}",
        f'opposes = ["b"]\n{pulley}',
    ):
        path.write_text(f'[[muscle]]\nname = "b"\n{body}\n')
        with pytest.raises(lk.BadModel) as error:
            arm.with_muscles(path)
        assert str(error.value).count("muscle 'b'") == 1 and "did you mean 'b'" not in str(error.value)


def test_a_method_without_a_target_is_refused():
    from typer.testing import CliRunner

    from limbik.cli.muscles import muscles

    app = typer.Typer()
    app.command()(muscles)
    result = CliRunner().invoke(app, ["maximum_one", "--method", "x"])
    assert isinstance(result.exception, lk.BadOption) and "--target" in str(result.exception)
