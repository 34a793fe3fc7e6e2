"""The status line on top of the panel: a sign, the outcome and the reason as text, and the joints at a limit."""

from html import escape
from typing import Any

from limbik.studio.page.colours import BLUE, GREEN, SHORT, css
from limbik.studio.report import Report

# The largest number of joints at a limit that are named.
NAMED = 4


def status_html(title: str, report: Report) -> str:
    """Return the line as HTML; names from files are escaped."""
    sign, colour = ("●", BLUE) if report.status is None else ("✔", GREEN) if report.ok else ("▲", SHORT)
    limits = ""
    if report.at_limit:
        names = ", ".join(report.at_limit[:NAMED])
        more = f" and {len(report.at_limit) - NAMED} more" if len(report.at_limit) > NAMED else ""
        limits = f'<div style="opacity:.75">◎ at a limit: {escape(names)}{more}</div>'
    return (
        f'<div data-limbik="status" style="font-size:.8rem;line-height:1.35;padding:.35rem .6rem .1rem">'
        f'<div style="opacity:.6">{escape(title)}</div>'
        f'<div style="font-weight:600;color:{css(colour)}">{sign} {escape(report.headline)}</div>'
        f'<div data-limbik="why" style="opacity:.85">{escape(report.why)}</div>{limits}</div>'
    )


class StatusLine:
    """The status line of one browser."""

    def __init__(self, gui: Any, title: str) -> None:
        self._title, self._text = title, ""
        self._handle = gui.add_html("")

    def show(self, report: Report) -> None:
        """Show the outcome of the last action."""
        text = status_html(self._title, report)
        if text != self._text:
            self._text = self._handle.content = text
