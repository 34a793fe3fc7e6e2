"""The deviations of a retargeted motion: hand errors and displacements of standing feet, with reasons."""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges, swing_twist
from limbik.motion.retarget.anatomy import Anatomy
from limbik.motion.retarget.result import Transferred

# A ball joint within this distance of a limit is at the limit [rad].
NEAR_LIMIT = 1e-4


@dataclass(frozen=True)
class Missed:
    """A hand that misses its target in a frame, or a foot that leaves its position in a stance that starts there.

    error: the distance [m]; for a foot, the larger of its slide and the distance of its ankle from the target position. slides:
    whether it is a foot.
    """

    frame: int
    bone: str
    error: float
    reason: str
    slides: bool = False

    def __str__(self) -> str:
        what = "leaves its position while standing by" if self.slides else "misses by"
        return f"frame {self.frame}: {self.bone} {what} {self.error * 1e3:.1f} mm; {self.reason}"


def missed_hands(
    body: Anatomy, transferred: Transferred, tolerance: float, names: tuple[str, ...]
) -> tuple[Missed, ...]:
    """Return the hand errors above a tolerance [m], with reasons. names: of the joint values."""
    out: list[Missed] = []
    ranges = Ranges(body.compiled)
    for bone, error in transferred.hand_error.items():
        far = np.flatnonzero(error > tolerance)
        if not len(far):
            continue
        side = bone.removesuffix("Hand")
        length = sum(body.lengths(side, "Arm"))
        shoulder = body.compiled.kernel.forward(transferred.q[far], body.frame_index(f"{side}UpperArm"))[:, :3, 3]
        away = np.linalg.norm(transferred.hand_targets[bone][far] - shoulder, axis=1)
        for row, k in enumerate(far):
            at_end = _at_limits(body, ranges, f"{side}UpperArm", bone, transferred.q[k], names)
            if away[row] > length:
                reason = f"the target is {away[row]:.3f} m from the shoulder, the arm is {length:.3f} m long"
            elif at_end:
                reason = f"joints at their limits: {', '.join(at_end)}"
            else:
                reason = "no posture near that of the source reaches it"
            out.append(Missed(int(k), bone, float(error[k]), reason))
    return tuple(out)


def displaced_feet(
    body: Anatomy, transferred: Transferred, tolerance: float, names: tuple[str, ...]
) -> tuple[Missed, ...]:
    """Return the stances in which a foot leaves its position by more than a tolerance [m], with reasons.

    names: of the joint values.
    """
    out: list[Missed] = []
    ranges = Ranges(body.compiled)
    for bone, stances in transferred.contacts.items():
        side = bone.removesuffix("Foot").removesuffix("Toes")
        foot = f"{side}Foot"
        for stance in stances:
            part = slice(stance.start, stance.end + 1)
            worst = stance.start + int(np.argmax(transferred.foot_error[foot][part]))
            error = transferred.foot_error[foot][worst]
            moved = max(stance.slide, error if bone == foot else 0.0)
            if moved <= tolerance:
                continue
            at_end = _at_limits(body, ranges, f"{side}UpperLeg", foot, transferred.q[worst], names)
            reason = f"the ankle is up to {error * 1e3:.1f} mm from its target position"
            if at_end:
                reason += f", with joints at their limits: {', '.join(at_end)}"
            out.append(Missed(stance.start, bone, float(moved), reason, slides=True))
    return tuple(out)


def _at_limits(body: Anatomy, ranges: Ranges, first: str, end: str, q: Array, names: tuple[str, ...]) -> list[str]:
    """Return the joints of a limb at a limit in a posture; for balls, whether swing or twist is at the limit."""
    out = []
    for v in (body.compiled.elements[k].variable for k in body.moving_elements(first, end)):
        if v.joint.kind.size == 1:
            if q[v.first] <= ranges.lower[v.first] or q[v.first] >= ranges.upper[v.first]:
                out.append(names[v.first])
        elif v in ranges.cones:
            after = v.first + v.joint.kind.size
            swing, twist = swing_twist(q[after - 3 : after], v.joint.axis)
            if swing >= v.joint.swing - NEAR_LIMIT:
                out.append(f"{v.joint.name} (swing)")
            if not v.joint.twist[0] + NEAR_LIMIT < twist < v.joint.twist[1] - NEAR_LIMIT:
                out.append(f"{v.joint.name} (twist)")
    return out
