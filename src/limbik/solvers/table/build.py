"""Building a table from Python: `build_table`."""

from os import PathLike
from typing import TYPE_CHECKING, Any

from limbik.errors import BadOption, shown
from limbik.formats.content.content import Content
from limbik.model.robots import is_arm
from limbik.solvers.building.work import Progress, build, made_here
from limbik.solvers.table.designs import DEFAULT, design_named

if TYPE_CHECKING:
    from limbik.robot.chain import Chain


def build_table(
    arm: "Chain",
    path: str | PathLike[str] | None = None,
    *,
    design: str = DEFAULT,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Content:
    """Build the table of a chain, for `arm.with_table`.

    path: the output file; the same call resumes an interrupted build and gives the same bytes. None builds in memory.
    design: "postures", or "cells" (Kim and Tarokh). workers: number of processes, 1 by default; cluster: "local", or
    the address of a dask scheduler (extra `cluster`). fresh: discard the parts of an interrupted build. progress:
    called with the finished pieces, their number, and the stage. settings: of the design, see `limbik table build
    --help`; among them valid=, a predicate on q (k, n) for the postures (configurations) that a table may hold. Raises
    BadOption, FileUnwritable.
    """
    if not is_arm(arm):
        raise BadOption(
            f"a table is for a chain; got {shown(arm)}: name a tip, as in load(..., tip=...), or take skeleton.chain(tip)"
        )
    plan = design_named(design).plan(arm, settings)
    if path is None:
        if workers not in (None, 1) or cluster is not None:
            raise BadOption("workers= and cluster= need path=: their pieces are stored beside the file")
        return made_here(plan)
    return build(plan, path, workers=workers, cluster=cluster, fresh=fresh, progress=progress)
