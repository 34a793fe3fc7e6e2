"""The shell: `limbik show`, `limbik bench`."""

from limbik.cli.main import main

__all__ = ["main"]
