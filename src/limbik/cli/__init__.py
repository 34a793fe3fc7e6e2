"""The shell: `limbik show`, `limbik solve`, `limbik table`, `limbik reproduce`, `limbik bench`."""

from limbik.cli.main import main

__all__ = ["main"]
