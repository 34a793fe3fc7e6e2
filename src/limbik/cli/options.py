"""Command-line options that several commands share."""

from typing import Annotated

import typer

Robot = Annotated[str, typer.Argument(help="A name of the catalogue or a file.")]
Base = Annotated[str | None, typer.Option(help="Frame where the chain starts.")]
Tip = Annotated[str | None, typer.Option(help="Frame that must reach the target.")]
Unit = Annotated[str | None, typer.Option(help="Unit of length of the robot's file: m, cm, mm, in ...")]
Snap = Annotated[
    bool,
    typer.Option("--snap", help="Replace angles within 0.001 rad of multiples of 45 degrees by exact ones."),
]
ZeroLimits = Annotated[
    str | None,
    typer.Option(help="URDF joints whose limits are 0 to 0: 'locked' at 0, as the specification says, or 'unlimited'."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
