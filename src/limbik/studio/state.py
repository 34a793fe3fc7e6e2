"""The state of a session as one immutable value, for undo and project files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from limbik.studio.timeline import Timeline

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class State:
    """The state that undo restores.

    q: the posture. targets: the pose of each dragged or pinned frame's gizmo, (4, 4) by rows; the gizmos of other frames follow
    the posture. pins: frames that stay at their target while others are dragged, with the weights of position and rotation.
    look_at: the point that each frame aims at [m]. method: the solver; None is the default. time: of the playhead [s].
    """

    q: tuple[float, ...]
    targets: Mapping[str, Matrix] = field(default_factory=dict)
    pins: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    look_at: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    method: str | None = None
    limits: bool = True
    time: float = 0.0
    timeline: Timeline = field(default_factory=Timeline)

    def __post_init__(self) -> None:
        for name in ("targets", "pins", "look_at"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
