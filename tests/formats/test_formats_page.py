"""The examples of docs/formats.md give the printed output."""

import contextlib
import io
import re
from pathlib import Path

import limbik as lk
from limbik.motion.saving import WRITERS
from limbik.robot.load_clip import FIGURES, TABLES

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"


def test_its_pieces_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", PAGE.read_text(), re.S)
    assert len(pieces) >= 5
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue() == output


def test_its_tables_are_those_of_the_code():
    text = PAGE.read_text()
    for ending in {*WRITERS, *FIGURES, *TABLES}:
        assert f"`{ending}`" in text
    for name, convention in lk.formats.CONVENTIONS.items():
        hand, unit = "left" if convention.left_handed else "right", "m" if convention.unit == 1 else "cm"
        along = f" {convention.bone_axis}" if convention.bone_axis else ""
        assert f"| `{name}` | {convention.up} | {convention.forward} | {hand} | {unit} |{along} |" in text, name
