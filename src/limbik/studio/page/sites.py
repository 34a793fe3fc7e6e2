"""The check that a request comes from the studio's own page, and not from the page of another site in the same browser.

A browser sends the origin of the page (Origin) and the host that it addresses (Host). They are equal for the studio's
own page. They are also equal if another site's name resolves to this computer, so a studio on loopback accepts only the
names of loopback.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from limbik.errors import BadOption, shown


def is_loopback(host: str) -> bool:
    """Return whether a name or address is that of the loopback interface."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def own_site(hosts: list[str], origins: list[str], *, only_loopback: bool) -> bool:
    """Return whether headers are those of the studio's own page. Programs other than browsers send no Origin."""
    if len(hosts) != 1 or len(origins) > 1:
        return False
    if only_loopback and not is_loopback(urlsplit(f"//{hosts[0]}").hostname or ""):
        return False
    return not origins or urlsplit(origins[0]).netloc == hosts[0]


def check_host(host: str) -> None:
    """Raise BadOption for a name or address that does not resolve."""
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        raise BadOption(f"host={shown(host)} is not a name or address of this computer") from None
