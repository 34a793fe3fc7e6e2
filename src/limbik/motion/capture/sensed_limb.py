"""A limb between two sensors: three joints at the shoulder or hip, one at the elbow or knee, three at the wrist or ankle.

If the poses of both ends are known, seven joints have one degree of freedom left: the swivel about the line from shoulder to
wrist. The closed form gives the joint values at a given swivel. (Kim and Tarokh use this limb for motion capture with a sensor at
either end.) In a limb with eight joints, the one with the smallest range that leaves a closed form is frozen at zero.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from limbik.errors import BadModel
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import Mask
from limbik.motion.capture.swivel_path import inside, swivel_path

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton

# Joints of a limb with a swivel.
JOINTS = 7
# An elbow closer to the line from shoulder to wrist than this fraction of its length has no direction.
STRAIGHT = 1e-9
# The limbs of a figure: root, middle and end, as VRM's bones.
LIMBS = tuple(
    (f"{side}{root}", f"{side}{middle}", f"{side}{end}")
    for side in ("left", "right")
    for root, middle, end in (("UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot"))
)


@dataclass(frozen=True, eq=False)
class SensedLimb:
    """One limb of a figure, from its parent link to the frame of its end."""

    figure: "Skeleton"
    root: str
    middle: str
    end: str

    @property
    def mechanism(self) -> Mechanism:
        """The joints of the figure."""
        return self.figure.model.mechanism

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The joints from the first of the limb to its end."""
        above = self.mechanism.ancestry(self.root)
        along = self.mechanism.ancestry(self.end)
        # The root's frame comes after all joints of the shoulder, so the limb starts with the last joint on the way to it that
        # has a translation from its parent.
        first = max(
            (k for k, joint in enumerate(above) if np.linalg.norm(joint.origin[:3, 3]) > 0), default=len(above) - 1
        )
        return along[first:]

    @property
    def first(self) -> Joint:
        """The joint whose origin is the limb's root."""
        return self.joints[0]

    @property
    def parent_link(self) -> str:
        """The link of the trunk to which the limb is attached."""
        return self.first.parent

    @cached_property
    def bones(self) -> tuple[Joint, Joint]:
        """The joints at the middle and the end, whose origins are the limb's two bones. Raises BadModel."""
        away = [joint for joint in self.joints[1:] if np.linalg.norm(joint.origin[:3, 3]) > 0]
        if len(away) != 2:
            raise BadModel(f"the limb to '{self.end}' has {len(away)} bones; two are needed: upper and lower")
        return away[0], away[1]

    @cached_property
    def lengths(self) -> tuple[float, float]:
        """The lengths of both bones [m]."""
        upper, lower = (float(np.linalg.norm(joint.origin[:3, 3])) for joint in self.bones)
        return upper, lower

    @cached_property
    def chain(self) -> "Chain":
        """The chain of seven joints with a closed form. Raises BadModel if there is none."""
        whole = self.figure.chain(self.end, self.parent_link)
        moving = [joint for joint in self.joints if joint.kind is not Kind.FIXED]
        if any(joint.kind.size != 1 for joint in moving) or len(moving) < JOINTS:
            raise BadModel(
                f"the limb to '{self.end}' of '{self.mechanism.name}' does not consist of seven hinges; "
                "use markers and capture for it"
            )
        if len(moving) == JOINTS:
            options = [whole]
        else:
            spare = sorted((j for j in moving if j.lower <= 0 <= j.upper), key=lambda j: j.upper - j.lower)
            options = [whole.with_frozen({joint.name: 0.0}) for joint in spare]
        for option in options:
            if option.n == JOINTS and option.redundancy is not None and option.redundancy.kind == "swivel":
                return option
        raise BadModel(f"the limb to '{self.end}' of '{self.mechanism.name}' has no closed form with a swivel")

    def follow(self, targets: Array, middles: Array | None) -> tuple[Array, Mask]:
        """Return the limb's joint values (frames, 7) and whether each frame was reached, (frames,), by forward kinematics.

        targets: (frames, 4, 4) of the end, in the frame of the carrier. middles: (frames, 3) measured positions of the elbow or
        knee, NaN if missing, which is interpolated; None: the swivel is chosen for a smooth motion.
        """
        chain = self.chain
        ranges = [chain.swivel_ranges(T) for T in targets]
        shift = self._shifts(targets)
        shifted = [
            {branch: [(low + by, high + by) for low, high in some] for branch, some in of.items()}
            for of, by in zip(ranges, shift, strict=True)
        ]
        path, branches = swivel_path(shifted)
        path = path - shift
        q, ok = np.empty((len(targets), JOINTS)), np.zeros(len(targets), dtype=np.bool_)
        seen: Mask = np.zeros(len(targets), dtype=np.bool_)
        if middles is not None:
            seen = np.asarray(np.isfinite(middles).all(axis=1))
        if middles is not None and seen.any() and not seen.all():
            path, branches = self._bridged(targets, middles, seen, ranges, shift), np.full(len(targets), -1)
        last = np.array(chain.home)
        for t, T in enumerate(targets):
            found = None
            if middles is not None and seen[t]:
                found = chain.solve_all(T, last, swivel=middles[t])
                if not len(found) and _all_ranges(ranges[t]):
                    found = chain.solve_all(T, last, swivel=self._towards(T, middles[t], ranges[t], float(path[t])))
            elif _all_ranges(ranges[t]):
                found = chain.solve_all(T, last, swivel=float(path[t]))
                same = np.flatnonzero(np.asarray(found.branches) == branches[t])
                if len(same):
                    q[t], ok[t] = found.q[same[0]], True
                    last = q[t]
                    continue
            if found is not None and len(found):
                q[t], ok[t] = found.q[np.abs(found.q - last).max(axis=1).argmin()], True
            else:
                answer = chain.solve(T, last)
                q[t], ok[t] = answer.q, answer.ok
            last = q[t]
        return q, ok

    def _bridged(
        self,
        targets: Array,
        middles: Array,
        seen: Mask,
        ranges: list[dict[int, list[tuple[float, float]]]],
        shift: Array,
    ) -> Array:
        """Return the swivel of every frame, (frames,): measured, or interpolated in time if the elbow was not measured, inside
        the ranges.
        """
        at = np.flatnonzero(seen)
        measured = []
        for t in at:
            found = self._unlimited.solve_all(targets[t], swivel=middles[t])
            measured.append(float(self._unlimited.swivel(found.q[0])) if len(found) else np.nan)
        known = np.isfinite(measured)
        if not known.any():
            return np.zeros(len(targets))
        unwrapped = np.unwrap(np.array(measured)[known] + shift[at[known]])
        path = np.interp(np.arange(len(targets)), at[known], unwrapped) - shift
        for t in np.flatnonzero(~seen):
            if some := _all_ranges(ranges[t]):
                path[t] = inside(float(path[t]), some)
        return np.asarray(path)

    def _shifts(self, targets: Array) -> Array:
        """Return the angles from a parallel-transported zero direction to the swivel's own zero direction, (frames,) [rad].

        The swivel's own zero direction rotates abruptly where the line to the wrist passes close to its reference direction.
        """
        start = self.first.origin[:3, 3]
        out = np.zeros(len(targets))
        kept, last = np.zeros(3), np.zeros(3)
        for t, T in enumerate(targets):
            line = T[:3, 3] - start
            length = float(np.linalg.norm(line))
            found = self._unlimited.solve_all(T, swivel=0.0)
            if not len(found) or length == 0:
                out[t] = out[t - 1]
                continue
            line = line / length
            zero = self._unlimited.forward(found.q[0], self.bones[0].child)[:3, 3] - start
            zero = zero - (zero @ line) * line
            if float(np.linalg.norm(zero)) < STRAIGHT * length:
                out[t] = out[t - 1]
                continue
            if not kept.any():
                kept = zero
            else:
                # The shortest rotation from the last line to this one takes v, normal to the last, to v - 2 (v.line)/|m|^2 m,
                # m the sum.
                middle = last + line
                if float(middle @ middle) > STRAIGHT:
                    kept = kept - 2 * (kept @ line) / float(middle @ middle) * middle
                kept = kept - (kept @ line) * line
            last = line
            out[t] = np.arctan2(float(np.cross(kept, zero) @ line), float(kept @ zero))
        return np.unwrap(out)

    @cached_property
    def _unlimited(self) -> "Chain":
        return self.chain.with_limits(-np.pi, np.pi)

    def _towards(self, T: Array, point: Array, ranges: dict[int, list[tuple[float, float]]], other: float) -> float:
        """Return the swivel inside the ranges closest to the one with the elbow towards `point`; `other` if there is none."""
        found = self._unlimited.solve_all(T, swivel=point)
        return inside(self._unlimited.swivel(found.q[0]), _all_ranges(ranges)) if len(found) else other


def _all_ranges(ranges: dict[int, list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return the swivel ranges of all branches in one list."""
    return [one for several in ranges.values() for one in several]
