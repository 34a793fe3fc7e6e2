"""The network of a planar arm for given limb lengths, and the coordinates of its postures.

The paper's input layer "offers the possibility to change the values L1, L2 and L3". A length given as a number is a constant of
the network. A length given as a range, and the length of a segment with a prismatic joint, is a variable of it: the network and
the refinement compute it with the angles.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.completion import Completion
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.outputs import Output
from limbik.solvers.relaxation.planar_arm import PlanarArm
from limbik.solvers.relaxation.settings import Settings
from limbik.solvers.relaxation.triangles import segment_names
from limbik.solvers.relaxation.turns import is_length


def sliding(planar: PlanarArm) -> dict[str, Range]:
    """Return the lengths that prismatic joints change, by name, and their ranges without joint limits: from 0 on [m]."""
    return {f"L{k + 1}": Range(low=0.0) for k in planar.sliding}


def network_for(planar: PlanarArm, settings: Settings, inputs: Mapping[str, Range]) -> AngleNetwork:
    """Return the network for the limb lengths among the inputs. Raises BadOption for a length that is not above 0."""
    lengths, free = list(planar.lengths), sliding(planar)
    for k, name in enumerate(segment_names(len(lengths))):
        wanted = inputs.get(name)
        if wanted is None or name in free:
            continue
        if wanted.high <= 0.0:
            raise BadOption(f"{name} = {wanted}: a segment is longer than 0")
        if wanted.fixed:
            lengths[k] = wanted.low
        else:
            free[name] = Range(max(wanted.low, 0.0), wanted.high)
            lengths[k] = min(max(lengths[k], free[name].low), free[name].high)
    return AngleNetwork(lengths, settings, free=free)


def own_coordinates(planar: PlanarArm, net: AngleNetwork) -> list[int]:
    """Return where the arm's own coordinates are among those of a network: joint angles, and lengths of prismatic joints."""
    return [*range(len(net.lengths)), *(net.coordinates.index(name) for name in sliding(planar))]


def coordinates(planar: PlanarArm, net: AngleNetwork, q: Array) -> Array:
    """Return the coordinates of a posture q; lengths without a joint have their usual values."""
    out = usual_coordinates(net, {})
    out[own_coordinates(planar, net)] = planar.coordinates(q)
    return out


def posture(planar: PlanarArm, net: AngleNetwork, joints: Array) -> Array:
    """Return the q of coordinates."""
    return planar.q(joints[own_coordinates(planar, net)])


def usual_coordinates(net: AngleNetwork, angles: Mapping[str, float]) -> Array:
    """Return coordinates with these angles, 0 for others, and the usual lengths."""
    usual = dict(zip(segment_names(len(net.lengths)), net.lengths, strict=True)) | dict(angles)
    return np.array([usual.get(name, 0.0) for name in net.coordinates])


def own_joints(planar: PlanarArm, net: AngleNetwork, joint_names: Sequence[str]) -> tuple[list[str], Array, Array]:
    """Return for each coordinate of a network the name of the arm's joint (else its own), and the sign and offset of its map."""
    names, signs, offsets = list(net.coordinates), np.ones(len(net.coordinates)), np.zeros(len(net.coordinates))
    for k, place in enumerate(own_coordinates(planar, net)):
        names[place] = joint_names[planar.order[k]]
        signs[place], offsets[place] = planar.signs[k], planar.offsets[k]
    return names, signs, offsets


def start_from(given: Completion | Output, net: AngleNetwork) -> Array | None:
    """Return the state that continues an earlier one, with the usual lengths where it has none; None for another arm's."""
    if isinstance(given, Completion):
        if {name for name in given.variables if not is_length(name)} != {n for n in net.variables if not is_length(n)}:
            return None
        names = (*net.triangles.joints, *(name for name in given.variables if is_length(name)))
        return net.begin(usual_coordinates(net, dict(zip(names, given.joints.tolist(), strict=True))))
    known = dict(zip(given.names, given.values.tolist(), strict=True))
    usual = dict(zip(segment_names(len(net.lengths)), net.lengths, strict=True))
    if {name for name in known if not is_length(name)} != {name for name in net.variables if not is_length(name)}:
        return None
    return np.array([known.get(name, usual.get(name, 0.0)) for name in net.variables])


def is_own(planar: PlanarArm, net: AngleNetwork) -> bool:
    """Return whether a network has the arm's own lengths, so that the arm's forward kinematics applies to it."""
    if set(net.free) != set(sliding(planar)):
        return False
    pairs = zip(net.lengths, planar.lengths, segment_names(len(net.lengths)), strict=True)
    return all(name in net.free or math.isclose(a, b, rel_tol=1e-15) for a, b, name in pairs)
