"""Forward kinematics: a slider per joint value in degrees or millimetres, reset, random, and the values as text."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.model.joint import Kind
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.limbs import limb_of

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The half range of a slider for a joint without limits [degrees, reaches].
NO_LIMIT_DEG, NO_LIMIT_REACH = 180.0, 1.0
# The step of a slider [degrees or mm].
STEP = 0.1


class Sliders:
    """The panel of joint values."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        robot = desk.session.robot
        self._scale = display_scales(robot)
        buttons = gui.add_button_group(
            "Posture", ("Reset", "Random"), hint="The rest posture, or a random one inside the limits"
        )
        buttons.on_click(self._pressed)
        self._limits = gui.add_checkbox(
            "Keep limits", desk.session.state.limits, hint="Joints stay inside their ranges"
        )
        self._limits.on_update(self._limited)
        self._handles: dict[int, Any] = {}
        groups = grouped(robot)
        for k, (title, columns) in enumerate(groups):
            with nullcontext() if len(groups) == 1 else gui.add_folder(title, expand_by_default=k == 0):
                for column in columns:
                    self._handles[column] = self._slider(column, title if len(groups) > 1 else "")
        self._text = gui.add_text("Values", "", hint="All joint values [deg, mm], to copy or paste")
        self._text.on_update(self._typed)

    def refresh(self, live: bool) -> None:
        """Set every slider to its joint value."""
        session = self._desk.session
        values = session.q * self._scale
        for column, handle in self._handles.items():
            value = float(np.clip(round(values[column], 2), handle.min, handle.max))
            if abs(handle.value - value) > 0.5 * STEP:
                handle.value = value
        if not live:
            self._limits.value = session.state.limits
            self._text.value = ", ".join(f"{round(v, 4):g}" for v in values)

    def _slider(self, column: int, group: str) -> Any:
        robot, gui = self._desk.session.robot, self._desk.client.gui
        name, scale = robot.joint_names[column], self._scale[column]
        rotational = scale != 1000.0
        span = NO_LIMIT_DEG if rotational else NO_LIMIT_REACH * 1000.0 * robot.reach
        low, high = robot.lower[column] * scale, robot.upper[column] * scale
        low = round(float(low if np.isfinite(low) else -span), 2)
        high = round(float(high if np.isfinite(high) else span), 2)
        value = float(np.clip(self._desk.session.q[column] * scale, low, high))
        unit = "°" if rotational else " mm"
        hint = f"{name}: {low:g}{unit} to {high:g}{unit}" + ("" if np.isfinite(robot.upper[column]) else ", no limit")
        handle = gui.add_slider(short_name(name, group), low, max(high, low), STEP, value, hint=hint)
        handle.on_update(self._mover(name, scale))
        return handle

    def _mover(self, name: str, scale: float) -> Any:
        async def move(event: Any) -> None:
            if event.client is not None:
                value = event.target.value / scale
                self._desk.act(lambda: self._desk.session.set_joint(name, value), f"slider {name}", live=True)

        return move

    async def _pressed(self, event: Any) -> None:
        session = self._desk.session
        self._desk.act(session.reset if event.target.value == "Reset" else session.random)

    async def _limited(self, event: Any) -> None:
        if event.client is not None:
            self._desk.act(lambda: self._desk.session.set_limits(event.target.value))

    async def _typed(self, event: Any) -> None:
        if event.client is not None:
            text = event.target.value
            self._desk.act(lambda: self._desk.session.set_q(parsed(text, len(self._scale)) / self._scale))


def display_scales(robot: Chain | Skeleton) -> Any:
    """Return the factors from q to displayed values: from radians to degrees, from metres to millimetres."""
    scales = []
    for v in robot.model.compiled.variables:
        kind = v.joint.kind
        scales += {Kind.PRISMATIC: [1000.0], Kind.FLOATING: [1000.0] * 3 + [180 / np.pi] * 3}.get(
            kind, [180 / np.pi] * kind.size
        )
    return np.array(scales)


def parsed(text: str, count: int) -> Any:
    """Return the numbers in a text, separated by commas, semicolons or blanks. Raises BadOption."""
    words = re.split(r"[\s,;]+", text.strip("[]() \t\n"))
    try:
        values = np.array([float(word) for word in words if word])
    except ValueError:
        raise BadOption(f"{shown(text)} contains text that is not a number; give {count} numbers") from None
    if len(values) != count or not np.isfinite(values).all():
        raise BadOption(f"give {count} finite numbers, one per slider; got {len(values)}")
    return values


def grouped(robot: Chain | Skeleton) -> list[tuple[str, list[int]]]:
    """Return the columns of q by limb; the others come last."""
    if isinstance(robot, Chain):
        return [("", list(range(robot.n)))]
    remaining = list(range(robot.n))
    groups = []
    for tip in robot.tips:
        limb = limb_of(robot, tip)
        own = [k for k in remaining if limb is not None and k in limb.columns]
        if own:
            groups.append((words(tip), own))
            remaining = [k for k in remaining if k not in own]
    rigid = [k for k in remaining if robot.joint_names[k].rpartition(".")[2] in ("px", "py", "pz", "rx", "ry", "rz")]
    rest = [k for k in remaining if k not in rigid]
    return groups + [(title, own) for title, own in (("body", rest), ("position in the world", rigid)) if own]


def words(name: str) -> str:
    """Return the words of a name: leftUpperArm -> left upper arm."""
    return " ".join(part.lower() for part in _pieces(name))


def short_name(name: str, group: str) -> str:
    """Return the words of a joint's name without the side that its group has; without a group, the name itself."""
    drop = set(group.split()) & {"left", "right"}
    return " ".join(part for part in words(name).split() if part not in drop) if group else name


def _pieces(name: str) -> Iterator[str]:
    yield from (part for part in re.split(r"[_\s.]+|(?<=[a-z0-9])(?=[A-Z])", name) if part)
