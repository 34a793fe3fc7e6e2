"""`limbik follow`: the motion that leads a tip along a path."""

import json
from pathlib import Path as File
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik.cli.console import plain_console
from limbik.cli.one_arm import ZeroLimits, one_arm
from limbik.cli.targets import numbers_from_text, pose_from_numbers
from limbik.cli.units import readable, seed_from_text, unit_names
from limbik.errors import BadOption
from limbik.motion.path import Path
from limbik.robot.chain import Chain
from limbik.robot.drawing import check_picture
from limbik.robot.followed import FollowedClip
from limbik.robot.following import ALLOW, REFUSE
from limbik.robot.keeping import save_or_keep
from limbik.robot.saving import WRITERS, check_saving

EXAMPLES = """The branch, the whole turns and, for redundant arms, the swivel are chosen for the whole path at once. Where no
smooth motion leads on, the frame and the reason are told; --jumps goes on from another posture.

Examples:

  limbik follow ur5 --line "0.4,-0.2,0.3,180,0,0" "0.4,0.3,0.3,180,0,0" --out motion.csv

  limbik follow panda --circle "0.5,0,0.4,180,0,0" --radius 0.1 --speed 0.2 --plot joints.png

  limbik follow iiwa7 --csv poses.csv --smooth --acceleration 5 --fastest --json

  limbik follow kr6 --through "0.5,0,0.5,180,0,0" --through "0.5,0.2,0.5,180,0,0" --through "0.4,0.2,0.3,180,0,0" --corner 0.02
"""


