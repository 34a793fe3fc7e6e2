"""The command-line interface: one command per file; errors are printed as one sentence, with exit code 2."""

import sys
from typing import Annotated

import typer

import limbik
from limbik.cli.bench import bench
from limbik.cli.capture import capture
from limbik.cli.compare import compare
from limbik.cli.complete import complete
from limbik.cli.convert import convert
from limbik.cli.follow import follow
from limbik.cli.muscles import muscles
from limbik.cli.reproduce import reproduce
from limbik.cli.retarget import retarget
from limbik.cli.show import show
from limbik.cli.solve import solve
from limbik.cli.studio import studio
from limbik.cli.table import table
from limbik.cli.train import train
from limbik.errors import LimbikError

app = typer.Typer(
    name="limbik",
    help="Inverse kinematics for robots and animated figures.",
    epilog="Example: limbik show panda",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("show")(show)
app.command("solve")(solve)
app.command("follow")(follow)
app.command("complete")(complete)
app.command("muscles")(muscles)
app.add_typer(table, name="table")
app.command("train")(train)
app.command("reproduce")(reproduce)
app.command("retarget")(retarget)
app.command("capture")(capture)
app.command("compare")(compare)
app.command("convert")(convert)
app.command("studio")(studio)
app.add_typer(bench, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        info = limbik.build_info()
        print(f"limbik {limbik.__version__} (core {info['level']}, {info['lanes']} lanes)")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command-line interface; a LimbikError is printed as one sentence."""
    try:
        app()
    except LimbikError as error:
        print(f"limbik: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:
        raise SystemExit(1) from None
