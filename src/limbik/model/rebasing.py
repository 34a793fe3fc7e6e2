"""A change of the zero posture: a posture (configuration) q0 of a mechanism becomes q = 0.

A joint with the origin O and the motion M(q) gets the origin O M(q0) and the motion M(q0)^-1 M(q). The values of revolute and
prismatic joints become q - q0, a ball's rotation R0^T R, a floating joint's position R0^T (p - p0). All poses stay the same. The
inverse change takes the posture in which M is the identity as its zero posture.
"""

from dataclasses import replace

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import (
    matrix_from_quaternion,
    quaternion_from_vector,
    quaternion_product,
    vector_from_quaternion,
)
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import motion
from limbik.model.recording import Recording


def rebased(recording: Recording, zero: Array) -> Recording:
    """Return a recording whose zero posture is the posture `zero` (n,). Raises BadOption if the limits of a ball would turn."""
    compiled = recording.compiled
    first = {variable.joint.name: variable.first for variable in compiled.variables}
    q = recording.q.copy()
    for variable in compiled.variables:
        kind, at = variable.joint.kind, variable.first
        if kind.size == 1:
            q[:, at] -= zero[at]
            continue
        end = at + kind.size
        R0 = quaternion_from_vector(zero[end - 3 : end])
        if kind is Kind.FLOATING:
            q[:, at : at + 3] = (q[:, at : at + 3] - zero[at : at + 3]) @ matrix_from_quaternion(R0)
        inverse = np.broadcast_to(R0 * [-1.0, -1.0, -1.0, 1.0], (len(q), 4))
        q[:, end - 3 : end] = vector_from_quaternion(
            quaternion_product(inverse, quaternion_from_vector(q[:, end - 3 : end]))
        )

    def changed(joint: Joint) -> Joint:
        driver, multiplier, _ = recording.mechanism.driver(joint)
        if joint.kind is Kind.FIXED or driver.name not in first:
            return joint
        at = first[driver.name]
        if joint.kind.size == 1:
            value = multiplier * float(zero[at])  # without the offset of a mimic joint, which it keeps
            origin = joint.origin @ motion(joint, value)
            return joint.moved_to(origin=origin, lower=joint.lower - value, upper=joint.upper - value)
        numbers = zero[at : at + joint.kind.size]
        if np.any(numbers[-3:]) and (np.isfinite(joint.swing) or np.isfinite(joint.twist).any()):
            raise BadOption(f"joint '{joint.name}' has swing or twist limits, so its zero posture cannot be changed")
        M = np.eye(4)
        M[:3, :3] = matrix_from_quaternion(quaternion_from_vector(numbers[-3:]))
        if joint.kind is Kind.FLOATING:
            M[:3, 3] = numbers[:3]
        return joint.moved_to(origin=joint.origin @ M)

    mechanism = recording.mechanism.replaced(changed(joint) for joint in recording.mechanism.joints)
    return replace(recording, mechanism=mechanism, q=q, written=None)


def way_back(recording: Recording, zero: Array) -> Array:
    """Return the zero posture that undoes a change to `zero`: `rebased` with it restores the mechanism."""
    back = -np.asarray(zero, dtype=np.float64)
    for variable in recording.compiled.variables:
        if variable.joint.kind is Kind.FLOATING:
            at = variable.first
            back[at : at + 3] = -zero[at : at + 3] @ matrix_from_quaternion(
                quaternion_from_vector(zero[at + 3 : at + 6])
            )
    return back
