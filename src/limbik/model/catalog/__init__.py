"""The mechanisms that come with limbik: one TOML file for each, with its source, licence and limits."""

from pathlib import Path

FOLDER = Path(__file__).parent

# The names of the catalogue for `limbik.load`.
CATALOGUE: tuple[str, ...] = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
