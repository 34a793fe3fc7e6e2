"""The mechanisms that come with limbik: one TOML file each, with its source, licence and limits."""

from pathlib import Path

FOLDER = Path(__file__).parent

# The names that `limbik.load` knows.
CATALOGUE: tuple[str, ...] = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
