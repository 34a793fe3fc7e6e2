"""Misuse of networks: every mistake raises an error of limbik, and no file is trusted."""

import dataclasses
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import limbik as lk
from limbik.cli.main import app
from limbik.errors import LimbikError

RUN = CliRunner()
SMALL = {"steps": 8, "check": 8, "batch": 64, "width": 8, "heads": 3}
SET = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]


@pytest.fixture(scope="module")
def arm():
    return lk.load("scara")


@pytest.fixture(scope="module")
def file(arm, tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "scara.network"
    lk.train(arm, path, **SMALL)
    return path


def test_every_truncation_is_refused(arm, file, tmp_path):
    whole = file.read_bytes()
    cut = tmp_path / "cut"
    for size in [*range(0, 200), *range(200, len(whole), 97), len(whole) - 1]:
        cut.write_bytes(whole[:size])
        with pytest.raises(lk.BadFile, match="cut"):
            arm.with_network(cut)
    cut.write_bytes(whole + b"x")
    with pytest.raises(lk.BadFile):
        arm.with_network(cut)


def test_every_changed_byte_is_refused(arm, file, tmp_path):
    whole = file.read_bytes()
    changed = tmp_path / "changed"
    for place in range(0, len(whole), 31):
        changed.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        with pytest.raises(lk.BadFile):
            arm.with_network(changed)


def test_foreign_files_are_refused_with_their_kind(arm, file, tmp_path):
    with pytest.raises(lk.BadFile, match="another robot"):
        lk.load("ur5").with_network(file)
    with pytest.raises(lk.BadFile, match="another robot"):
        arm.with_limits(lower=-0.1).with_network(file)
    table = tmp_path / "t.table"
    lk.build_table(arm, table, samples=2000, bins=2)
    with pytest.raises(lk.BadFile, match="limbik table"):
        arm.with_network(table)
    with pytest.raises(lk.BadFile, match="limbik network"):
        arm.with_table(file)
    save = pytest.importorskip("safetensors.numpy").save_file
    save({"weights.0": np.zeros((3, 3), np.float32)}, tmp_path / "other.safetensors")
    with pytest.raises(lk.BadFile, match="another program"):
        arm.with_network(tmp_path / "other.safetensors")
    for wrong in (tmp_path / "none", tmp_path, 7, None):
        with pytest.raises(LimbikError):
            arm.with_network(wrong)


def test_a_file_is_safetensors_that_others_read(file):
    load = pytest.importorskip("safetensors.numpy").load_file
    arrays = load(file)
    assert arrays["weights.0"].dtype == np.float32 and {"bias.0", "output_spread", "input_middle"} <= set(arrays)


def test_contents_that_do_not_fit_together_are_refused(arm, file):
    content = arm.with_network(file).network.content
    arrays = dict(content.arrays)
    bad = [
        {**arrays, "weights.0": arrays["weights.0"][:, :-1].copy()},
        {**arrays, "weights.1": np.full_like(arrays["weights.1"], np.nan)},
        {**arrays, "output_spread": np.zeros_like(arrays["output_spread"])},
        {**arrays, "input_spread": np.full_like(arrays["input_spread"], np.inf)},
        {**arrays, "output_middle": arrays["output_middle"][:-1].copy()},
        {name: a for name, a in arrays.items() if name != "weights.1"},
        {},
    ]
    for one in bad:
        with pytest.raises(lk.BadFile):
            arm.with_network(dataclasses.replace(content, arrays=one))
    for heads in (0, -1, 4, 1000, "3", None, 3.0):
        with pytest.raises(lk.BadFile):
            arm.with_network(dataclasses.replace(content, settings={**content.settings, "heads": heads}))
    with pytest.raises(lk.BadFile, match="another robot"):
        arm.with_network(dataclasses.replace(content, fingerprint="x"))


def test_a_network_in_memory_cannot_be_changed_afterwards(arm):
    content = lk.train(arm, **SMALL)
    able = arm.with_network(content)
    T = arm.forward(arm.sample(np.random.default_rng(0), 3))
    before = able.network.propose(T)
    content.arrays["weights.0"][:] = np.nan
    assert (able.network.propose(T) == before).all()


def test_a_robot_without_movable_joints_is_refused(tmp_path):
    stiff = lk.load("scara").with_frozen(dict.fromkeys(lk.load("scara").joint_names, 0.1))
    with pytest.raises(lk.BadOption, match="no joint that can move"):
        lk.train(stiff)
    held = lk.load("ur5").with_limits(lower=0.2, upper=0.2)
    with pytest.raises(lk.BadOption, match="no joint that can move"):
        lk.train(held, tmp_path / "f")
    assert not list(tmp_path.iterdir())


def test_a_robot_with_one_movable_joint_is_learned():
    arm = lk.load("ur5")
    names = arm.joint_names
    held = arm.with_frozen(dict.fromkeys(names[1:], 0.3))
    able = held.with_network(lk.train(held, **SMALL))
    assert able.solve_batch(held.forward(held.sample(np.random.default_rng(0), 20)), method="neural").ok.all()


@pytest.mark.parametrize(
    "settings",
    [
        {"heads": 0}, {"heads": 65}, {"heads": 2.5}, {"heads": True}, {"width": 0}, {"width": 10**9}, {"layers": 0},
        {"steps": -1}, {"steps": "many"}, {"batch": 0}, {"rate": 0}, {"rate": float("nan")}, {"rate": "fast"}, {"seed": -1},
        {"wide": 3}, {"prefer": "happy"}, {"prefer": 3}, {"places": 1}, {"samples": 3}, {"samples": (1, 2, 3)},
    ],
)  # fmt: skip
def test_invalid_settings_raise(arm, settings):
    with pytest.raises(LimbikError):
        lk.train(arm, **settings)


def test_invalid_secondary_objectives_raise():
    arm = lk.load("iiwa7")
    few = {**SMALL, "examples": 30}
    with pytest.raises(lk.BadOption, match="no secondary objective"):
        lk.train(lk.load("ur5"), prefer="manipulable", **few)
    for prefer in (lambda q: 1.0, lambda q: q, lambda q: ["a"] * len(q), lambda q: np.full(len(q), np.nan)):
        with pytest.raises(lk.BadOption):
            lk.train(arm, prefer=prefer, **few)
    with pytest.raises(lk.BadOption, match="one of them"):
        lk.train(arm, prefer="manipulable", samples="x.npz")


def test_invalid_examples_raise(arm, tmp_path):
    q = arm.sample(np.random.default_rng(0), 50)
    T = arm.forward(q)
    nan, mirrored = T.copy(), T.copy()
    nan[7, 0, 3] = np.nan
    mirrored[3, :3, 0] *= -1
    for samples in (
        (T, q[:-1]),
        (T[:, :3], q),
        (T[:3], q[:3]),
        (nan, q),
        (mirrored, q),
        (T, np.where(q > 0, q, np.nan)),
        ("a", "b"),
    ):
        with pytest.raises(LimbikError):
            lk.train(arm, samples=samples, **SMALL)
    with pytest.raises(lk.NotFinite, match="example 7"):
        lk.train(arm, samples=(nan, q), **SMALL)
    texts = {
        "a.csv": "",
        "b.csv": "1,2,3\n",
        "c.csv": "a,b\n1,2,x\n",
        "d.csv": "\xff\xfe",
        "e.npz": "PK",
        "f.npz": "",
        "g.txt": "1",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
        with pytest.raises(LimbikError):
            lk.train(arm, samples=tmp_path / name, **SMALL)
    np.savez(tmp_path / "h.npz", T=T)
    with pytest.raises(lk.BadFile, match="no array q"):
        lk.train(arm, samples=tmp_path / "h.npz", **SMALL)
    np.savez(tmp_path / "i.npz", T=np.array([{}], dtype=object), q=q)
    for path in (tmp_path / "i.npz", tmp_path / "none.npz", tmp_path / "none.csv", tmp_path):
        with pytest.raises(LimbikError):
            lk.train(arm, samples=path, **SMALL)


def test_examples_from_all_formats_are_equal(arm, tmp_path):
    q = arm.sample(np.random.default_rng(0), 64)
    T = arm.forward(q)
    np.savez(tmp_path / "s.npz", T=T, q=q)
    rows = [
        "q, then the matrix",
        *(",".join(repr(float(x)) for x in [*a, *b.reshape(-1)]) for a, b in zip(q, T, strict=True)),
    ]
    (tmp_path / "s.csv").write_text("\n".join(rows))
    made = [
        lk.train(arm, samples=given, **SMALL)
        for given in (tmp_path / "s.npz", tmp_path / "s.csv", (T, q), (T.tolist(), q.tolist()))
    ]
    for other in made[1:]:
        assert all((other.arrays[name] == array).all() for name, array in made[0].arrays.items())
    able = arm.with_network(made[0])
    assert able.solve_batch(T, method="neural").ok.all()


def test_solving_without_a_network_or_with_the_wrong_goal(arm, file):
    T = arm.forward(arm.home)
    with pytest.raises(lk.BadOption, match="limbik train"):
        arm.solve(T, method="neural")
    with pytest.raises(lk.BadOption, match="limbik train"):
        arm.solve_batch(T[None], method="neural")
    with pytest.raises(lk.BadOption, match="no network"):
        arm.network.propose(T[None])
    able = arm.with_network(file)
    with pytest.raises(lk.BadOption, match="places"):
        able.solve(lk.Position(None, T[:3, 3]), method="neural")
    with pytest.raises(lk.BadOption):
        able.solve([lk.Pose(None, T), lk.LimitCentre()], method="neural")
    with pytest.raises(lk.NotFinite):
        able.solve(np.full((4, 4), np.nan), method="neural")
    with pytest.raises(lk.ShapeError):
        able.solve(T[None], method="neural")
    with pytest.raises(LimbikError):
        able.network.propose(T)
    with pytest.raises(lk.BadOption):
        able.solve(T, method="neural", branch=0)
    assert len(able.solve_batch(np.zeros((0, 4, 4)), method="neural")) == 0
    marked = able.solve_batch(np.stack([T, np.full((4, 4), np.nan)]), method="neural", invalid="mark")
    assert marked.ok.tolist() == [True, False] and marked.status[1] == lk.Status.INVALID
    flat = arm.with_network(lk.train(arm, places=True, **SMALL))
    with pytest.raises(lk.BadOption, match="Position"):
        flat.solve(T, method="neural")
    with pytest.raises(LimbikError):
        flat.network.propose(T[None])
    assert flat.network.propose([T[:3, 3]]).shape == (1, 3, arm.n)


def test_options_of_solve_work_with_a_network(arm, file):
    able = arm.with_network(file)
    for target in arm.forward(arm.sample(np.random.default_rng(2), 10)):
        assert able.solve(target, method="neural", limits=False).ok
        assert able.solve(target, method="neural", position_tolerance=1e-4, rotation_tolerance=1e-4).ok
        assert able.solve(target, method="neural", prefer="limits").ok
        assert able.solve(target, method="neural", seconds=1.0).ok
        refused = able.solve(target, method="neural", valid=lambda q: False)
        assert refused.status == lk.Status.BLOCKED


def test_the_shell_trains_and_reports(tmp_path):
    out = tmp_path / "scara.network"
    done = RUN.invoke(app, ["train", "scara", "-o", str(out), "--json", *SET])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert facts["bytes"] == out.stat().st_size and 0 <= facts["solved_by_network"] <= 1
    again = RUN.invoke(app, ["train", "scara", "-o", str(out), *SET])
    assert "validation error" in again.output and "method='neural'" in again.output
    place = lk.load("scara").forward([0.3, 0.5, 0.05, 0.2])
    words = ",".join(str(float(x)) for x in place.reshape(-1))
    pose = ["--pose", words, "--network", str(out), "--method", "neural", "--json"]
    solved = json.loads(RUN.invoke(app, ["solve", "scara", *pose]).output)
    assert solved["status"] == "SOLVED" and "network" in solved["why"]
    rows = RUN.invoke(
        app, ["compare", "scara", "--network", str(out), "--methods", "neural,lm", "--targets", "5", "--json"]
    )
    assert {row["method"] for row in json.loads(rows.output)["rows"]} == {"neural", "lm"}
    for wrong in (
        ["solve", "ur5", *pose],
        ["train", "scara", "-o", str(tmp_path / "no" / "f"), *SET],
        ["train", "human", "-o", str(out)],
        ["train", "nobody", "-o", str(out)],
        ["train", "scara", "-o", str(out), "--set", "heads"],
        ["train", "scara", "-o", str(out), "--set", "heads=none"],
        ["train", "scara", "-o", str(out), "--samples", str(tmp_path / "none.npz")],
        ["train", "scara", "-o", str(out), "--prefer", "manipulable"],
    ):
        failed = RUN.invoke(app, wrong)
        assert failed.exit_code != 0 and isinstance(failed.exception, LimbikError), wrong
