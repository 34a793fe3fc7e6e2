"""Read glTF files that limbik wrote: they return the same mechanism, with its joint kinds, axes and ranges.

The mechanism in `extras.limbik` is used only if the nodes have the poses that it predicts, and their motion is one that
its joints can make. Otherwise the file was edited elsewhere and is read like any other. With T_k the pose of node k and
O_k the origin of its joint, the joint transform is M_k = O_k^-1 (T_parent^-1 T_k). It gives q, and forward kinematics
of q must reproduce every pose.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import LimbikError
from limbik.formats.bones import Z_UP_TO_Y_UP, Bone, bones_of, local_poses, poses_of, rest_of, zero_recording
from limbik.formats.gltf_document import Document
from limbik.formats.gltf_mechanism import KEY, SCHEMA, even_times, mechanism_from_json
from limbik.formats.gltf_motion import Animation, frame_times
from limbik.formats.gltf_nodes import SceneNode
from limbik.formats.gltf_samplers import unit
from limbik.formats.gltf_turns import range_of, whole_turns, with_half_turns
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_quaternion, quaternion_from_matrix, vector_from_matrix
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism
from limbik.model.recording import Recording

# The largest rounding error of float32 poses, relative to unit vectors and to the figure's size.
NEAR = 1e-5
MUSCLES = "muscles were left out when the file was written: glTF files contain links, joints and motion"


def claims_own(document: Document) -> bool:
    """Return whether a file contains a mechanism that limbik stored, whether or not the nodes still match it."""
    extras = document.root.get("extras")
    return isinstance(extras, dict) and KEY in extras


def own_mechanism(document: Document, nodes: tuple[SceneNode, ...]) -> Mechanism | None:
    """Return the mechanism of a file that limbik wrote, or None for any other file."""
    found = _own(document, nodes)
    return None if found is None else found[0].mechanism


def own_recording(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animation: Animation,
    notes: tuple[str, ...],
    rate: float | None = None,
) -> Recording | None:
    """Return the motion in a file that limbik wrote, or None for any other file. rate: to sample at [Hz]; None keeps the keys."""
    found = _own(document, nodes)
    if found is None:
        return None
    rest, node_of, start, step = found
    bones = bones_of(rest)
    if {number for number, _ in animation.tracks} - set(node_of):
        return None
    tracks = [animation.tracks[key] for key in animation.tracks]
    if any(path == "scale" for _, path in animation.tracks):
        return None
    times, interpolation, sampling_notes = frame_times(document, tracks, 16 * len(bones), None)
    if {track.mode for track in tracks} == {"CUBICSPLINE"} and all(
        np.array_equal(t.times, tracks[0].times) for t in tracks
    ):
        times, interpolation, sampling_notes = tracks[0].times, "cubic", ()
    local = _local(rest, bones, node_of, animation, times)
    q = _postures(rest.compiled, bones, local, _half_turns(document, len(times)))
    if document.root["extras"][KEY].get("muscles_left_out"):
        notes = (*notes, MUSCLES)
    times = times + start
    even = even_times(len(times), step)
    if np.array_equal(even.astype(np.float32), times.astype(np.float32)):
        times = even  # the exact times, before rounding to float32
    try:
        made = Recording(rest.mechanism, q, times, rest.base, rest.tip, interpolation, (*notes, *sampling_notes))
    except LimbikError:
        return None
    if not _near(local_poses(poses_of(made), bones), local):
        return None
    if rate is None:
        return made
    # Between the keys, joint values are interpolated; splines are sampled as node poses.
    at, _, sampling_notes = frame_times(document, tracks, 16 * len(bones), rate)
    if interpolation == "cubic":
        between = _postures(rest.compiled, bones, _local(rest, bones, node_of, animation, at), {})
    else:
        between = _between(made, at + start)
    return replace(made, q=between, times=at + start, notes=(*notes, *sampling_notes), interpolation="linear")


def _half_turns(document: Document, frames: int) -> dict[str, Any]:
    """Return the half turns of hinges by joint name, {} if the file has none for this number of frames."""
    turns = document.root["extras"][KEY].get("turns")
    if not isinstance(turns, dict) or turns.get("frames") != frames or not isinstance(turns.get("joints"), dict):
        return {}
    found: dict[str, Any] = turns["joints"]
    return found


def _local(rest: Recording, bones: tuple[Bone, ...], node_of: list[int], animation: Animation, times: Array) -> Array:
    """Return the poses of the nodes relative to their parents at these times, (frames, bones, 4, 4)."""
    local = np.repeat(local_poses(rest_of(rest)[None], bones), len(times), axis=0)
    for k, number in enumerate(node_of):
        if (track := animation.tracks.get((number, "rotation"))) is not None:
            local[:, k, :3, :3] = matrix_from_quaternion(unit(track.at(times)))
        if (track := animation.tracks.get((number, "translation"))) is not None:
            local[:, k, :3, 3] = track.at(times)
    return local


def _between(recording: Recording, times: Array) -> Array:
    """Return postures between frames: held ("step"), or interpolated linearly in joint space."""
    keys, kernel = recording.times, recording.compiled.kernel
    last = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 1)
    if recording.interpolation == "step":
        return recording.q[last]
    after = np.minimum(last + 1, len(keys) - 1)
    gap = keys[after] - keys[last]
    s = np.clip((times - keys[last]) / np.where(gap > 0, gap, 1.0), 0.0, 1.0)[:, None]
    return kernel.integrate(recording.q[last], s * kernel.difference(recording.q[last], recording.q[after]))


def _own(document: Document, nodes: tuple[SceneNode, ...]) -> tuple[Recording, list[int], float, float] | None:
    """Return the zero posture, each bone's node, the start and frame time [s]; None if nodes and extras differ."""
    extras = document.root.get("extras")
    data: Any = extras.get(KEY) if isinstance(extras, dict) else None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return None
    mechanism, start, step = (
        mechanism_from_json(data.get("mechanism")),
        data.get("start", 0.0),
        data.get("frame_time", 0.0),
    )
    if mechanism is None or not all(isinstance(x, float | int) and abs(x) < 1e30 for x in (start, step)):
        return None
    try:
        rest = zero_recording(mechanism, data.get("base"), data.get("tip"))
        bones = bones_of(rest)
    except (LimbikError, TypeError, ArithmeticError):
        return None
    by_name = {node.name: k for k, node in enumerate(nodes)}
    if len(by_name) != len(nodes) or any(bone.link not in by_name for bone in bones):
        return None
    local = local_poses(rest_of(rest), bones)
    for k, bone in enumerate(bones):
        node = nodes[by_name[bone.link]]
        parent_name = nodes[node.parent].name if node.parent >= 0 else ""
        if bone.parent >= 0 and parent_name != bones[bone.parent].link:
            return None
        if not _near(_pose(node), local[k]) or np.abs(node.scale - 1).max() > NEAR:
            return None
    if not _is_upright(nodes, nodes[by_name[bones[0].link]], mechanism.up):
        return None
    return rest, [nodes[by_name[bone.link]].number for bone in bones], float(start), float(step)


