"""The arm of a command: a name or a file, with base and tip."""

from pathlib import Path

from limbik.errors import BadOption
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The most tips named in a message.
MOST_TIPS = 8


def one_arm(
    robot: str,
    base: str | None,
    tip: str | None,
    unit: str | None,
    table: Path | None = None,
    network: Path | None = None,
    *,
    snap: bool = False,
    zero_limits: str | None = None,
) -> Chain:
    """Return the chain, with a table or network from files. Raises BadOption if there are several tips and none is given."""
    arm = load(robot, base, tip, unit, snap=snap, zero_limits=zero_limits)
    if isinstance(arm, Chain):
        arm = arm if table is None else arm.with_table(table)
        return arm if network is None else arm.with_network(network)
    more = f" and {len(arm.tips) - MOST_TIPS} more" if len(arm.tips) > MOST_TIPS else ""
    listed = ", ".join(arm.tips[:MOST_TIPS])
    raise BadOption(f"'{arm.name}' has several tips: {listed}{more}; name one, as in --tip {arm.tips[0]}")
