"""The page about figures prints what it says."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "figures.md"


def test_the_page_of_figures_prints_what_it_says():
    """Its pieces of Python run one after the other, as a reader would paste them."""
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", PAGE.read_text(), re.S)
    assert len(pieces) == 5
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue() == output
