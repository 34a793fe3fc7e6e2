"""A floating joint at the hips of human figures whose file only rotates them.

A robot arm is fixed to its base; a figure is not. A file with a figure at rest, or with a motion in place, has no translation of
the hips, so its data give no floating joint. The names of the bones identify the hips of a figure that can walk.
"""

from dataclasses import replace

from limbik.model.humanoid import humanoid
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism

# The bones of a figure that can walk.
_WALKS = ("hips", "leftUpperLeg", "rightUpperLeg")


def hips_joint(mechanism: Mechanism) -> str | None:
    """Return the ball joint to replace by a floating one; None if the hips can translate already, or are not recognised."""
    names = humanoid(mechanism)
    if names.convention == "unknown" or not all(bone in names for bone in _WALKS):
        return None
    above = mechanism.ancestry(names["hips"])
    if any(joint.kind in (Kind.FLOATING, Kind.PRISMATIC) for joint in above):
        return None
    return next((joint.name for joint in reversed(above) if joint.kind is Kind.BALL), None)


def with_free_hips(mechanism: Mechanism) -> Mechanism:
    """Return a figure with a floating joint where the hips only rotated; any other mechanism is returned as it is."""
    name = hips_joint(mechanism)
    if name is None:
        return mechanism
    return mechanism.replaced(replace(j, kind=Kind.FLOATING) if j.name == name else j for j in mechanism.joints)
