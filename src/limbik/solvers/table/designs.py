"""The designs of tables, one row each; the module of a design is imported when it is first used.

A design's module has `plan(arm, *, setting=default, ...)`, which returns a Plan, and `candidates(content, arm)`, the table as the
core reads it. It may have more: `defaults()`, further settings; `look_up(content, arm, T)`, the table's unverified
entries for a target, as JSON values; and `plot(content, path)`, a picture.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from limbik._core import Candidates
from limbik.errors import BadFile, BadOption, shown, suggest
from limbik.formats.content.content import Content
from limbik.solvers.building.stage import Plan


@dataclass(frozen=True)
class Design:
    """A design: its name, a short description, and its module."""

    name: str
    title: str
    module: str

    @property
    def settings(self) -> dict[str, Any]:
        """The settings with their defaults."""
        known = list(inspect.signature(self._function("plan")).parameters.values())[1:]
        more = self._function("defaults")
        named = {p.name: p.default for p in known if p.kind is not inspect.Parameter.VAR_KEYWORD}
        return named if more is None else {**named, **more()}

    def plan(self, arm: Any, settings: Mapping[str, Any]) -> Plan:
        """Return the plan of a chain's table. Raises BadOption for unknown settings."""
        known = self.settings
        for name in settings:
            if name not in known:
                raise BadOption(f"design '{self.name}' has no setting {shown(name)}; {suggest(name, known)}")
        plan: Plan = self._function("plan")(arm, **settings)
        return plan

    def candidates(self, content: Content, arm: Any) -> Candidates:
        """Return the table in the form of the core. Raises BadFile for inconsistent arrays."""
        function = self._function("candidates")
        if function is None:
            raise BadOption(f"design '{self.name}' cannot be used for solving")
        table: Candidates = function(content, arm)
        return table

    def look_up(self, content: Content, arm: Any, T: Any) -> Any:
        """Return the table's data for a target (4, 4) as JSON values; None if the design gives none."""
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
            "postures near every target, indexed by its position and orientation",
            "limbik.solvers.table.postures.design",
        ),
        Design(
            "cells",
            "cells of the workspace with classified solutions, by Kim and Tarokh",
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
        raise BadFile(f"'{path}' has the design {shown(content.design)}, which this version of limbik does not support")
    return DESIGNS[content.design]
