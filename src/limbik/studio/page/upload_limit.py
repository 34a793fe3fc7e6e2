"""The size limit of uploads: a transfer that is announced as too large, or becomes too large, is dropped at once.

viser collects an upload in memory before its callback runs. These handlers run after viser's own and drop oversized transfers.
"""

from typing import TYPE_CHECKING, Any

from limbik.studio.uploads import LARGEST

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The largest number of simultaneous transfers of one browser.
MOST_AT_ONCE = 2


def limit_uploads(desk: "Desk") -> None:
    """Drop the uploads of a browser that are too large or too many."""
    from viser import _messages

    gui = desk.client.gui
    under_way: dict[str, Any] = gui._current_file_upload_states

    def started(_: int, message: Any) -> None:
        if message.size_bytes > LARGEST or len(under_way) > MOST_AT_ONCE:
            under_way.pop(message.transfer_uuid, None)
            size = f"{message.size_bytes / 2**20:.0f} MB; the limit of uploads is {LARGEST // 2**20} MB"
            desk.files.say(f"the file was rejected: it has {size}", wrong=True)

    def went_on(_: int, message: Any) -> None:
        state = under_way.get(message.transfer_uuid)
        if state is not None and state["transferred_bytes"] > min(state["total_bytes"], LARGEST):
            under_way.pop(message.transfer_uuid, None)

    connection = desk.client._websock_connection
    connection.register_handler(_messages.FileTransferStartUpload, started)
    connection.register_handler(_messages.FileTransferPart, went_on)
