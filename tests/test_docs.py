"""What the documents show is what happens."""

import contextlib
import io
import re
import tomllib
from pathlib import Path

import pytest

import limbik as lk

ROOT = Path(__file__).parents[1]


def test_the_readme_example_prints_what_it_says():
    text = (ROOT / "README.md").read_text()
    code, output = re.search(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.S).groups()
    assert len(code.strip().splitlines()) <= 14
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == output


def test_numbers_of_the_readme_are_those_of_the_package():
    text = (ROOT / "README.md").read_text()
    assert f"a catalogue of {len(lk.CATALOGUE)} robots" in text
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in re.findall(r"limbik\[([a-z,]+)\]", text):
        assert all(name in extras for name in extra.split(","))


def test_the_table_of_methods_is_that_of_the_registry():
    """Name, what it is, goals, whether it goes step by step, whether it arrives: row for row."""
    rows = re.findall(r"^\| `.*$", (ROOT / "docs/methods.md").read_text(), re.M)
    expected = [
        f"| `{m.name}` | {m.title} | {'any' if '*' in m.goals else ', '.join(m.goals)} | {'yes' if m.module else 'no'} "
        f"| {'arrives' if m.exact else 'comes near'} |"
        for m in lk.METHODS.values()
    ]
    assert rows == expected, "docs/methods.md should have these rows:\n" + "\n".join(expected)


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=lambda p: p.name)
def test_links_between_documents_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target
