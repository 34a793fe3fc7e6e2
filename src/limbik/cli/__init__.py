"""The shell: `limbik show`, `solve`, `table`, `train`, `muscles`, `reproduce`, `compare`, `bench`."""

from limbik.cli.main import main

__all__ = ["main"]
