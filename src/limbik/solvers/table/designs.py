"""The designs of tables, one row each; the module of a design is imported when it is first used.

A design's module has `plan(arm, *, setting=default, ...)`, which returns a Plan, and `candidates(content, arm)`, the table as the
core reads it. It may have more: `defaults()`, further settings; `look_up(content, arm, T)`, what the table alone says about a
target, as JSON holds it; and `plot(content, path)`, a picture.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from limbik._core import Candidates
from limbik.errors import BadFile, BadOption, shown, suggest
from limbik.solvers.table.content import Content
from limbik.solvers.table.stage import Plan


@dataclass(frozen=True)
class Design:
    """One design: its name, what it is in a few words, and its module."""

    name: str
    title: str
    module: str

    @property
    def settings(self) -> dict[str, Any]:
        """What can be set, with what is taken when it is not."""
        known = list(inspect.signature(self._function("plan")).parameters.values())[1:]
        more = self._function("defaults")
        named = {p.name: p.default for p in known if p.kind is not inspect.Parameter.VAR_KEYWORD}
        return named if more is None else {**named, **more()}

    def plan(self, arm: Any, settings: Mapping[str, Any]) -> Plan:
        """Return how a chain's table is made. Raises BadOption for settings that it does not have."""
        known = self.settings
        for name in settings:
            if name not in known:
                raise BadOption(f"design '{self.name}' has no setting {shown(name)}; {suggest(name, known)}")
        plan: Plan = self._function("plan")(arm, **settings)
        return plan

    def candidates(self, content: Content, arm: Any) -> Candidates:
        """Return the table as the core reads it. Raises BadFile for arrays that do not fit together."""
        function = self._function("candidates")
        if function is None:
            raise BadOption(f"design '{self.name}' is for looking at, not for solving")
        table: Candidates = function(content, arm)
        return table

    def look_up(self, content: Content, arm: Any, T: Any) -> Any:
        """Return what the table alone says about a target (4, 4), as JSON holds it; None when the design does not tell."""
        function = self._function("look_up")
        return None if function is None else function(content, arm, T)

    def plot(self, content: Content, path: Path) -> None:
        """Write a picture of a table. Raises BadOption when the design has none."""
        function = self._function("plot")
        if function is None:
            raise BadOption(f"design '{self.name}' has no picture of its tables")
        function(content, path)

    def _function(self, name: str) -> Any:
        return getattr(import_module(self.module), name, None)


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            "postures",
            "postures near every target, found by its place and turn",
            "limbik.solvers.table.postures.design",
        ),
        Design(
            "cells",
            "cells of the workspace with classified solutions (Kim and Tarokh)",
            "limbik.solvers.table.cells.design",
        ),
    )
}
DEFAULT = "postures"


def design_named(name: str) -> Design:
    """Return a design. Raises BadOption."""
    if not isinstance(name, str) or name not in DESIGNS:
        raise BadOption(f"no design {shown(name)}; {suggest(str(name), DESIGNS).replace('it has', 'there are', 1)}")
    return DESIGNS[name]


def design_of(content: Content, path: Path) -> Design:
    """Return the design that made a table. Raises BadFile."""
    if content.design not in DESIGNS:
        raise BadFile(f"'{path}' has the design {shown(content.design)}, which this limbik does not know")
    return DESIGNS[content.design]
