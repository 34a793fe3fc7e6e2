"""Write BVH files. A recording that was read from BVH is written back number by number.

Joint values that still equal those of the raw channels are written as the raw channels. Changed joint values are
converted to Euler angles in the joint's own channel order. Of the equivalent triples of angles, the one nearest the
previous frame is written, so that curves are continuous.
"""

import io
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik._core import vectors_to_euler
from limbik.errors import BadOption, shown
from limbik.formats.bvh import BVH_UNIT, Written
from limbik.formats.bvh_figure import nodes_of
from limbik.formats.bvh_joints import DEGREE, ChannelPlan, build_figure
from limbik.formats.bvh_text import Node
from limbik.formats.replacing import replacing
from limbik.geometry.arrays import Array
from limbik.model.even_times import beat_of
from limbik.model.recording import Recording
from limbik.model.units import metres_per

# The largest relative difference of frame times that is rounding.
SAME_BEAT = 1e-9
# The deepest indentation [tabs].
MOST_TABS = 60


def write_bvh(recording: Recording, path: str | PathLike[str], unit: Any = None, up: str | None = None) -> None:
    """Write a recording. unit: of the lengths in the file; None: the unit it was read with, else centimetres.

    up: the upward axis in the file, "y" or "z"; None: the axis it was read with, else y; a figure with z up is then rotated.
    BVH has one frame time, so frames must be evenly spaced (`even_times.py`). Raises FileUnwritable, BadOption.
    """
    if up not in (None, "y", "z"):
        raise BadOption(f"up={shown(up)}: give 'y' or 'z'")
    written = recording.written if isinstance(recording.written, Written) else None
    if written is not None and up not in (None, written.up):
        written = None
    found = _as_written(recording, written) if written is not None else None
    if written is not None and found is not None:
        metres = metres_per(unit, written.unit)
        nodes, values = _rescaled(written.nodes, found, written.unit / metres)
    else:
        metres = metres_per(unit, BVH_UNIT)
        made = nodes_of(recording, metres, up or "y")
        nodes, values = made.nodes, made.values
    text = bvh_text(nodes, values, _frame_time(recording, written))
    with replacing(Path(path), lasting=False) as file:
        file.write(text.encode("utf-8"))


def bvh_text(nodes: tuple[Node, ...], values: Array, frame_time: float) -> str:
    """Return the text of a BVH file; every number reads back exactly."""
    out = io.StringIO()
    out.write("HIERARCHY\n")
    open_: list[int] = []
    for k, node in enumerate(nodes):
        while open_ and open_[-1] != node.parent:
            open_.pop()
            out.write(_tabs(open_) + "}\n")
        tabs = _tabs(open_)
        kind = "End Site" if node.is_end else "JOINT" if open_ else "ROOT"
        out.write(f"{tabs}{kind} {node.name}".rstrip() + f"\n{tabs}{{\n{tabs}\tOFFSET {_row(node.offset)}\n")
        if node.channels:
            out.write(f"{tabs}\tCHANNELS {len(node.channels)} {' '.join(node.channels)}\n")
        open_.append(k)
    while open_:
        open_.pop()
        out.write(_tabs(open_) + "}\n")
    out.write(f"MOTION\nFrames: {len(values)}\nFrame Time: {float(frame_time)!r}\n")
    for row in values.tolist():
        out.write(_row(row) + "\n")
    return out.getvalue()


def _tabs(open_: list[int]) -> str:
    """Return the indentation of a line, bounded so that the file size is linear in the number of joints."""
    return "\t" * min(len(open_), MOST_TABS)


def _row(numbers: Any) -> str:
    return " ".join(map(repr, map(float, numbers)))


def frame_time(times: Array) -> float:
    """Return the time between frames [s], 0 for a single frame. Raises BadOption if frames are not evenly spaced."""
    beat = beat_of(times)
    if beat is None:
        rate = 1 / float(np.median(np.diff(times)))
        raise BadOption(
            "BVH has one frame time, and these frames are not evenly spaced: "
            f"clip.resampled({rate:.6g}) makes them even, or write .glb, .csv or .npz"
        )
    return beat.step


def _frame_time(recording: Recording, written: Written | None) -> float:
    times = recording.times
    if written is not None and np.array_equal(times, np.arange(len(times)) * written.frame_time):
        return written.frame_time
    step = frame_time(times)
    if len(times) == 1:
        return written.frame_time if written is not None else 1 / 30
    if written is not None and abs(step - written.frame_time) <= SAME_BEAT * step:
        return written.frame_time  # a part of a file keeps its frame time to the last digit
    return step


def _rescaled(nodes: tuple[Node, ...], values: Array, factor: float) -> tuple[tuple[Node, ...], Array]:
    """Return nodes and channel values with every length multiplied by a factor."""
    if factor == 1.0:
        return nodes, values
    lengths = [channel.endswith("position") for node in nodes for channel in node.channels]
    scaled = values * np.where(lengths, factor, 1.0)
    x = [Node(n.name, n.parent, tuple(v * factor for v in n.offset), n.channels, n.is_end) for n in nodes]  # type: ignore[arg-type]
    return tuple(x), scaled


def _as_written(recording: Recording, written: Written) -> Array | None:
    """Return the channel values (frames, channels) in the order of the source file; None if the figure has changed."""
    figure = build_figure(
        written.nodes, written.values, written.unit, recording.mechanism.name, written.up, written.keep
    )
    same = figure.mechanism.joints == recording.mechanism.joints and recording.mechanism.up == figure.mechanism.up
    moving = [joint.name for joint in figure.mechanism.joints if joint.kind.size]
    whole = [
        variable.joint.name for variable in recording.compiled.variables
    ] == moving  # a chain may contain every moving joint
    if not same or not whole or recording.base not in (None, figure.mechanism.root):
        return None
    q, plan = recording.q, figure.plan
    raw = written.kept
    frames, kept = len(q), min(len(q), len(raw))
    before = np.repeat(raw[-1:], frames, axis=0)  # channels without a joint keep their value
    before[:kept] = raw[:kept]
    was = plan.postures(before, written.unit)
    same_numbers = was == q
    same_numbers[kept:] = False
    if same_numbers.all():
        return before
    values = before.copy()
    for column, target, zero in plan.prismatic:
        values[:, column] = np.where(same_numbers[:, target], before[:, column], q[:, target] / written.unit + zero)
    for column, target in plan.revolute:
        values[:, column] = np.where(same_numbers[:, target], before[:, column], q[:, target] / DEGREE)
    return _with_angles(values, before, q, same_numbers, plan)


def _with_angles(values: Array, before: Array, q: Array, same: Any, plan: ChannelPlan) -> Array:
    """Return the channel values with the angles of ball joints filled in."""
    if not plan.balls:
        return values
    balls = np.array(plan.balls)
    targets = balls[:, 6, None] + np.arange(3)
    columns = balls[:, :3]
    known = same[:, targets].all(axis=-1)
    raw = before[:, columns]
    angles = vectors_to_euler(q[:, targets], raw * DEGREE, known, raw[0] * DEGREE, balls[:, 3:6].ravel().tolist())
    values[:, columns.ravel()] = np.where(known[..., None], raw, angles / DEGREE).reshape(len(q), -1)
    return values
