"""What a muscle is: checked when it is made, kept by changed copies, read from files in one sentence."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from muscle_arms import BALL

import limbik as lk
from limbik.model.mobility import mobility

ENDS = [("a", (0, 0, 0)), ("b", (1, 0, 0))]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: lk.muscle.Muscle("m"), "has no path"),
        (lambda: lk.muscle.Muscle("m", ENDS[:1]), "1 point"),
        (lambda: lk.muscle.Muscle("", ENDS), "no name"),
        (lambda: lk.muscle.Muscle(3, ENDS), "must be text"),
        (lambda: lk.muscle.Muscle("m", "ab"), "a list is needed"),
        (lambda: lk.muscle.Muscle("m", [("a", (0, 0)), ("b", (1, 0, 0))]), "three numbers"),
        (lambda: lk.muscle.Muscle("m", [("a", (0, 0, np.nan)), ("b", (1, 0, 0))]), "NaN"),
        (lambda: lk.muscle.Muscle("m", [("a",), ("b", (1, 0, 0))]), "(link, (x, y, z))"),
        (lambda: lk.muscle.Muscle("m", ENDS, lower=2, upper=1), "2 to 1"),
        (lambda: lk.muscle.Muscle("m", ENDS, lower=-1, upper=1), "0 or more"),
        (lambda: lk.muscle.Muscle("m", ENDS, lower=1, upper=1), "below"),
        (lambda: lk.muscle.Muscle("m", ENDS, upper=np.nan), "NaN or too large"),
        (lambda: lk.muscle.Muscle("m", ENDS, rest="long"), "must be a number"),
        (lambda: lk.muscle.Muscle("m", (), [("j", 0.0)]), "not 0"),
        (lambda: lk.muscle.Muscle("m", (), [("j", np.inf)]), "finite"),
        (lambda: lk.muscle.Muscle("m", ENDS, independent="yes"), "true or false"),
        (lambda: lk.muscle.Muscle("m", ENDS, actuator=3), "McKibben"),
    ],
)
def test_a_muscle_that_cannot_be_is_refused(make, says):
    with pytest.raises(lk.LimbikError) as caught:
        make()
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_muscles_must_fit_their_mechanism():
    arm = lk.load("maximum_one")
    good = arm.muscles[0]
    for bad, says in (
        (replace(good, path=(("torsoo", (0, 0, 0)), ("forearm", (0, 0, 0)))), "did you mean 'torso'"),
        (replace(good, pulleys=(("elbw", 0.1),)), "did you mean 'elbow'"),
        (replace(good, opposes=("nobody",)), "not a muscle"),
        (replace(good, opposes=("pectoralis",)), "itself"),
        ("biceps.toml", "biceps.toml"),
        (3, "Muscle objects"),
    ):
        with pytest.raises(lk.LimbikError, match=says):
            arm.with_muscles(bad if isinstance(bad, str | int) else [bad])
    with pytest.raises(lk.BadModel, match="two muscles"):
        arm.with_muscles([good, good])
    figure = lk.load("human")
    with pytest.raises(lk.BadModel, match="joint with one axis"):
        figure.model.mechanism.with_muscles([lk.muscle.Muscle("m", (), [("root", 0.1)])])


def test_removed_muscles_are_removed_from_lists_of_antagonists():
    arm = lk.load("maximum_one")
    few = arm.with_muscles(arm.muscles[:2])
    assert few.muscles.names == ("pectoralis", "deltoid") and few.muscles[0].opposes == ()
    assert arm.with_muscles(()).model.compiled.muscles == () and arm.with_muscles(arm.muscles) == arm
    assert few != arm and few.fingerprint != arm.fingerprint


def test_copies_keep_and_change_muscles():
    arm = lk.load("maximum_one")
    assert pickle.loads(pickle.dumps(arm)) == arm
    q = np.array([0.3, 0.5, -0.2, 1.1])
    big = arm.scaled(100.0)
    assert np.allclose(big.muscles.lengths(q), 100 * arm.muscles.lengths(q), rtol=1e-13)
    assert np.allclose(big.muscles.ranges, 100 * np.array(arm.muscles.ranges))
    moved = arm.with_base(np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1.0]]))
    assert np.allclose(moved.muscles.lengths(q), arm.muscles.lengths(q), atol=1e-14)
    held = arm.with_frozen({"shoulder_z": q[2]})
    assert held.n == 3 and np.allclose(held.muscles.lengths(q[[0, 1, 3]]), arm.muscles.lengths(q), atol=1e-15)
    assert tuple(arm.with_limits({"elbow": 0.1}, {"elbow": 1.0}).muscles) == tuple(arm.muscles)


def test_a_chain_has_the_muscles_that_run_over_it_alone():
    arm = lk.load("maximum_one")
    part = lk.Chain(arm.model.mechanism, "upper_arm", "wrist")
    assert part.muscles.names == ("biceps", "triceps")
    whole = arm.muscles.lengths([0.1, 0.2, 0.3, 0.9])
    assert np.allclose(part.muscles.lengths([0.9]), whole[5:], atol=1e-15)


MUSCLE = BALL.split("[[muscle]]")[0] + "[[muscle]]\nname = 'm'\n"
POINTS = "origin = { link = 'body', xyz = [0, 0, 0] }\ninsertion = { link = 'upper', xyz = [0, 0, 1] }\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MUSCLE, ("has no path",)),
        (MUSCLE + POINTS + "uper = 1", ("'uper'", "did you mean 'upper'")),
        (MUSCLE + POINTS + "upper_deg = 1", ("upper_deg", "unknown key")),
        (MUSCLE + POINTS + "upper = 'x'", ("upper", "number")),
        (MUSCLE + POINTS + "upper = nan", ("upper", "NaN or too large")),
        (MUSCLE + POINTS + "lower = 3\nupper = 2", ("3 to 2",)),
        (MUSCLE + "origin = { link = 'body', xyz = [0, 0, 0] }", ("no insertion",)),
        (MUSCLE + POINTS.replace("[0, 0, 1]", "[0, 1]"), ("3 numbers",)),
        (MUSCLE + POINTS.replace("'upper'", "'uper'"), ("'uper'", "did you mean 'upper'")),
        (MUSCLE + POINTS.replace("xyz = [0, 0, 1]", "xyzz = 1"), ("write {",)),
        (MUSCLE + POINTS + "via = 3", ("via", "list")),
        (MUSCLE + POINTS + "pulley = [{ joint = 'elbow' }]", ("write {",)),
        (MUSCLE + POINTS + "pulley = [{ joint = 'elbw', radius = 1 }]", ("did you mean 'elbow'",)),
        (MUSCLE + POINTS + "pulley = [{ joint = 'shoulder', radius = 1 }]", ("ball",)),
        (MUSCLE + POINTS + "pulley = [{ joint = 'elbow', radius = 0 }]", ("not 0",)),
        (MUSCLE + POINTS + "opposes = 'n'", ("list of names",)),
        (MUSCLE + POINTS + "opposes = ['n']", ("not a muscle",)),
        (MUSCLE + POINTS + "mckibben = 3", ("mckibben",)),
        (MUSCLE + POINTS + "upper = 3\nmckibben = {}", ("1.732",)),
        (MUSCLE + POINTS + "mckibben = { thread = -1 }", ("thread",)),
        ("independent = ['x']\n" + MUSCLE + POINTS, ("independent", "no such muscle")),
        ("independent = 3\n" + MUSCLE + POINTS, ("list of names",)),
        ("muscle = 3\n" + MUSCLE.split("[[muscle]]")[0], ("[[muscle]]",)),
        (MUSCLE.replace("name = 'm'", "name = 3") + POINTS, ("text",)),
    ],
)
def test_broken_muscles_of_a_file_get_one_sentence(text, says, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(text)
    with pytest.raises(lk.LimbikError) as caught:
        lk.load(path)
    message = str(caught.value)
    assert all(word in message for word in says) and "\n" not in message, message


def test_a_file_of_muscles_alone_is_attached_to_any_arm(tmp_path):
    path = tmp_path / "muscles.toml"
    path.write_text(
        "unit = 'cm'\nindependent = ['biceps']\n[[muscle]]\nname = 'biceps'\norigin = { link = 'upper_arm', xyz = [3, 0, 2] }\n"
        "insertion = { link = 'forearm', xyz = [4, 0, 2] }\nlower = 5\nupper = 40\n"
    )
    arm = lk.load("human_arm_7").with_muscles(path)
    assert arm.muscles.names == arm.muscles.independent == ("biceps",) and arm.muscles.ranges[1][0] == pytest.approx(
        0.4
    )
    path.write_text("[[muscl]]\nname = 'x'\n")
    with pytest.raises(lk.BadModel, match="did you mean 'muscle'"):
        lk.load("human_arm_7").with_muscles(path)


def test_a_ratio_on_a_prismatic_joint_is_not_a_length(tmp_path):
    """A pulley on a prismatic joint has a ratio of lengths, independent of the unit of the file."""
    path = tmp_path / "arm.toml"
    for unit, by in (("m", 1.0), ("cm", 100.0)):
        numbers = f"unit = '{unit}'\n" + BALL.split("[[muscle]]")[0].replace("0.2\n", f"{0.2 * by}\n").replace(
            "0.35", f"{0.35 * by}"
        )
        path.write_text(numbers + "[[muscle]]\nname = 'm'\npulley = [{ joint = 'slide', radius = 0.5 }]\n")
        assert lk.load(path).muscles.lengths([0, 0, 0, 0.4, 0.3])[0] == pytest.approx(0.15)
        assert lk.load(path).scaled(10).muscles.lengths([0, 0, 0, 0.4, 3.0])[0] == pytest.approx(1.5)


def test_the_catalogue_has_what_the_paper_says():
    arm = lk.load("maximum_one")
    assert len(arm.muscles) == 7 and arm.n == 4
    assert arm.muscles.independent == ("pectoralis", "deltoid", "supraspinatus", "biceps")
    lengths = dict(zip(arm.muscles.names, arm.muscles.lengths(np.zeros(4)), strict=True))
    assert lengths["pectoralis"] == pytest.approx(np.hypot(0.2, 0.05)) and lengths["deltoid"] == pytest.approx(0.18)
    for muscle in arm.muscles:
        assert muscle.opposes and muscle.actuator is not None
    limb = lk.load("human_upper_limb")
    assert len(limb.muscles) == 15 and len(limb.muscles.independent) == limb.n == 7


def test_mobility_counts_as_gruebler_does():
    assert mobility(5, [3] * 7) == 3 and mobility(8, [3] * 7 + [1] * 3) == 6 and mobility(2, [1]) == 1
    for bad in ((0, [1]), (2, [7]), (True, [1]), (2, [0.5])):
        with pytest.raises(lk.BadOption):
            mobility(*bad)
