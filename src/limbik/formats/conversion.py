"""Convert a recording between conventions: axes and handedness, bone axes, zero posture. The conversion can be undone.

Lengths stay in metres; the unit of a convention applies to files only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.formats.bones import bones_of, rest_of
from limbik.geometry.arrays import Array
from limbik.model.convention import Convention, as_convention, axis_vector, usual_convention
from limbik.model.rebasing import rebased, way_back
from limbik.model.recording import Recording
from limbik.model.relabelling import Relabelling

# A bone shorter than this, relative to the figure's size, has no direction.
TOO_NEAR = 1e-6


@dataclass(frozen=True, eq=False)
class Conversion:
    """A recording in another convention, and how to undo it. axes: (3, 3), new coordinates = axes @ old ones."""

    recording: Recording
    axes: Array
    relabelling: Relabelling
    zero: Array | None
    was_up: str

    def undone(self, recording: Recording) -> Recording:
        """Convert a recording of the converted figure back to the original convention."""
        back = self.relabelling.inverse(self.was_up).recording(recording)
        return back if self.zero is None else rebased(back, self.zero)


def convert(recording: Recording, to: Any, source: Any = None) -> Conversion:
    """Convert a recording to the convention `to`, a name or a Convention.

    source: the recording's convention; None: the usual one for its upward axis. A position p becomes axes @ p. If the
    convention has a bone axis, link frames are rotated about their origins too. Raises BadOption.
    """
    target = as_convention(to)
    own = usual_convention(recording.mechanism.up) if source is None else as_convention(source)
    was_up, zero, moved = recording.mechanism.up, None, recording
    if target.rest is not None:
        if not -len(recording.q) <= target.rest < len(recording.q):
            raise BadOption(f"rest={target.rest}: give a frame of this clip, 0 to {len(recording.q) - 1}")
        posture = recording.q[target.rest]
        zero, moved = way_back(recording, posture), rebased(recording, posture)
    axes = target.axes @ own.axes.T
    frames = dict.fromkeys((link.name for link in moved.mechanism.links), axes.T)
    if target.bone_axis is not None:
        for name, R in _along_bones(moved, axes, target.bone_axis).items():
            frames[name] = axes.T @ R
    relabelling = Relabelling(frames, target.up)
    return Conversion(relabelling.recording(moved), axes, relabelling, zero, was_up)


def turned_up(recording: Recording, up: str) -> Conversion:
    """Rotate a recording about x so that another axis is up: y up with z forward corresponds to z up with -y forward."""
    own = recording.mechanism.up
    if up not in ("y", "z"):
        raise BadOption(f"up={up!r}: give 'y' or 'z'")
    conventions = {"y": Convention(up="y", forward="z"), "z": Convention(up="z", forward="-y")}
    return convert(recording, conventions[up], conventions[own])


def _along_bones(recording: Recording, axes: Array, axis: str) -> dict[str, Array]:
    """Return for each link the smallest rotation (3, 3), in its new frame, that points an axis along its bone."""
    bones, rest = bones_of(recording), rest_of(recording)
    positions, rotations = rest[:, :3, 3], rest[:, :3, :3]
    shortest = TOO_NEAR * max(float(np.ptp(positions, axis=0).max()), 1e-12)
    to_children: list[list[Array]] = [[] for _ in bones]
    for k, bone in enumerate(bones):
        if bone.parent >= 0 and np.linalg.norm(along := positions[k] - positions[bone.parent]) > shortest:
            to_children[bone.parent].append(along / np.linalg.norm(along))
    directions: list[Array | None] = []
    found: dict[str, Array] = {}
    for k, bone in enumerate(bones):
        mean = np.sum(to_children[k], axis=0) if to_children[k] else np.zeros(3)
        own = mean / np.linalg.norm(mean) if np.linalg.norm(mean) > TOO_NEAR else None
        directions.append(own if own is not None else directions[bone.parent] if bone.parent >= 0 else None)
        direction = directions[k]
        if direction is not None and bone.joint is not None:  # the base stays: it is the world
            found[bone.link] = least_turn(axis_vector(axis), axes @ (rotations[k].T @ direction))
    return found


def least_turn(a: Array, b: Array) -> Array:
    """Return the rotation (3, 3) about a x b that takes the unit vector a to b."""
    cosine, across = float(a @ b), np.cross(a, b)
    if cosine < -1 + TOO_NEAR:
        side = np.eye(3)[int(np.argmin(np.abs(a)))]
        half = np.cross(a, side)
        half /= np.linalg.norm(half)
        back: Array = least_turn(-a, b) @ (2 * np.outer(half, half) - np.eye(3))
        return back
    K = np.array([[0, -across[2], across[1]], [across[2], 0, -across[0]], [-across[1], across[0], 0]])
    turn: Array = np.eye(3) + K + K @ K / (1 + cosine)
    return turn
