"""`limbik table`: look-up tables for inverse kinematics, built once per robot and saved to a file."""

import typer

from limbik.cli.table_build import build
from limbik.cli.table_info import info
from limbik.cli.table_map import map_
from limbik.cli.table_query import query

table = typer.Typer(
    help="Build, describe and query look-up tables for inverse kinematics.",
    no_args_is_help=True,
    epilog="Example: limbik table build puma560 -o puma.table",
    rich_markup_mode=None,
)
table.command("build")(build)
table.command("info")(info)
table.command("query")(query)
table.command("map")(map_)
