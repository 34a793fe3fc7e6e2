"""The oldest supported releases of limbik's dependencies as pins for pip: the `>=` versions in pyproject.toml.

python tools/floors.py [extra ...]
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def pins(*extras: str) -> list[str]:
    """Return name==version of every dependency, including those of some extras."""
    wanted = [*PROJECT["dependencies"], *(need for extra in extras for need in PROJECT["optional-dependencies"][extra])]
    found = []
    for need in wanted:
        match = re.fullmatch(r"([\w.-]+(?:\[\w+\])?)>=([\w.]+)", need)
        if match is None:
            raise SystemExit(f"{need!r} has no floor: write name>=version")
        found.append(f"{match[1]}=={match[2]}")
    return sorted(set(found))


if __name__ == "__main__":
    print("\n".join(pins(*sys.argv[1:])))
