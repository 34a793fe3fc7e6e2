"""The console that commands print to: names and notes come out as they are, whatever brackets or colons they hold."""

from rich.console import Console


def plain_console() -> Console:
    """Return a console that reads no markup and no emoji codes; pass style= for bold."""
    return Console(highlight=False, markup=False, emoji=False)
