"""The shell: `limbik show`, `solve`, `table`, `train`, `muscles`, `reproduce`, `compare`, `studio`, `bench`."""

from limbik.cli.main import main

__all__ = ["main"]
