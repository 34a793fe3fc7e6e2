"""Access control: only the studio's own page, opened with the printed address, is accepted.

The address ends with a key. A browser that opens it gets the page and a cookie with the key, which the page's socket
then sends. Pages of other sites and other users of this computer have neither. They are refused in the handshake,
before any of their messages is read.
"""

import contextlib
import hmac
import secrets
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from limbik.studio.page.sites import own_site

REFUSED = "Open the address that limbik printed: it ends with a key.\n"

# viser has no hook for access control, so its serve function is replaced while a server starts, one server at a time.
_STARTING = threading.Lock()


class Gate:
    """The key, and the decision on each request."""

    def __init__(self, *, only_loopback: bool) -> None:
        self.key = secrets.token_urlsafe(24)
        self._cookie = f"limbik_{secrets.token_hex(4)}"  # cookies are shared by all ports of a host
        self._only_loopback = only_loopback

    def lets_in(self, request: Any) -> bool:
        """Return whether a request for a page or a socket comes from the studio's own page and has the key."""
        headers = request.headers
        if not own_site(headers.get_all("Host"), headers.get_all("Origin"), only_loopback=self._only_loopback):
            return False
        shown = parse_qs(urlsplit(request.path).query).get("key", [])
        for text in headers.get_all("Cookie"):
            with contextlib.suppress(CookieError):
                cookies = SimpleCookie(text)
                shown += [cookies[self._cookie].value] if self._cookie in cookies else []
        return any(hmac.compare_digest(key.encode(), self.key.encode()) for key in shown)

    def answer(self, connection: Any, request: Any, page: Any) -> Any:
        """Return the response to a request, None for an accepted socket. page: the function that serves the page's files."""
        if not self.lets_in(request):
            return connection.respond(HTTPStatus.FORBIDDEN, REFUSED)
        response = page(connection, request)
        if response is not None:
            response.headers["Set-Cookie"] = f"{self._cookie}={self.key}; Path=/; HttpOnly; SameSite=Strict"
        return response

    @contextlib.contextmanager
    def guarding(self) -> Iterator[None]:
        """Return a context in which a server that viser starts checks every request with this gate."""
        from websockets.asyncio import server

        serve = server.serve

        def guarded(*args: Any, process_request: Any, **options: Any) -> Any:
            def ask(connection: Any, request: Any) -> Any:
                return self.answer(connection, request, process_request)

            return serve(*args, process_request=ask, **options)

        with _STARTING:
            server.serve = guarded
            try:
                yield
            finally:
                server.serve = serve
