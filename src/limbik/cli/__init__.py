"""The shell: `limbik show`, `limbik solve`, `limbik reproduce`, `limbik bench`."""

from limbik.cli.main import main

__all__ = ["main"]
