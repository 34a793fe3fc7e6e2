"""The chain that a command works on, from what was typed."""

from limbik.errors import BadOption
from limbik.robot.chain import Chain
from limbik.robot.load import load


def load_chain(robot: str, base: str | None = None, tip: str | None = None, unit: str = "m") -> Chain:
    """Return the chain of a robot. Raises BadOption, naming a tip, where there are several."""
    arm = load(robot, base, tip, unit)
    if not isinstance(arm, Chain):
        raise BadOption(f"'{arm.name}' has several tips; name one: --tip {arm.tips[0]}")
    return arm