def follow(
    robot: Annotated[str, typer.Argument(help="A name of the catalogue or a file.")],
    line: Annotated[
        tuple[str, str] | None, typer.Option(help="Two poses, each x,y,z,roll,pitch,yaw (m, degrees), as for solve.")
    ] = None,
    screw: Annotated[
        tuple[str, str] | None, typer.Option(help="Two poses: one turn about one axis between them.")
    ] = None,
    circle: Annotated[
        str | None, typer.Option(help="The middle of a circle in its own x-y plane: a pose, with --radius.")
    ] = None,
    radius: Annotated[float | None, typer.Option(help="With --circle [m].")] = None,
    angle: Annotated[float, typer.Option(help="With --circle: how much of it [degrees].")] = 360.0,
    turning: Annotated[bool, typer.Option("--turning", help="With --circle: the frame goes round too.")] = False,
    through: Annotated[list[str] | None, typer.Option(help="A pose to pass; give it two times or more.")] = None,
    csv_file: Annotated[
        File | None, typer.Option("--csv", help="A file of poses, one a line; a column 't' holds times.")
    ] = None,
    smooth: Annotated[bool, typer.Option("--smooth", help="With --through and --csv: a spline.")] = False,
    corner: Annotated[float, typer.Option(help="With --through and --csv: round the corners this far [m].")] = 0.0,
    repeat: Annotated[int, typer.Option(help="Run through it so many times; it must end where it begins.")] = 1,
    speed: Annotated[float | None, typer.Option(help="Of the tip [m/s].")] = None,
    duration: Annotated[float | None, typer.Option(help="Of the whole path [s].")] = None,
    rate: Annotated[float, typer.Option(help="Frames a second.")] = 100.0,
    seed: Annotated[str | None, typer.Option(help="Joint values to begin near (degrees, metres for slides).")] = None,
    velocity: Annotated[float | None, typer.Option(help="Greatest joint speed [rad/s]; default: the model's.")] = None,
    acceleration: Annotated[float | None, typer.Option(help="Greatest joint acceleration [rad/s^2].")] = None,
    fastest: Annotated[bool, typer.Option("--fastest", help="As fast as these bounds allow.")] = False,
    closed: Annotated[bool, typer.Option("--closed", help="End in the posture it began in, if that can be.")] = False,
    jumps: Annotated[
        bool, typer.Option("--jumps", help="Jump where no smooth motion leads on; each jump is told.")
    ] = False,
    limits: Annotated[bool, typer.Option(help="Keep joint limits.")] = True,
    base: Annotated[str | None, typer.Option(help="Frame to start from.")] = None,
    tip: Annotated[str | None, typer.Option(help="Frame to lead along the path.")] = None,
    unit: Annotated[str | None, typer.Option(help="What lengths in the robot's file are written in.")] = None,
    zero_limits: ZeroLimits = None,
    out: Annotated[
        File | None, typer.Option("--out", "-o", help=f"Where the motion goes: {', '.join(WRITERS)}.")
    ] = None,
    plot: Annotated[File | None, typer.Option(help="A picture of the joints over time, .png.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Lead the tip along a path, every frame verified. Exit code 1 when the path cannot be followed to its end."""
    given = {"--line": line, "--screw": screw, "--circle": circle, "--through": through or None, "--csv": csv_file}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise BadOption(f"give one of {', '.join(given)}")
    if out is not None and out.suffix.lower() not in WRITERS:
        raise BadOption(f"--out '{out}' ends in {out.suffix or 'nothing'!r}; motion is written to {', '.join(WRITERS)}")
    if out is not None:
        check_saving(out)
    if plot is not None:
        check_picture(plot)
    several = ("--through", "--csv")
    for option, used, belongs in (
        ("--radius", radius is not None, ("--circle",)),
        ("--angle", angle != 360.0, ("--circle",)),
        ("--turning", turning, ("--circle",)),
        ("--smooth", smooth, several),
        ("--corner", corner != 0.0, several),
    ):
        if used and named[0] not in belongs:
            raise BadOption(f"{option} goes with {' and '.join(belongs)}, not with {named[0]}")
    if smooth and corner:
        raise BadOption("--corner rounds straight ways; a path that is --smooth has no corners")
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    if line is not None:
        path = Path.line(*(_pose(text, "--line") for text in line))
    elif screw is not None:
        path = Path.screw(*(_pose(text, "--screw") for text in screw))
    elif circle is not None:
        if radius is None:
            raise BadOption("--circle needs --radius")
        path = Path.circle(_pose(circle, "--circle"), radius=radius, angle=float(np.radians(angle)), turning=turning)
    elif through:
        poses = np.stack([_pose(text, "--through") for text in through])
        path = Path.spline(poses) if smooth else Path.through(poses, corner=corner)
    else:
        assert csv_file is not None
        path = Path.from_csv(csv_file, smooth=smooth, corner=corner)
    path = path.repeated(repeat) if repeat != 1 else path
    if speed is not None and duration is not None:
        raise BadOption("give --speed or --duration, not both")
    path = path if speed is None else path.with_speed(speed)
    path = path if duration is None else path.with_duration(duration)
    start = None if seed is None else seed_from_text(arm, seed)
    clip = arm.follow(path, start, rate, limits=limits, jumps=ALLOW if jumps else REFUSE, closed=closed, velocity=velocity,
                      acceleration=acceleration, fastest=fastest)  # fmt: skip
    if out is not None:
        save_or_keep(clip.recording, out)
    if plot is not None:
        clip.plot(plot, arm.joint_names)
    if as_json:
        print(json.dumps(_facts(arm, clip, out)))
    else:
        _print(arm, clip, out, plot)
    raise typer.Exit(0 if clip.ok else 1)


follow.__doc__ = f"{follow.__doc__}\n\n{EXAMPLES}"


def _pose(text: str, what: str) -> Any:
    return pose_from_numbers(numbers_from_text(text, what), what)


def _facts(arm: Chain, clip: FollowedClip, out: File | None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "robot": arm.name,
        "ok": clip.ok,
        "status": clip.status.name,
        "why": clip.why,
        "frames": len(clip),
        "wanted": clip.wanted,
        "failed": clip.failed,
        "jumps": list(clip.jumps),
        "duration": clip.duration,
        "position_error": float(clip.position_error.max()),
        "rotation_error": float(clip.rotation_error.max()),
    }
    if out is None:
        facts |= {"joints": list(arm.joint_names), "times": clip.times.tolist(), "q": clip.q.tolist()}
    return facts


def _print(arm: Chain, clip: FollowedClip, out: File | None, plot: File | None) -> None:
    console = plain_console()
    console.print(f"{clip.status.name}: {clip.why}", soft_wrap=True)
    factor, units = readable(arm), unit_names(arm)
    table = Table("joint", "from", "to", "least", "most", "fastest", box=None, header_style="bold")
    speeds = (
        np.abs(np.diff(clip.q, axis=0) / np.diff(clip.times)[:, None]).max(axis=0) if len(clip) > 1 else np.zeros(arm.n)
    )
    for j, name in enumerate(arm.joint_names):
        values = clip.q[:, j] * factor[j]
        cells = [
            f"{x:z.2f}" if units[j] == "deg" else f"{x:z.4f}"
            for x in (values[0], values[-1], values.min(), values.max())
        ]
        table.add_row(name, *cells, f"{speeds[j] * factor[j]:.1f} {units[j]}/s")
    console.print(table)
    console.print(
        f"{len(clip)} frames, {clip.duration:.3f} s; farthest from the path {clip.position_error.max():.2e} m and "
        f"{clip.rotation_error.max():.2e} rad"
    )
    for what in (out, plot):
        if what is not None:
            console.print(f"written: {what}")
