"""The names of the thesis' joints in pictures."""

JOINTS = ("1 shoulder Z", "2 shoulder X", "3 elbow X", "4 elbow Y", "5 wrist X", "6 wrist Z")


def joint_names(n: int) -> tuple[str, ...]:
    """Return the names of the n joints of a chain for a legend."""
    return JOINTS if n == len(JOINTS) else tuple(f"joint {k + 1}" for k in range(n))
