"""A frame at a pose: position and rotation."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from limbik._core import rigid_pose
from limbik.geometry.se3 import as_pose
from limbik.goals.goal import Goal, Spec
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Pose(Goal):
    """The frame has the pose T, (4, 4). weight, tolerance and range: one number, or one for metres and one for radians."""

    frame: str | None
    T: Any

    units: ClassVar[tuple[str, ...]] = ("m", "rad")

    def __post_init__(self) -> None:
        usual = rigid_pose(self.T)
        object.__setattr__(self, "T", as_pose(self.T, "Pose: T") if usual is None else usual)
        super().__post_init__()

    @classmethod
    def at(cls, frame: str | None, T: Any) -> "Pose":
        """Return the goal of a frame and a target with default options; faster than the constructor."""
        usual = rigid_pose(T)
        if usual is None:
            return cls(frame, T)
        usual.setflags(write=False)
        goal = object.__new__(cls)
        vars(goal).update(_PLAIN, frame=frame, T=usual)
        return goal

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "pose", tuple(self.T.ravel().tolist()[:12]), (3, 3), observer=self.relative_to)


# The default options of a pose goal.
_PLAIN = {f.name: f.default for f in fields(Pose) if f.name not in ("frame", "T")}
