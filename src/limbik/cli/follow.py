"""`limbik follow`: the joint trajectory that moves a tip along a path."""

import json
from pathlib import Path as File
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik.cli.console import plain_console, print_whole
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Unit, ZeroLimits
from limbik.cli.targets import numbers_from_text, pose_from_numbers
from limbik.cli.units import readable, seed_from_text, unit_names
from limbik.errors import BadOption
from limbik.motion.follow.follow import ALLOW, REFUSE
from limbik.motion.follow.followed import Followed
from limbik.motion.keeping import save_or_keep
from limbik.motion.path import Path
from limbik.motion.saving import WRITERS, check_saving
from limbik.plots.style import check_picture
from limbik.robot.chain import Chain

EXAMPLES = """The branch, the whole turns and, for redundant arms, the swivel are chosen for the whole path at once. If no smooth
trajectory exists, the output gives the frame and the reason; --jumps continues from another posture.

Examples:

  limbik follow ur5 --line "0.4,-0.2,0.3,180,0,0" "0.4,0.3,0.3,180,0,0" --out motion.csv

  limbik follow panda --circle "0.5,0,0.4,180,0,0" --radius 0.1 --speed 0.2 --plot joints.png

  limbik follow iiwa7 --csv poses.csv --smooth --acceleration 5 --fastest --json

  limbik follow kr6 --through "0.5,0,0.5,180,0,0" --through "0.5,0.2,0.5,180,0,0" --through "0.4,0.2,0.3,180,0,0" --corner 0.02
"""


def follow(
    robot: Robot,
    line: Annotated[
        tuple[str, str] | None, typer.Option(help="Two poses, each x,y,z,roll,pitch,yaw (m, degrees), as for solve.")
    ] = None,
    screw: Annotated[tuple[str, str] | None, typer.Option(help="Two poses, joined by one screw motion.")] = None,
    circle: Annotated[str | None, typer.Option(help="Centre pose of a circle in its x-y plane, with --radius.")] = None,
    radius: Annotated[float | None, typer.Option(help="With --circle: radius [m].")] = None,
    angle: Annotated[float, typer.Option(help="With --circle: angle of the arc [degrees].")] = 360.0,
    turning: Annotated[bool, typer.Option("--turning", help="With --circle: the frame rotates with the path.")] = False,
    through: Annotated[list[str] | None, typer.Option(help="A waypoint pose; give two or more.")] = None,
    csv_file: Annotated[
        File | None,
        typer.Option("--csv", help="A file of poses, one per line; an optional column 't' holds times [s]."),
    ] = None,
    smooth: Annotated[
        bool, typer.Option("--smooth", help="With --through and --csv: a spline through the poses.")
    ] = False,
    corner: Annotated[
        float, typer.Option(help="With --through and --csv: round corners within this distance [m].")
    ] = 0.0,
    repeat: Annotated[int, typer.Option(help="Repeat a closed path this many times.")] = 1,
    speed: Annotated[float | None, typer.Option(help="Speed of the tip [m/s].")] = None,
    duration: Annotated[float | None, typer.Option(help="Duration of the whole path [s].")] = None,
    rate: Annotated[float, typer.Option(help="Frame rate [Hz].")] = 100.0,
    seed: Annotated[
        str | None, typer.Option(help="Start near these joint values (degrees; metres for prismatic joints).")
    ] = None,
    velocity: Annotated[float | None, typer.Option(help="Joint velocity limit [rad/s]; default: the model's.")] = None,
    acceleration: Annotated[float | None, typer.Option(help="Joint acceleration limit [rad/s^2].")] = None,
    fastest: Annotated[bool, typer.Option("--fastest", help="Minimum time within these limits.")] = False,
    closed: Annotated[bool, typer.Option("--closed", help="End in the start posture if possible.")] = False,
    jumps: Annotated[
        bool, typer.Option("--jumps", help="Jump where no smooth trajectory exists; each jump is reported.")
    ] = False,
    limits: Annotated[bool, typer.Option(help="Keep joint limits.")] = True,
    base: Base = None,
    tip: Annotated[str | None, typer.Option(help="Frame that follows the path.")] = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    out: Annotated[
        File | None, typer.Option("--out", "-o", help=f"Write the trajectory to this file: {', '.join(WRITERS)}.")
    ] = None,
    plot: Annotated[File | None, typer.Option(help="Plot the joint values over time (.png).")] = None,
    as_json: AsJson = False,
) -> None:
    """Move the tip along a path; every frame is verified. Exit code 1 if the path cannot be followed to its end."""
    given = {"--line": line, "--screw": screw, "--circle": circle, "--through": through or None, "--csv": csv_file}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise BadOption(f"give one of {', '.join(given)}")
    if out is not None and out.suffix.lower() not in WRITERS:
        raise BadOption(
            f"--out '{out}' ends in {out.suffix or 'nothing'!r}; supported formats are {', '.join(WRITERS)}"
        )
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
            raise BadOption(f"{option} requires {' or '.join(belongs)}, not {named[0]}")
    if smooth and corner:
        raise BadOption("--corner rounds straight segments; a --smooth path has no corners")
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
    found = arm.follow(path, start, rate, limits=limits, jumps=ALLOW if jumps else REFUSE, closed=closed, velocity=velocity,
                       acceleration=acceleration, fastest=fastest)  # fmt: skip
    if out is not None:
        save_or_keep(found.clip.recording, out)
    if plot is not None:
        found.clip.plot(plot, arm.joint_names)
    if as_json:
        print(json.dumps(_facts(arm, found, out)))
    else:
        _print(arm, found, out, plot)
    raise typer.Exit(0 if found.ok else 1)


follow.__doc__ = f"{follow.__doc__}\n\n{EXAMPLES}"


def _pose(text: str, what: str) -> Any:
    return pose_from_numbers(numbers_from_text(text, what), what)


def _facts(arm: Chain, found: Followed, out: File | None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "robot": arm.name,
        "ok": found.ok,
        "status": found.status.name,
        "why": found.why,
        "frames": len(found),
        "wanted": found.wanted,
        "failed": found.failed,
        "jumps": list(found.jumps),
        "duration": found.duration,
        "position_error": float(found.position_error.max()),
        "rotation_error": float(found.rotation_error.max()),
    }
    if out is None:
        facts |= {"joints": list(arm.joint_names), "times": found.times.tolist(), "q": found.q.tolist()}
    return facts


def _print(arm: Chain, found: Followed, out: File | None, plot: File | None) -> None:
    console = plain_console()
    console.print(f"{found.status.name}: {found.why}", soft_wrap=True)
    factor, units = readable(arm), unit_names(arm)
    table = Table("joint", "start", "end", "min", "max", "top speed", box=None, header_style="bold")
    speeds = (
        np.abs(np.diff(found.q, axis=0) / np.diff(found.times)[:, None]).max(axis=0)
        if len(found) > 1
        else np.zeros(arm.n)
    )
    for j, name in enumerate(arm.joint_names):
        values = found.q[:, j] * factor[j]
        cells = [
            f"{x:z.2f} deg" if units[j] == "deg" else f"{x:z.4f} m"
            for x in (values[0], values[-1], values.min(), values.max())
        ]
        table.add_row(name, *cells, f"{speeds[j] * factor[j]:.1f} {units[j]}/s")
    print_whole(console, table)
    console.print(
        f"{len(found)} frames, {found.duration:.3f} s; largest error of the tip {found.position_error.max():.2e} m and "
        f"{found.rotation_error.max():.2e} rad"
    )
    for what in (out, plot):
        if what is not None:
            console.print(f"written: {what}")
