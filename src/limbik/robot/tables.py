"""Making a table from Python: `build_table`."""

from os import PathLike
from typing import Any

from limbik.errors import BadOption, shown
from limbik.robot.chain import Chain
from limbik.solvers.table.content import Content
from limbik.solvers.table.designs import DEFAULT, design_named
from limbik.solvers.table.work import Progress, build, made_here


def build_table(
    arm: Chain,
    path: str | PathLike[str] | None = None,
    *,
    design: str = DEFAULT,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Content:
    """Make the table of a chain, for `arm.with_table`.

    path: the file it is written to; a build that is ended goes on from there when it is called again, and gives the same bytes.
    None makes it in memory. design: "postures", or "cells" (Kim and Tarokh's). workers: processes to use, 1 by default;
    cluster: "local", or the address of a dask scheduler (extra `cluster`). fresh: forget what an ended build has left.
    progress: called with the pieces done, their number, and the stage. settings: of the design, see `limbik table build --help`;
    among them valid=, a function of q (k, n) that tells which postures a table may hold. Raises BadOption, FileUnwritable.
    """
    if not isinstance(arm, Chain):
        raise BadOption(
            f"a table is for a chain; got {shown(arm)}: name a tip, as in load(..., tip=...), or take skeleton.chain(tip)"
        )
    plan = design_named(design).plan(arm, settings)
    if path is None:
        if workers not in (None, 1) or cluster is not None:
            raise BadOption("workers= and cluster= need path=: pieces made elsewhere are kept beside the file")
        return made_here(plan)
    return build(plan, path, workers=workers, cluster=cluster, fresh=fresh, progress=progress)
