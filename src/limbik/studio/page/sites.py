"""Which pages may talk to the studio: its own. Another site's page runs in the same browser, and could ask as well.

A browser says where a page comes from (Origin) and whom it asks (Host). They agree on the studio's own page. They also agree when
another site lets its own name point to this computer, so a studio that listens on loopback answers to loopback's names alone.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from limbik.errors import BadOption, shown


def is_loopback(host: str) -> bool:
    """Tell whether a name or address stands for this computer alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def own_site(hosts: list[str], origins: list[str], *, only_loopback: bool) -> bool:
    """Tell whether headers are those of the studio's own page. Programs that are no browsers have no Origin."""
    if len(hosts) != 1 or len(origins) > 1:
        return False
    if only_loopback and not is_loopback(urlsplit(f"//{hosts[0]}").hostname or ""):
        return False
    return not origins or urlsplit(origins[0]).netloc == hosts[0]


def check_host(host: str) -> None:
    """Raise BadOption for a name or address that nobody knows."""
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        raise BadOption(f"host={shown(host)} is not a name or address of this computer") from None
