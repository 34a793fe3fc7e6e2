"""Two bones without joints: lengths, plane, reach, every degenerate target."""

import math
import pickle

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.two_bone.answer import Mark

CONE = math.sin(math.radians(1))
# Largest ratio of the elbow's rotation to its input's: outside the cone, and inside with an earlier answer.
OUTSIDE, INSIDE = 1 / CONE, (2 + 2 * math.pi) / CONE
ARM = lk.Limb(0.33, 0.26)


@pytest.fixture
def rng():
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    return np.random.default_rng(seed)


def units(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def test_the_elbow_is_where_two_spheres_and_the_poles_plane_meet(rng):
    """An oracle of its own: the elbow's angle by the law of cosines, the plane by two cross products."""
    N = 20_000
    T, P = rng.normal(scale=0.3, size=(N, 3)), rng.normal(size=(N, 3))
    root = rng.normal(size=3)
    batch = ARM.solve_batch(root + T, root + P, roots=root)
    assert np.isfinite(batch.rows).all()
    x = np.linalg.norm(T, axis=1)
    y = np.clip(x, 0.07, 0.59)
    d = T / x[:, None]
    angle = np.arccos(np.clip((0.33**2 + y**2 - 0.26**2) / (2 * 0.33 * y), -1, 1))
    side = units(np.cross(np.cross(d, P), d))
    elbow = root + 0.33 * (np.cos(angle)[:, None] * d + np.sin(angle)[:, None] * side)
    inside = (x > 0.0701) & (x < 0.5899)
    assert np.abs(batch.elbow - elbow)[inside].max() < 1e-12
    assert np.abs(batch.elbow - elbow).max() < 1e-7  # arccos loses half the digits where the limb is straight
    assert np.abs(batch.end - (root + y[:, None] * d)).max() < 1e-12
    assert (batch.ok == ((x <= 0.59) & (x >= 0.07))).all()
    assert (batch.status[~batch.ok] == lk.Status.OUT_OF_REACH).all()
    assert np.abs(batch.position_error - np.abs(x - y)).max() < 1e-12
    bends = np.arccos(np.clip(np.einsum("ki,ki->k", units(batch.elbow - root), units(batch.end - batch.elbow)), -1, 1))
    assert np.abs(batch.bend - bends).max() < 1e-7


def test_the_fixed_direction_is_across_the_line_when_it_is_nearly_along_it(rng):
    limb = lk.Limb(0.33, 0.26)
    T = 0.4 * (limb.zero + rng.normal(size=(1000, 3)) * 10.0 ** rng.uniform(-8, -1, (1000, 1)))
    batch = limb.solve_batch(T, 2 * T)  # poles in line
    assert np.abs(np.einsum("ki,ki->k", batch.side, batch.line)).max() < 1e-15


def test_bones_keep_their_lengths_for_every_target(rng):
    N = 5000
    T = rng.normal(size=(N, 3)) * 10.0 ** rng.uniform(-9, 3, (N, 1))
    P = T * rng.normal(size=(N, 1)) + rng.normal(size=(N, 3)) * 10.0 ** rng.uniform(-12, 0, (N, 1))
    for options in ({}, {"soft": 0.2}, {"stretch": lk.two_bone.Stretch(0.9, 1.7)}, {"soft": 0.1, "stretch": 0.5}):
        for upper, lower in ((0.33, 0.26), (0.3, 0.3), (0.0, 0.4), (0.4, 0.0), (1e-9, 1.0)):
            limb = lk.Limb(upper, lower)
            for previous in (None, rng.normal(size=3)):
                batch = limb.solve_batch(T, P, previous=previous, **options)
                assert np.isfinite(batch.rows).all()
                f = batch.stretched
                far = 1e-12 + 4e-16 * np.linalg.norm(T, axis=1)
                assert (np.abs(np.linalg.norm(batch.elbow, axis=1) - upper * f) <= far).all()
                assert (np.abs(np.linalg.norm(batch.end - batch.elbow, axis=1) - lower * f) <= far).all()
                assert np.abs(np.linalg.norm(batch.side, axis=1) - 1).max() < 1e-14
                assert np.abs(np.einsum("ki,ki->k", batch.side, batch.line)).max() < 1e-14
                assert (batch.position_error[batch.ok] < 1e-9).all()


def test_a_swivel_is_an_angle_about_the_line_from_zero(rng):
    for _ in range(100):
        target, swivel = units(rng.normal(size=3)) * rng.uniform(0.1, 0.58), rng.uniform(-math.pi, math.pi)
        answer = ARM.solve(target, swivel=swivel)
        assert answer.ok and answer.swivel == pytest.approx(swivel, abs=1e-12)
        again = ARM.solve(target, pole=answer.elbow)
        assert np.abs(again.elbow - answer.elbow).max() < 1e-9  # the elbow itself is a pole, if a near one
        towards = ARM.solve(target, direction=answer.side)
        assert np.abs(towards.elbow - answer.elbow).max() < 1e-14
    assert ARM.zero.tolist() == [0, 0, 1]


def test_outside_a_degree_the_elbow_is_lipschitz_in_pole_and_line(rng):
    """|elbow' - elbow| <= a turn of the line times (a + h cot) + that of the pole times h / sin + that of the bend times a."""
    N, limb = 50_000, lk.Limb(0.4, 0.3)
    step = 10.0 ** rng.uniform(-7, -2.5, (N, 1))
    y = rng.uniform(0.15, 0.69, N)
    d, n = units(rng.normal(size=(N, 3))), units(rng.normal(size=(N, 3)))
    across = units(n - np.einsum("ki,ki->k", n, d)[:, None] * d)
    theta = np.radians(1.0) * 10.0 ** rng.uniform(0, 2, N)  # mostly near the cone
    p = np.cos(theta)[:, None] * d + np.sin(theta)[:, None] * across
    d1, p1 = units(d + step * rng.normal(size=(N, 3))), units(p + step * rng.normal(size=(N, 3)))
    first, second = (limb.solve_batch(y[:, None] * u, directions=v) for u, v in ((d, p), (d1, p1)))
    both = ((first.marks | second.marks) & Mark.NEAR_POLE) == 0
    sine = np.minimum(np.linalg.norm(np.cross(d, p), axis=1), np.linalg.norm(np.cross(d1, p1), axis=1))
    assert (both == (sine >= CONE)).all() and both.mean() > 0.5
    h = np.linalg.norm(first.elbow - np.einsum("ki,ki->k", first.elbow, d)[:, None] * d, axis=1)
    turned, moved = np.linalg.norm(d1 - d, axis=1), np.linalg.norm(p1 - p, axis=1)
    bound = turned * (0.4 + h / math.tan(math.radians(1))) + moved * h * OUTSIDE
    ratio = np.linalg.norm(second.elbow - first.elbow, axis=1) / bound
    assert ratio[both].max() <= 1 + 1e-6 and ratio[both].max() > 0.2


def pole_path(rng, steps, through):
    """Return directions of a pole that moves about the line z, through it or near it, and their sines."""
    if through:
        angle = np.linspace(-0.05, 0.05, steps)
        turn = rng.uniform(0, 2 * math.pi)
        p = np.stack([np.sin(angle) * math.cos(turn), np.sin(angle) * math.sin(turn), np.cos(angle)], 1)
    else:
        walk = np.cumsum(rng.normal(size=(steps, 2)), axis=0) * 0.02 / math.sqrt(steps)
        walk += 0.012 * np.stack([np.cos(np.linspace(0, 9, steps)), np.sin(np.linspace(0, 9, steps))], 1)
        p = units(np.concatenate([walk, np.ones((steps, 1))], 1))
    return p


@pytest.mark.parametrize("through", [True, False])
def test_with_an_earlier_answer_the_elbow_never_jumps(rng, through):
    """Its direction rotates by at most a fixed multiple of the pole's rotation, through the line too."""
    for steps in (100, 1000):
        p = pole_path(rng, steps, through)
        answer, sides, worst = ARM.solve((0, 0, 0.4), direction=p[0], previous=(1, 0, 0)), [], 0.0
        for k in range(1, steps):
            then, answer = answer, ARM.solve((0, 0, 0.4), direction=p[k], previous=answer)
            angle = math.acos(max(-1.0, min(1.0, float(then.side @ answer.side))))
            worst = max(worst, angle / np.linalg.norm(p[k] - p[k - 1]))
            sides.append(answer.side)
        assert worst <= INSIDE
        sine = np.hypot(p[1:, 0], p[1:, 1])
        out = sine >= CONE
        if through:
            assert out.any() and (~out).any()
        exact = np.array(sides)[out][:, :2] - p[1:][out][:, :2] / sine[out][:, None]
        assert np.abs(exact).max(initial=0.0) < 1e-13


def test_the_elbow_trajectory_does_not_depend_on_the_steps(rng):
    """The play of a loose gear is the same for a motion in ten steps and in a thousand."""
    angles = [np.linspace(-0.03, 0.03, n + 1) for n in (60, 300, 1500)]
    ends = []
    for angle in angles:
        answer = None
        for x in angle[: len(angle) * 4 // 5 + 1]:
            p = (math.sin(x), 1e-5, math.cos(x))
            answer = ARM.solve((0, 0, 0.4), direction=p, previous=answer)
        ends.append(answer.side)
    assert np.abs(ends[0] - ends[2]).max() < 1e-3 and np.abs(ends[1] - ends[2]).max() < 1e-3


def test_without_an_earlier_answer_the_choice_is_reported():
    through = ARM.solve((0, 0, 0.4), pole=(0, 0, 2))
    assert through.ok and Mark.CHOSEN in through.marks and "so a fixed one" in through.why
    near = ARM.solve((0, 0, 0.4), pole=(0.001, 0, 2))
    assert Mark.NEAR_POLE in near.marks and "previous=" in near.why and near.side @ (1, 0, 0) == pytest.approx(1)
    held = ARM.solve((0, 0, 0.4), pole=(0, 0, 2), previous=near)
    assert Mark.HELD in held.marks and np.array_equal(held.side, near.side)
    kept = ARM.solve((0.1, 0, 0.4), previous=held)
    turned = ARM.solve((0.1, 0, 0.4), direction=held.side)  # the least turn of the line stays in its plane here
    assert np.abs(kept.side - turned.side).max() < 1e-14


def test_an_earlier_direction_is_transported_by_the_least_rotation(rng):
    from scipy.spatial.transform import Rotation

    for _ in range(50):
        d0, d1 = units(rng.normal(size=(2, 3)))
        first = ARM.solve(0.4 * d0, direction=rng.normal(size=3))
        second = ARM.solve(0.4 * d1, previous=first)
        axis = np.cross(d0, d1)
        turn = Rotation.from_rotvec(units(axis) * math.atan2(np.linalg.norm(axis), d0 @ d1))
        assert np.abs(second.side - turn.apply(np.array(first.side))).max() < 1e-12


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
def test_the_unit_does_not_matter(rng, scale):
    T, P = rng.normal(scale=0.3, size=(500, 3)), rng.normal(size=(500, 3))
    small, large = lk.Limb(0.33, 0.26), lk.Limb(0.33 * scale, 0.26 * scale)
    one, other = small.solve_batch(T, P, soft=0.1), large.solve_batch(T * scale, P * scale, soft=0.1)
    assert (one.status == other.status).all()
    off = np.abs(one.elbow - other.elbow / scale).max(axis=1)
    bent = (one.bend > 0.01) & (one.bend < 3.13)
    assert bent.mean() > 0.5 and off[bent].max() < 1e-12
    assert off.max() < 1e-7  # of a straight limb's height half the digits are rounding


def test_degenerate_targets_have_answers():
    folded = lk.Limb(1, 1).solve((0, 0, 0), pole=(0, 0, 3))
    assert folded.ok and Mark.NO_LINE in folded.marks and folded.elbow.tolist() == [0, 0, 1] and folded.bend == math.pi
    near = ARM.solve((0, 0, 0), pole=(0, 0, 3))
    assert near.status is lk.Status.OUT_OF_REACH and "closer" in near.why and near.position_error == pytest.approx(0.07)
    far = ARM.solve((0, -1, 0))
    assert far.status is lk.Status.OUT_OF_REACH and far.end.tolist() == [0, -(0.33 + 0.26), 0] and far.bend == 0
    straight = ARM.solve((0, -0.59, 0))
    assert straight.ok and straight.bend == pytest.approx(0, abs=1e-7)
    nothing = lk.Limb(0, 0).solve((1, 2, 3), pole=(0, 0, 1))
    assert nothing.status is lk.Status.OUT_OF_REACH and nothing.elbow.tolist() == [0, 0, 0]
    assert lk.Limb(0, 0).solve((0, 0, 0)).ok
    at_root = ARM.solve((0, -0.4, 0), pole=(0, 0, 0))
    assert at_root.ok and Mark.CHOSEN in at_root.marks
    lost = lk.Limb(1e-6, 1e-6, root=(1e6, 0, 0)).solve((1e6, 1e-6, 0))
    assert lost.status is lk.Status.NOT_FOUND and "rounding" in lost.why


def test_soft_reach_follows_without_a_kink_and_stays_below_the_length():
    L, soft = 0.33 + 0.26, 0.1
    x = np.concatenate([np.linspace(0.3, 3, 20_001), [10, 1e3, 1e6]])
    batch = ARM.solve_batch(x[:, None] * [[0, 0, 1]], directions=(1, 0, 0), soft=soft)
    y = batch.end[:, 2]
    w = soft * L
    from_start = L - w
    wanted = np.where(x <= from_start, x, from_start + w * (1 - np.exp(-(np.maximum(x, from_start) - from_start) / w)))
    assert np.abs(y - wanted).max() < 1e-15 and (y <= L).all()
    slope = np.diff(y[:-3]) / np.diff(x[:-3])
    assert (slope >= -1e-10).all() and np.abs(np.diff(slope)).max() <= (x[1] - x[0]) / w * (1 + 1e-6)
    assert np.abs(batch.position_error - (x - y)).max() < 1e-9
    inside = x <= L
    assert (batch.status[inside & (x > from_start + 1e-6)] == lk.Status.COMPROMISE).all()
    assert (batch.status[x <= from_start] == lk.Status.SOLVED).all()
    assert (batch.status[~inside & (x > L + 1e-6)] == lk.Status.OUT_OF_REACH).all()
    # the elbow no longer snaps: its speed is bounded all the way out
    speed = np.linalg.norm(np.diff(batch.elbow[:-3], axis=0), axis=1) / np.diff(x[:-3])
    hard = ARM.solve_batch(x[:, None] * [[0, 0, 1]], directions=(1, 0, 0))
    snap = np.linalg.norm(np.diff(hard.elbow[:-3], axis=0), axis=1) / np.diff(x[:-3])
    assert speed.max() < 2.2 and snap.max() > 10


def test_bones_stretch_only_when_asked_and_by_no_more_than_asked(rng):
    x = np.linspace(0.3, 1.5, 2001)
    targets = x[:, None] * [[0, 0, 1]]
    for start, most in ((1.0, 1.5), (0.9, 1.5), (0.8, 1.2)):
        batch = ARM.solve_batch(targets, directions=(1, 0, 0), stretch=lk.two_bone.Stretch(start, most))
        y = np.minimum(x, most * 0.59)
        assert np.abs(batch.stretched - np.clip(1 + y / 0.59 - start, 1, most)).max() < 1e-14
        assert (batch.ok == (x <= most * 0.59)).all()
        assert np.abs(batch.end[:, 2] - y).max() < 1e-14
    answer = ARM.solve((0, 0, 0.8), stretch=0.5)
    assert answer.ok and answer.stretched == pytest.approx(0.8 / 0.59) and "stretched to" in answer.why
    assert not ARM.solve((0, 0, 0.8)).ok and ARM.solve((0, 0, 0.8)).stretched == 1.0
    both = ARM.solve_batch(targets, directions=(1, 0, 0), stretch=lk.two_bone.Stretch(0.9, 1.5), soft=0.1)
    assert both.bend.min() > 0 and both.stretched.max() <= 1.5


def test_rows_of_a_batch_are_single_answers_on_any_number_of_threads(rng):
    T, P = rng.normal(scale=0.3, size=(9001, 3)), rng.normal(size=(9001, 3))
    P[::50] = T[::50] * 1.001
    earlier = ARM.solve_batch(T, rng.normal(size=(9001, 3)))
    batches = [ARM.solve_batch(T, P, previous=earlier, soft=0.1, threads=n) for n in (1, 2, 3)]
    assert all(np.array_equal(b.rows, batches[0].rows) for b in batches)
    for k in (*range(0, 200, 7), *range(0, 9001, 50)):
        previous = ARM.solve(T[k], direction=earlier.side[k])
        frame = np.concatenate([earlier.line[k], earlier.side[k]])
        one = ARM.solve(T[k], P[k], previous=frame, soft=0.1)
        assert np.array_equal(np.concatenate([one.elbow, one.end, one.line, one.side]), batches[0].rows[k, :12])
        assert np.abs(previous.side - earlier.side[k]).max() < 1e-14
    assert ARM.solve_batch(T, P)[7] == ARM.solve(T[7], P[7])
    assert len(ARM.solve_batch(np.zeros((0, 3)))) == 0


def test_turns_take_the_bones_from_rest_to_where_they_are(rng):
    limb = lk.Limb(0.33, 0.26, root=(1, 2, 3), rest=(0, 0, -1), axis=(0, 1, 0))
    batch = limb.solve_batch(rng.normal(scale=0.4, size=(2000, 3)) + (1, 2, 3), rng.normal(size=(2000, 3)))
    for roll in ("hinge", "least"):
        R = limb.turns(batch, roll=roll)
        assert np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max() < 1e-14
        bones = np.stack([batch.elbow - (1, 2, 3), batch.end - batch.elbow], 1)
        assert np.abs(R @ [0, 0, -1] - bones / [[[0.33], [0.26]]]).max() < 1e-13
        if roll == "hinge":
            assert np.abs(R @ [0, 1, 0] - batch.normal[:, None]).max() < 1e-13
        else:  # the axis of the shortest rotation lies across the direction of rest
            twist = R - np.swapaxes(R, -1, -2)
            assert np.abs(twist[..., 1, 0]).max() < 1e-13
    single = limb.solve((1, 2.3, 3.2), pole=(0, 0, 0))
    assert limb.turns(single).shape == (2, 3, 3)


def test_limbs_are_immutable_and_pickle():
    limb = lk.Limb(0.4, 0.3, root=(1, 0, 0))
    assert pickle.loads(pickle.dumps(limb)) == limb and hash(limb) == hash(lk.Limb(0.4, 0.3, root=(1, 0, 0)))
    assert limb != lk.Limb(0.4, 0.31, root=(1, 0, 0))
    with pytest.raises(AttributeError):
        limb.upper = 3
    answer = limb.solve((1, 0.5, 0))
    assert pickle.loads(pickle.dumps(answer)) == answer and bool(answer)
    with pytest.raises(ValueError):
        answer.elbow[0] = 1
    batch = limb.solve_batch([[1, 0.5, 0]])
    assert pickle.loads(pickle.dumps(batch)) == batch and "1 of 1" in repr(batch)
    assert limb.swivel_ranges((1, 0.5, 0)) == [(-math.pi, math.pi)] and limb.swivel_ranges((9, 0, 0)) == []


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: lk.Limb(-1, 1), lk.BadOption, "length"),
        (lambda: lk.Limb(math.nan, 1), lk.BadOption, "length"),
        (lambda: lk.Limb(1, 1, rest=(0, 0, 0)), lk.BadOption, "no direction"),
        (lambda: lk.Limb(1, 1, rest=(1, 0, 0), axis=(1, 1, 0)), lk.BadOption, "perpendicular"),
        (lambda: ARM.solve((0, math.nan, 0)), lk.NotFinite, "target"),
        (lambda: ARM.solve((0, 1)), lk.ShapeError, "three"),
        (lambda: ARM.solve("here"), lk.errors.NotNumeric, "target"),
        (lambda: ARM.solve((0, 1, 0), pole=(0, math.inf, 0)), lk.NotFinite, "pole"),
        (lambda: ARM.solve((0, 1, 0), pole=(0, 1)), lk.ShapeError, "pole"),
        (lambda: ARM.solve((0, 1, 0), pole=(0, 1, 0), swivel=1), lk.BadOption, "give one"),
        (lambda: ARM.solve((0, 1, 0), swivel=math.nan), lk.NotFinite, "swivel"),
        (lambda: ARM.solve((0, 1, 0), swivel=(1, 2)), lk.ShapeError, "swivel"),
        (lambda: ARM.solve((0, 1, 0), soft=1), lk.BadOption, "soft"),
        (lambda: ARM.solve((0, 1, 0), soft=math.nan), lk.BadOption, "soft"),
        (lambda: ARM.solve((0, 1, 0), stretch=-1), lk.BadOption, "stretch"),
        (lambda: ARM.solve((0, 1, 0), previous=(math.nan, 0, 0)), lk.NotFinite, "previous"),
        (lambda: ARM.solve((0, 1, 0), previous=(1, 2)), lk.ShapeError, "previous"),
        (lambda: ARM.solve_batch((0, 1, 0)), lk.ShapeError, "solve"),
        (lambda: ARM.solve_batch(np.zeros((3, 3)), poles=np.zeros((2, 3))), lk.ShapeError, "2 rows"),
        (lambda: ARM.solve_batch([[0, 0, 1], [0, 0, math.nan]]), lk.NotFinite, "row 1"),
        (lambda: ARM.turns(ARM.solve((0, 0, 0.4)), roll="none"), lk.BadOption, "roll"),
        (lambda: lk.two_bone.Stretch(0, 2), lk.BadOption, "starts"),
        (lambda: lk.two_bone.Stretch(1, 0.5), lk.BadOption, "factor"),
    ],
)
def test_misuse_says_what_to_do(call, error, words):
    with pytest.raises(error, match=words):
        call()
