"""Figures that travel: the hips of a human figure move freely, though a file without a walk in it shows only that they turn.

A model of an arm stands on its base; a figure does not. A file that holds a figure at rest, or a motion in place, has no
translation of its hips, so nothing in it says that they are free. The names of the bones do.
"""

from dataclasses import replace

from limbik.model.humanoid import humanoid
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism

# What a figure has that walks.
_WALKS = ("hips", "leftUpperLeg", "rightUpperLeg")


def hips_joint(mechanism: Mechanism) -> str | None:
    """Return the ball joint that must float for the hips to travel; None where they do, or where no hips are recognised."""
    names = humanoid(mechanism)
    if names.convention == "unknown" or not all(bone in names for bone in _WALKS):
        return None
    above = mechanism.ancestry(names["hips"])
    if any(joint.kind in (Kind.FLOATING, Kind.PRISMATIC) for joint in above):
        return None
    return next((joint.name for joint in reversed(above) if joint.kind is Kind.BALL), None)


def with_free_hips(mechanism: Mechanism) -> Mechanism:
    """Return a figure whose hips float where they only turned; any other mechanism as it is."""
    name = hips_joint(mechanism)
    if name is None:
        return mechanism
    return mechanism.replaced(replace(j, kind=Kind.FLOATING) if j.name == name else j for j in mechanism.joints)