def _pose(node: SceneNode) -> Array:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quaternion(node.rotation), node.translation
    return T


def _near(a: Array, b: Array) -> bool:
    """Return whether poses (..., 4, 4) agree to float32 rounding."""
    size = max(1.0, float(np.abs(b[..., :3, 3]).max(initial=0.0)))
    return bool(np.abs(a - b).max(initial=0.0) <= NEAR * size)


def _is_upright(nodes: tuple[SceneNode, ...], base: SceneNode, up: str) -> bool:
    """Return whether the base is a root (y up), or the child of the root that rotates z up to y up, as limbik writes it."""
    if base.parent < 0:
        return up == "y"
    root = nodes[base.parent]
    upright = np.eye(4)
    upright[:3, :3] = Z_UP_TO_Y_UP
    return up == "z" and root.parent < 0 and _near(_pose(root), upright) and np.abs(root.scale - 1).max() <= NEAR


def _postures(compiled: Compiled, bones: tuple[Bone, ...], local: Array, half_turns: dict[str, Any]) -> Array:
    """Return q (frames, n) for poses relative to each bone's parent, (frames, bones, 4, 4). half_turns: by joint name."""
    q = np.zeros((len(local), compiled.n))
    first = {variable.joint.name: variable.first for variable in compiled.variables}
    for k, bone in enumerate(bones):
        joint = bone.joint
        if joint is None or joint.kind is Kind.FIXED or joint.name not in first:
            continue
        R, p = local[:, k, :3, :3], local[:, k, :3, 3]
        if joint.child != bone.link:  # the tree is traversed from child to parent
            R = R.swapaxes(-1, -2)
            p = -(R @ p[..., None])[..., 0]
        R_inverse = joint.origin[:3, :3].T
        R, p = R_inverse @ R, (p - joint.origin[:3, 3]) @ R_inverse.T
        at = first[joint.name]
        if joint.kind is Kind.PRISMATIC:
            q[:, at] = p @ joint.axis
        elif joint.kind.is_revolute:
            quaternion = quaternion_from_matrix(R)
            angles = 2 * np.arctan2(quaternion[:, :3] @ joint.axis, quaternion[:, 3])
            known = with_half_turns(angles, half_turns.get(joint.name))
            q[:, at] = whole_turns(angles, *range_of(joint)) if known is None else known
        else:
            if joint.kind is Kind.FLOATING:
                q[:, at : at + 3] = p
            q[:, at + joint.kind.size - 3 : at + joint.kind.size] = vector_from_matrix(R)
    return q
