"""Paths: their ends, lengths and smoothness, and the errors of invalid arguments."""

import pickle

import numpy as np
import pytest

import limbik as lk
from limbik import Path
from limbik.geometry.se3 import from_rpy, rotation_about


def random_pose(rng):
    return from_rpy(rng.uniform(-1, 1, 3), rng.uniform(-np.pi, np.pi, 3))


def is_rigid(T):
    R = T[..., :3, :3]
    return np.allclose(np.swapaxes(R, -1, -2) @ R, np.eye(3), atol=1e-12) and np.all(T[..., 3, :] == (0, 0, 0, 1))


def all_kinds(rng):
    a, b, c = (random_pose(rng) for _ in range(3))
    poses = np.stack([random_pose(rng) for _ in range(6)])
    return {
        "line": Path.line(a, b),
        "screw": Path.screw(a, b),
        "helix": Path.screw(a, axis=(0, 1, 1), point=(0.1, 0.2, 0), angle=7.0, pitch=0.1),
        "circle": Path.circle(a, centre=(0.1, 0.2, 0.3), axis=(1, 0, 0.2), angle=4.0),
        "disc": Path.circle(a, radius=0.2, turning=True),
        "arc": Path.arc(a, c[:3, 3], b),
        "through": Path.through(poses),
        "rounded": Path.through(poses, corner=0.1),
        "timed": Path.through(poses, times=[0, 1, 1.5, 4, 5, 9]),
        "spline": Path.spline(poses),
        "loop": Path.spline(poses[:, :3, 3], rotation=a[:3, :3], closed=True),
        "moved": Path.line(a, b).moved(c),
        "back": Path.spline(poses).reversed(),
        "joined": Path.line(a, b) + Path.line(b, c),
        "eased": Path.line(a, b).eased(),
        "stay": Path.stay(a, 2.0),
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_path_is_rigid_everywhere_continuous_and_holds_its_ends(seed):
    print("seed", seed)
    for name, path in all_kinds(np.random.default_rng(seed)).items():
        t = np.linspace(0, path.duration, 2001)
        Ts = path.at(t)
        assert is_rigid(Ts), name
        steps = lk.pose_error(Ts[:-1], Ts[1:])
        fair = 6 * (path.length + path.angle + 1e-12) / 2000 if name != "timed" else 0.1
        assert np.abs(steps).max() <= fair, name
        assert np.allclose(path.at(-1.0), path.start) and np.allclose(path.at(path.duration + 1), path.end), name
        assert (
            path.at(0.3).shape == (4, 4)
            and path.at([[0.1, 0.2]]).shape == (1, 2, 4, 4)
            and path.at([]).shape == (0, 4, 4)
        )
        measured = np.linalg.norm(steps[:, :3], axis=1).sum()
        assert measured == pytest.approx(path.length, rel=5e-3, abs=1e-9), name
        assert pickle.loads(pickle.dumps(path)) == path


def test_each_kind_passes_its_poses():
    rng = np.random.default_rng(3)
    a, b = random_pose(rng), random_pose(rng)
    line = Path.line(a, b)
    assert np.allclose(line.start, a) and np.allclose(line.end, b)
    assert np.allclose(line.at(line.duration / 2)[:3, 3], (a[:3, 3] + b[:3, 3]) / 2)
    screw = Path.screw(a, b)
    assert np.allclose(screw.end, b, atol=1e-9)
    twist = lk.pose_error(np.eye(4), np.linalg.inv(screw.at(0.4)) @ screw.at(0.5))
    again = lk.pose_error(np.eye(4), np.linalg.inv(screw.at(0.9)) @ screw.at(1.0))
    assert np.allclose(twist, again, atol=1e-9), "a screw has one twist all along"
    circle = Path.circle(a, centre=(0.3, 0.1, a[2, 3]), angle=np.pi)
    t = np.linspace(0, circle.duration, 50)
    assert np.allclose(
        np.linalg.norm(circle.at(t)[:, :3, 3] - (0.3, 0.1, a[2, 3]), axis=1), np.hypot(*(a[:2, 3] - (0.3, 0.1)))
    )
    assert np.allclose(circle.at(t)[:, :3, :3], a[:3, :3])
    via = rng.uniform(-1, 1, 3)
    arc = Path.arc(a, via, b)
    assert np.linalg.norm(arc.at(np.linspace(0, arc.duration, 20001))[:, :3, 3] - via, axis=1).min() < 1e-3
    assert np.allclose(arc.end, b, atol=1e-9)
    poses = np.stack([random_pose(rng) for _ in range(5)])
    times = np.array([0.0, 1.0, 3.0, 4.0, 4.5])
    for path in (Path.through(poses, times), Path.spline(poses, times)):
        assert np.allclose(path.at(times), poses, atol=1e-12)
    spline = Path.spline(poses)
    far = np.linalg.norm(spline.at(np.linspace(0, spline.duration, 20001))[:, None, :3, 3] - poses[:, :3, 3], axis=2)
    assert far.min(axis=0).max() < 1e-3


def test_speed_and_time_are_kept():
    a = from_rpy((0, 0, 0), (0, 0, 0))
    b = from_rpy((0.6, 0, 0.8), (0, 0, 0.1))
    path = Path.line(a, b).with_speed(0.5)
    assert path.duration == pytest.approx(2.0) and path.length == pytest.approx(1.0)
    assert path.with_duration(7.0).duration == pytest.approx(7.0)
    loop = Path.spline(np.random.default_rng(1).uniform(0, 1, (6, 3)), closed=True).with_speed(0.2)
    t = np.linspace(0, loop.duration, 4001)
    speed = np.linalg.norm(np.diff(loop.at(t)[:, :3, 3], axis=0), axis=1) / np.diff(t)
    assert np.quantile(np.abs(speed / 0.2 - 1), 0.99) < 0.02, "one speed all along, but for sharp bends"
    turn = Path.line(a, rotation_about((0, 0, 1), 2.0)).with_speed(0.25, 0.5)
    assert turn.duration == pytest.approx(4.0) and turn.length == 0


def test_corners_are_where_the_direction_changes():
    square = np.tile(np.eye(4), (4, 1, 1))
    square[:, :2, 3] = [(0, 0), (1, 0), (1, 1), (2, 1)]
    path = Path.through(square, [0, 1, 2, 3])
    assert path.corners == pytest.approx((1.0, 2.0))
    assert Path.through(square, [0, 1, 2, 3], corner=0.2).corners == ()
    assert path.reversed().corners == pytest.approx((1.0, 2.0))
    assert Path.spline(square).corners == ()
    rounded = Path.through(square, [0, 1, 2, 3], corner=0.2).at(np.linspace(0, 3, 3001))[:, :3, 3]
    velocity = np.diff(rounded, axis=0) * 1000
    assert np.abs(np.diff(velocity, axis=0)).max() < 0.02, "no kink"


def test_eased_paths_start_and_end_at_rest():
    path = Path.line(np.eye(4), from_rpy((1, 0, 0), (0, 0, 0))).eased()
    x = path.at(np.linspace(0, path.duration, 1001))[:, 0, 3]
    assert abs(x[1] - x[0]) < 1e-7 and abs(x[-1] - x[-2]) < 1e-7 and (np.diff(x) >= 0).all()
    assert x[-1] == pytest.approx(1.0)


def test_half_turns_are_the_same_every_time():
    for axis in np.eye(3):
        path = Path.line(np.eye(4), rotation_about(axis, np.pi))
        middle = path.at(path.duration / 2)
        assert np.allclose(np.abs(lk.pose_error(np.eye(4), middle)[3:]), np.pi / 2 * axis, atol=1e-9)
        assert np.array_equal(middle, Path.line(np.eye(4), rotation_about(axis, np.pi)).at(path.duration / 2))


def test_files_of_poses(tmp_path):
    poses = np.stack([random_pose(np.random.default_rng(5)) for _ in range(4)])
    poses[:, 0, 3] = np.arange(4)
    file = tmp_path / "poses.csv"
    file.write_text("\n".join(",".join(map(repr, T.reshape(-1).tolist())) for T in poses))
    path = Path.from_csv(file)
    assert np.allclose(path.start, poses[0]) and np.allclose(path.end, poses[-1])
    file.write_text("t,x,y,z,roll,pitch,yaw\n0,0,0,0,0,0,0\n2,1,0,0,0,0,90\n\n5,1,1,0,0,0,90\n")
    path = Path.from_csv(file)
    assert path.duration == 5.0 and np.allclose(path.at(2.0), from_rpy((1, 0, 0), (0, 0, np.pi / 2)))
    assert Path.from_csv(file, degrees=False).end[0, 0] == pytest.approx(np.cos(90))
    assert Path.from_csv(file, smooth=True).corners == ()
    file.write_text("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n1,0,0,0,0,0,1.001\n")
    assert np.allclose(Path.from_csv(file).end, from_rpy((1, 0, 0), (0, 0, np.pi)))
    for text, kind in (
        ("", lk.BadFile),
        ("1,2,3\n", lk.BadOption),
        ("t,x\n0,1\n", lk.BadFile),
        ("a\nb,c\n", lk.BadFile),
    ):
        file.write_text(text)
        with pytest.raises(kind):
            Path.from_csv(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(lk.LimbikError):
        Path.from_csv(file)
    with pytest.raises(lk.errors.FileUnreadable):
        Path.from_csv(tmp_path / "none.csv")


BAD = {
    "nowhere": lambda T, U: Path.line(T, T),
    "nan": lambda T, U: Path.line(T * np.nan, U),
    "no pose": lambda T, U: Path.line("a", U),
    "shape": lambda T, U: Path.line(T, U[:3]),
    "scaled": lambda T, U: Path.line(T, U * 2),
    "one": lambda T, U: Path.through([T]),
    "all one": lambda T, U: Path.through([T, T]),
    "empty": lambda T, U: Path.through(np.zeros((0, 4, 4))),
    "times": lambda T, U: Path.through([T, U], times=[1, 1]),
    "many times": lambda T, U: Path.through([T, U], times=[1, 2, 3]),
    "nan times": lambda T, U: Path.through([T, U], times=[1, np.nan]),
    "corner": lambda T, U: Path.through([T, U], corner=-1),
    "two points": lambda T, U: Path.spline([(0, 0, 0), (1, 0, 0)]),
    "no points": lambda T, U: Path.spline(np.zeros((0, 3))),
    "points": lambda T, U: Path.spline([(0, 0), (1, 0)]),
    "rotation": lambda T, U: Path.spline([T, U, T], rotation=np.eye(3)),
    "radius": lambda T, U: Path.circle(T, radius=0),
    "both": lambda T, U: Path.circle(T, centre=(0, 0, 0), radius=1),
    "neither": lambda T, U: Path.circle(T),
    "on axis": lambda T, U: Path.circle(T, centre=T[:3, 3]),
    "no axis": lambda T, U: Path.circle(T, centre=(0, 0, 0), axis=(0, 0, 0)),
    "angle": lambda T, U: Path.circle(T, radius=1, angle=np.inf),
    "collinear": lambda T, U: Path.arc(T, (T[:3, 3] + U[:3, 3]) / 2, U),
    "screw": lambda T, U: Path.screw(T),
    "screw twice": lambda T, U: Path.screw(T, U, angle=1),
    "speed": lambda T, U: Path.line(T, U).with_speed(0),
    "nan speed": lambda T, U: Path.line(T, U).with_speed(np.nan),
    "duration": lambda T, U: Path.line(T, U).with_duration(-1),
    "gap": lambda T, U: Path.line(T, U) + Path.line(T, U),
    "repeat": lambda T, U: Path.line(T, U).repeated(2),
    "repeat none": lambda T, U: Path.line(T, U).repeated(0),
    "stay": lambda T, U: Path.stay(T, 0),
    "function": lambda T, U: Path.of(3, 1.0),
    "function of nothing": lambda T, U: Path.of(lambda t: None, 1.0),
    "nan t": lambda T, U: Path.line(T, U).at(np.nan),
    "pieces": lambda T, U: Path((), ()),
}


@pytest.mark.parametrize("what", BAD)
def test_invalid_arguments_raise_one_sentence(what):
    rng = np.random.default_rng(1)
    with pytest.raises(lk.LimbikError) as error:
        BAD[what](random_pose(rng), random_pose(rng))
    assert len(str(error.value)) > 15


def test_a_function_of_time_is_a_path():
    path = Path.of(lambda t: from_rpy((t, 0, 0), (0, 0, t)), 2.0)
    assert np.allclose(path.at(0.7), from_rpy((0.7, 0, 0), (0, 0, 0.7)))


def test_directions_of_any_length_and_poses_that_come_at_once():
    T = np.eye(4)
    wide = Path.circle(T, centre=(0.1, 0, 0), axis=(0, 0, 1e160))
    thin = Path.circle(T, centre=(0.1, 0, 0), axis=(0, 0, 1e-160))
    assert np.allclose(wide.at(1.0), thin.at(1.0)) and np.abs(wide.at(1.0) - T).max() > 0.01
    with pytest.raises(lk.BadOption, match="too short an interval"):
        Path.spline(np.eye(4)[:, :3], times=[0.0, 1e-300, 1.0, 2.0])


def test_corners_are_where_pieces_meet_at_an_angle():
    T = np.tile(np.eye(4), (4, 1, 1))
    T[1:, :2, 3] = (0.1, 0), (0.2, 0), (0.2, 0.1)
    path = Path.through(T, times=[0.0, 1.0, 2.0, 3.0])
    assert path.corners == pytest.approx((2.0,))
    assert (path + path.reversed()).corners == pytest.approx((2.0, 3.0, 4.0))
