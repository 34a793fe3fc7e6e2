"""What the joints of the thesis are called in a drawing."""

JOINTS = ("1 shoulder Z", "2 shoulder X", "3 elbow X", "4 elbow Y", "5 wrist X", "6 wrist Z")


def joint_names(n: int) -> tuple[str, ...]:
    """Return what the joints of a chain are called in a legend."""
    return JOINTS if n == len(JOINTS) else tuple(f"joint {k + 1}" for k in range(n))
