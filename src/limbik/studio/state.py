"""The state of a session as one immutable value, for undo and project files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from limbik.studio.timeline import Timeline

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class State:
    """The visible state, for undo.

    q: the posture. targets: the pose of the gizmo of each frame, (4, 4) by rows; a frame that is not dragged has none and
    its gizmo follows the posture. pins: frames that stay where their target is while others are dragged, with the weights of
    position and rotation. pole, look_at: {frame: point}. method: the solver; None is the default. time: of the
    playhead [s].
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
