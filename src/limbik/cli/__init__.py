"""The command-line interface: one file per command; `main` lists the commands."""

from limbik.cli.main import main

__all__ = ["main"]
