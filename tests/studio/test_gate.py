"""Access to the studio: only its own page with the key. A desk is freed when its browser disconnects."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from studio_page import until

import limbik as lk

viser = pytest.importorskip("viser")


@pytest.fixture(scope="module")
def studio() -> Iterator[Any]:
    from limbik.studio.page.server import Studio

    with Studio(lk.load("planar3_chin"), port=0, tour=False) as running:
        yield running


def camera() -> bytes:
    """Return the first message of a browser, after which viser counts it as connected."""
    import msgspec
    from viser import _messages

    first = _messages.ViewerCameraMessage((1, 0, 0, 0), (1, 1, 1), 1.0, 0.01, 100.0, 480, 640, (0, 0, 0), (0, 0, 1))
    return bytes(msgspec.msgpack.encode(first.as_serializable_dict()))


async def visit(studio: Any, path: str, origin: str | None, stay: Any = None) -> int:
    """Connect, send the first message of a browser and disconnect; return the status of a refusal, 101 for none."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    url = studio.site.replace("http", "ws") + path
    named: Any = {"origin": origin, "subprotocols": [f"viser-v{viser.__version__}"]}
    try:
        async with connect(url, max_size=None, **named) as socket:
            await socket.send(camera())
            if stay is not None:
                await stay()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


def key_of(studio: Any) -> str:
    return str(studio.url.removeprefix(studio.site))


def living() -> int:
    """Return the number of desks in this process."""
    from limbik.studio.page.desk import Desk

    gc.collect()
    return sum(isinstance(thing, Desk) for thing in gc.get_objects())


@pytest.mark.parametrize(
    "origin,with_key", [("http://evil.example", True), ("http://evil.example", False), (None, False), ("own", False)]
)
def test_other_pages_are_refused_in_the_handshake(studio: Any, origin: str | None, with_key: bool) -> None:
    asked = studio.site if origin == "own" else origin
    before = living()
    codes = {asyncio.run(visit(studio, key_of(studio) if with_key else "/", asked)) for _ in range(5)}
    assert codes == {403}
    assert living() == before


def test_the_page_needs_the_key_and_gives_it_to_its_socket(studio: Any) -> None:
    with urlopen(studio.url) as page:
        cookie = page.headers["Set-Cookie"].split(";")
    assert {part.strip() for part in cookie[1:]} == {"Path=/", "HttpOnly", "SameSite=Strict"}
    with urlopen(Request(studio.site, headers={"Cookie": f"other=1; {cookie[0]}"})) as page:
        assert page.status == 200
    for wrong in ({}, {"Cookie": "limbik=1"}, {"Cookie": f"{cookie[0]}x"}, {"Cookie": "="}):
        with pytest.raises(HTTPError) as refused:
            urlopen(Request(studio.site, headers=wrong))
        assert refused.value.code == 403
    for wrong_key in ("/?key=", "/?key=%ff", "/?key=" + "a" * 32, key_of(studio) + "x"):
        assert asyncio.run(visit(studio, wrong_key, studio.site)) == 403


async def crowd(studio: Any, stay: Any) -> list[int]:
    return await asyncio.gather(*(visit(studio, key_of(studio), studio.site, stay) for _ in range(8)))


def test_desks_of_disconnected_browsers_are_freed(studio: Any) -> None:
    async def seen() -> None:
        while not studio.desks:
            await asyncio.sleep(0.01)

    assert asyncio.run(crowd(studio, seen)) == [101] * 8
    until(lambda: not studio.desks and living() == 0, "no desk is left")


# viser warns about messages to a disconnected client.
@pytest.mark.filterwarnings("ignore:Queued a:UserWarning")
def test_a_desk_is_freed_whose_client_left_while_it_was_built(studio: Any, monkeypatch: Any) -> None:
    from limbik.studio.page import server
    from limbik.studio.page.desk import Desk

    built = []

    def build_slowly(client: Any, *args: Any) -> Desk:
        desk = Desk(client, *args)
        until(lambda: client.client_id not in studio._server.get_clients(), "the client leaves")
        until(lambda: client.client_id in left, "the studio knows")
        built.append(client.client_id)
        return desk

    left: list[int] = []
    studio._server.on_client_disconnect(lambda client: left.append(client.client_id))
    monkeypatch.setattr(server, "Desk", build_slowly)
    assert asyncio.run(crowd(studio, None)) == [101] * 8
    until(lambda: len(built) == 8, "all desks are built")
    until(lambda: not studio.desks and living() == 0, "no desk is left")
