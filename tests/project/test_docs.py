"""The documents are true: their examples print what they show, and their tables match the code."""

import contextlib
import dataclasses
import io
import re
import tomllib
from pathlib import Path

import pytest
from shipped import SHIPPED

import limbik as lk
from limbik.papers.chin.iterative import ITERATIVE
from limbik.papers.cruse_steinkuehler import figures
from limbik.papers.paper import Setting
from limbik.solvers.registry import traceable

ROOT = Path(__file__).parents[2]
GOALS = ROOT / "docs" / "goals.md"
# The largest size of a picture, since pictures stay in the git history [bytes].
LARGEST_PICTURE = 80_000


def test_the_readme_example_prints_what_it_says():
    text = (ROOT / "README.md").read_text()
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.S)
    assert len(pieces) == 3
    for code, output in pieces:
        assert len(code.strip().splitlines()) <= 14
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), known)
        assert printed.getvalue() == output


def test_numbers_of_the_readme_are_those_of_the_package():
    text = (ROOT / "README.md").read_text()
    assert f"a catalogue of {len(lk.CATALOGUE)} robots" in text
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in re.findall(r"limbik\[([a-z,]+)\]", text):
        assert all(name in extras for name in extra.split(","))


def test_the_table_of_methods_is_that_of_the_registry():
    """Name, what it is, goals, whether it is iterative, whether it converges from nearby: row for row."""
    rows = re.findall(r"^\| `.*$", (ROOT / "docs/methods.md").read_text(), re.M)
    expected = [
        f"| `{m.name}` | {m.title} | {'any' if '*' in m.goals else ', '.join(m.goals)} "
        f"| {'yes' if m.name in traceable() else 'no'} "
        f"| {'yes' if m.exact else 'no'} |"
        for m in SHIPPED.values()
    ]
    assert rows == expected, "docs/methods.md should have these rows:\n" + "\n".join(expected)


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=lambda p: p.name)
def test_links_between_documents_exist(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target


def goal_table() -> str:
    """Return the table of all goals, computed from the registry."""
    shared = {field.name for field in dataclasses.fields(lk.Goal)}
    rows = ["| goal | requirement | errors in | |", "|---|---|---|---|"]
    for name, kind in lk.GOALS.items():
        own = ", ".join(field.name for field in dataclasses.fields(kind) if field.name not in shared)
        asks = kind.__doc__.splitlines()[0]
        units = ", ".join(unit or "plain numbers" for unit in kind.units)
        rows.append(f"| `{name}({own})` | {asks} | {units} | {'must be met' if kind.needed else 'secondary'} |")
    return "\n".join(rows)


def test_the_page_of_goals_has_every_goal_of_the_registry():
    text = GOALS.read_text()
    found = re.search(r"<!-- computed from limbik.GOALS.*?-->\n(.*?)\n<!-- end -->", text, re.S)
    assert found and found[1] == goal_table(), f"put this into {GOALS.name}:\n{goal_table()}"
    before, after = text.split(found[0])
    for name in lk.GOALS:
        assert f"`{name}(" in found[1]
    for status in ("SOLVED", "COMPROMISE", "BLOCKED", "OUT_OF_REACH", "NOT_FOUND"):
        assert f"`{status}`" in before + after and status in lk.Status.__members__


@pytest.mark.parametrize("page", ["goals.md", "clips.md", "robots.md"])
def test_a_page_prints_what_it_says(page):
    """The page's Python pieces run in order, as a reader would paste them."""
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", (ROOT / "docs" / page).read_text(), re.S)
    assert pieces
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), known)
        assert printed.getvalue() == output


def studio_pictures() -> list[str]:
    """Return the names of the studio's pictures without starting a browser."""
    return re.findall(r'^    "(\w+)": \1,$', (ROOT / "tools" / "studio_pictures.py").read_text(), re.M)


def test_pictures_of_the_documents_are_small_shown_and_made_by_an_example_or_a_paper():
    shown = {
        name
        for path in ROOT.glob("docs/**/*.md")
        for name in re.findall(r"\((?:\.\./)?pictures/([^)]+)\)", path.read_text())
    }
    drawn = {f"chin_{p.name}.png" for e in ITERATIVE.experiments for p in e.run(Setting(quick=True))[1]}
    drawn |= {f"studio_{name}.png" for name in studio_pictures()}
    drawn |= {f"cruse_{p.name}.png" for p in figures.pictures()} | {"cruse_workspace.png", "relaxation_compared.png"}
    drawn |= {
        "chin_frames.png",
        "chin_animator.png",
    }  # by `limbik show human_arm_6 --frames`, by the closed form's films
    written = {
        name
        for path in (ROOT / "examples").glob("[0-9]*.py")
        for name in re.findall(r'out / "(.+?\.png)"', path.read_text())
    }
    kept = {path.name: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == set(kept) and written <= shown <= written | drawn
    assert max(kept.values()) < LARGEST_PICTURE, kept
