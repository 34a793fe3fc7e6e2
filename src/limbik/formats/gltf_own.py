"""glTF files that limbik wrote: the same mechanism comes back, with its kinds of joints, axes and ranges.

What `extras.limbik` says is believed only while the nodes stand where it puts them and move as its joints can; a file that was
edited elsewhere is read like any other. Node k moves by M_k = O_k^-1 (T_parent^-1 T_k), with O_k the origin of its joint, and q
is taken from M_k; forward kinematics then has to give back every pose.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import LimbikError
from limbik.formats.bones import Bone, bones_of, local_poses, poses_of, rest_of, standing
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

# How far poses may be off what float32 keeps of them: of unit vectors, and parts of the figure's size.
NEAR = 1e-5
MUSCLES = "its muscles were left out when it was written: glTF files hold links, joints and motion"


def claims_own(document: Document) -> bool:
    """Tell whether a file has a part that limbik wrote, whether it still fits or not."""
    extras = document.root.get("extras")
    return isinstance(extras, dict) and KEY in extras


def own_mechanism(document: Document, nodes: tuple[SceneNode, ...]) -> Mechanism | None:
    """Return the mechanism that a file of limbik's holds, or None for any other file."""
    found = _own(document, nodes)
    return None if found is None else found[0].mechanism


def own_recording(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animation: Animation,
    notes: tuple[str, ...],
    rate: float | None = None,
) -> Recording | None:
    """Return the motion in a file of limbik's, sampled at a rate where one is given, or None for any other file."""
    found = _own(document, nodes)
    if found is None:
        return None
    like, node_of, start, beat = found
    bones = bones_of(like)
    if {number for number, _ in animation.tracks} - set(node_of):
        return None
    tracks = [animation.tracks[key] for key in animation.tracks]
    if any(path == "scale" for _, path in animation.tracks):
        return None
    times, interpolation, said = frame_times(document, tracks, 16 * len(bones), None)
    if {track.mode for track in tracks} == {"CUBICSPLINE"} and all(
        np.array_equal(t.times, tracks[0].times) for t in tracks
    ):
        times, interpolation, said = tracks[0].times, "cubic", ()
    local = _local(like, bones, node_of, animation, times)
    q = _postures(like.compiled, bones, local, _turns(document, len(times)))
    if document.root["extras"][KEY].get("muscles_left_out"):
        notes = (*notes, MUSCLES)
    times = times + start
    even = even_times(len(times), beat)
    if np.array_equal(even.astype(np.float32), times.astype(np.float32)):
        times = even  # before they were rounded to float32
    try:
        made = Recording(like.mechanism, q, times, like.base, like.tip, interpolation, (*notes, *said))
    except LimbikError:
        return None
    if not _near(local_poses(poses_of(made), bones), local):
        return None
    if rate is None:
        return made
    # Believed at its keys, it is looked at between them: along the joints, or for splines where the nodes stand.
    at, _, said = frame_times(document, tracks, 16 * len(bones), rate)
    if interpolation == "cubic":
        between = _postures(like.compiled, bones, _local(like, bones, node_of, animation, at), {})
    else:
        between = _between(made, at + start)
    return replace(made, q=between, times=at + start, notes=(*notes, *said), interpolation="linear")


def _turns(document: Document, frames: int) -> dict[str, Any]:
    """Return the half turns that a file gives for its hinges, where they are meant for so many frames."""
    turns = document.root["extras"][KEY].get("turns")
    if not isinstance(turns, dict) or turns.get("frames") != frames or not isinstance(turns.get("joints"), dict):
        return {}
    found: dict[str, Any] = turns["joints"]
    return found


def _local(like: Recording, bones: tuple[Bone, ...], node_of: list[int], animation: Animation, times: Array) -> Array:
    """Return the poses of the nodes at some times, seen from each one's parent, (frames, bones, 4, 4)."""
    local = np.repeat(local_poses(rest_of(like)[None], bones), len(times), axis=0)
    for k, number in enumerate(node_of):
        if (track := animation.tracks.get((number, "rotation"))) is not None:
            local[:, k, :3, :3] = matrix_from_quaternion(unit(track.at(times)))
        if (track := animation.tracks.get((number, "translation"))) is not None:
            local[:, k, :3, 3] = track.at(times)
    return local


