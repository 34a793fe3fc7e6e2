"""Where joint-space solutions stay admissible in muscle space; muscles at the shell."""

import io
import json

import numpy as np
import pytest
from muscle_arms import narrowed
from rich.console import Console

import limbik as lk
from limbik.cli import main


def test_a_map_agrees_with_single_queries():
    arm = narrowed(lk.load("maximum_one"), np.random.default_rng(3))
    found = arm.muscles.map("yz", -0.05, 15)
    assert found.exact and (found.muscles <= found.joints + 1e-9).all()
    free = arm.with_muscles([lk.muscle.Muscle(m.name, m.path, m.pulleys, m.rest) for m in arm.muscles])
    for i, j in ((9, 5), (11, 8), (3, 3), (7, 12)):
        p = [-0.05, found.across[i], found.up[j]]
        assert (found.joints[i, j] > 0) == free.muscles.solve_lengths(p).ok
        assert (found.muscles[i, j] > 0) == arm.muscles.solve_lengths(p).ok
    parts = found.summary
    assert sum(parts.values()) == pytest.approx(1) and parts["none"] > 0


def test_with_the_papers_ranges_nothing_is_lost():
    found = lk.load("maximum_one").muscles.map("yz", -0.05, 25)
    assert found.summary == {"all": 1.0, "some": 0.0, "none": 0.0}


def test_other_arms_are_counted():
    found = lk.load("human_upper_limb").muscles.map("xz", 0.2, 15, samples=20_000)
    assert not found.exact and 0 < np.nanmean(found.share) < 1
    for bad in ({"plane": "zx"}, {"points": 1}, {"at": np.nan}, {"samples": "many"}):
        with pytest.raises(lk.LimbikError):
            lk.load("maximum_one").muscles.map(**bad)
    with pytest.raises(lk.BadOption, match="no muscles"):
        lk.load("panda").muscles.map()


@pytest.fixture
def shell(monkeypatch, capsys):
    """Run `limbik muscles` here: (exit code, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["limbik", "muscles", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, *capsys.readouterr()

    return run


def test_muscles_at_the_shell(shell):
    listed = json.loads(shell("maximum_one", "--json", "--lengths-in", "cm")[1])
    assert [row["name"] for row in listed["muscles"]] == list(lk.load("maximum_one").muscles.names)
    assert listed["muscles"][0]["lower"] == pytest.approx(15)
    code, printed, _ = shell("maximum_one", "--target=-10,20,15", "--lengths-in", "cm", "--json")
    facts = json.loads(printed)
    assert code == 0 and facts["ok"] and facts["error"] < 1e-9
    lengths = ",".join(str(facts["lengths"][name]) for name in lk.load("maximum_one").muscles.names)
    back = json.loads(shell("maximum_one", f"--lengths={lengths}", "--lengths-in", "cm", "--json")[1])
    assert back["ok"] and np.allclose(back["tips"][0], [-10, 20, 15], atol=1e-6)
    assert "pectoralis" in shell("maximum_one")[1] and "Examples" in shell("--help")[1]
    assert "tip at" in shell("maximum_one", f"--lengths={lengths}", "--lengths-in", "cm")[1]
    assert "biceps: " in shell("maximum_one", "--target=-10,20,15", "--lengths-in", "cm")[1]
    code, printed, _ = shell("maximum_one", "--target", "9,9,9")
    assert code == 1 and "out of reach" in printed


@pytest.mark.parametrize("name", ["maximum_one", "human_upper_limb"])
@pytest.mark.parametrize("width", [60, 80, 300])
def test_names_of_muscles_are_not_cut_on_a_narrow_terminal(shell, monkeypatch, name, width):
    """A column that cuts its text breaks this: a cut name cannot be typed again."""
    screen = io.StringIO()
    terminal = Console(file=screen, width=width, force_terminal=True, color_system=None, markup=False)
    monkeypatch.setattr("limbik.cli.muscles.plain_console", lambda: terminal)
    assert shell(name)[0] == 0
    printed = screen.getvalue()
    for muscle in lk.load(name).muscles:
        assert all(word in printed for word in (muscle.name, *muscle.opposes, *(p.link for p in muscle.path)))
    assert "\u2026" not in printed and ("at home [m]" in printed) == (width == 300)


@pytest.mark.parametrize(
    "arguments",
    [
        ("maximum_one", "--target", "a,b"), ("maximum_one", "--target", "1,2"), ("panda",), ("maximum_one", "--lengths", "1,2"),
        ("maximum_one", "--target", "1,2,3", "--lengths", "1"), ("maximum_one", "--target", "1,2,3", "--method", "magic"),
    ],
)  # fmt: skip
def test_misuse_at_the_shell_gets_one_line(shell, arguments):
    code, _, complaint = shell(*arguments)
    assert code == 2 and complaint.count("\n") == 1 and complaint.startswith("limbik: ")
