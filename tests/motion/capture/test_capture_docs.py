"""The page about motion capture prints its outputs."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "capture.md"


def test_the_page_of_capture_prints_what_it_says():
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", PAGE.read_text(), re.S)
    assert len(pieces) == 4
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue() == output