def _between(recording: Recording, times: Array) -> Array:
    """Return postures between frames: held, or the straight way from one to the next."""
    keys, kernel = recording.times, recording.compiled.kernel
    last = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 1)
    if recording.interpolation == "step":
        return recording.q[last]
    after = np.minimum(last + 1, len(keys) - 1)
    gap = keys[after] - keys[last]
    s = np.clip((times - keys[last]) / np.where(gap > 0, gap, 1.0), 0.0, 1.0)[:, None]
    return kernel.integrate(recording.q[last], s * kernel.difference(recording.q[last], recording.q[after]))


def _own(document: Document, nodes: tuple[SceneNode, ...]) -> tuple[Recording, list[int], float, float] | None:
    """Return the zero posture, the node of each bone, the clip's start and frame time; None where nodes and extras differ."""
    extras = document.root.get("extras")
    data: Any = extras.get(KEY) if isinstance(extras, dict) else None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return None
    mechanism, start, beat = (
        mechanism_from_json(data.get("mechanism")),
        data.get("start", 0.0),
        data.get("frame_time", 0.0),
    )
    if mechanism is None or not all(isinstance(x, float | int) and abs(x) < 1e30 for x in (start, beat)):
        return None
    try:
        like = standing(mechanism, data.get("base"), data.get("tip"))
        bones = bones_of(like)
    except (LimbikError, TypeError, ArithmeticError):
        return None
    by_name = {node.name: k for k, node in enumerate(nodes)}
    if len(by_name) != len(nodes) or any(bone.link not in by_name for bone in bones):
        return None
    local = local_poses(rest_of(like), bones)
    for k, bone in enumerate(bones):
        node = nodes[by_name[bone.link]]
        above = nodes[node.parent].name if node.parent >= 0 else ""
        if bone.parent >= 0 and above != bones[bone.parent].link:
            return None
        if not _near(_pose(node), local[k]) or np.abs(node.scale - 1).max() > NEAR:
            return None
    if not _stands(nodes, nodes[by_name[bones[0].link]], mechanism.up):
        return None
    return like, [nodes[by_name[bone.link]].number for bone in bones], float(start), float(beat)


def _pose(node: SceneNode) -> Array:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quaternion(node.rotation), node.translation
    return T


def _near(a: Array, b: Array) -> bool:
    """Tell whether poses (..., 4, 4) agree to what float32 keeps of them."""
    size = max(1.0, float(np.abs(b[..., :3, 3]).max(initial=0.0)))
    return bool(np.abs(a - b).max(initial=0.0) <= NEAR * size)


def _stands(nodes: tuple[SceneNode, ...], base: SceneNode, up: str) -> bool:
    """Tell whether the base hangs where limbik puts it: on nothing, or with z up on a node that turns it."""
    if base.parent < 0:
        return up == "y"
    above = nodes[base.parent]
    turned = np.eye(4)
    turned[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    return up == "z" and above.parent < 0 and _near(_pose(above), turned) and np.abs(above.scale - 1).max() <= NEAR


def _postures(compiled: Compiled, bones: tuple[Bone, ...], local: Array, turns: dict[str, Any]) -> Array:
    """Return q (frames, n) of poses seen from each bone's parent, (frames, bones, 4, 4). turns: half turns by joint."""
    q = np.zeros((len(local), compiled.n))
    first = {variable.joint.name: variable.first for variable in compiled.variables}
    for k, bone in enumerate(bones):
        joint = bone.joint
        if joint is None or joint.kind is Kind.FIXED or joint.name not in first:
            continue
        R, p = local[:, k, :3, :3], local[:, k, :3, 3]
        if joint.child != bone.link:  # met from its child
            R = R.swapaxes(-1, -2)
            p = -(R @ p[..., None])[..., 0]
        back = joint.origin[:3, :3].T
        R, p = back @ R, (p - joint.origin[:3, 3]) @ back.T
        at = first[joint.name]
        if joint.kind is Kind.PRISMATIC:
            q[:, at] = p @ joint.axis
        elif joint.kind.turns:
            turn = quaternion_from_matrix(R)
            angles = 2 * np.arctan2(turn[:, :3] @ joint.axis, turn[:, 3])
            known = with_half_turns(angles, turns.get(joint.name))
            q[:, at] = whole_turns(angles, *range_of(joint)) if known is None else known
        else:
            if joint.kind is Kind.FLOATING:
                q[:, at : at + 3] = p
            q[:, at + joint.kind.size - 3 : at + joint.kind.size] = vector_from_matrix(R)
    return q
