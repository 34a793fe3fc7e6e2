"""Files: open a robot or an uploaded file; export motion, project and pictures."""

import contextlib
import io
import zipfile
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, LimbikError
from limbik.model.catalog import CATALOGUE
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.skeleton import Skeleton
from limbik.studio.exporting import FORMATS, export, file_stem
from limbik.studio.project import from_project, to_project
from limbik.studio.uploads import CLIPS, PROJECTS, ROBOTS, receive

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The largest number of pictures of a sequence, and their size [px].
MOST_PICTURES, PICTURE = 600, (540, 720)


class FilesPanel:
    """The upload and export of files."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        name = desk.session.robot.name
        names = CATALOGUE if name in CATALOGUE else (name, *CATALOGUE)
        self._robot = gui.add_dropdown(
            "Robot", tuple(names), initial_value=name, hint="Open another; unsaved work is lost"
        )
        self._robot.on_update(self._open)
        upload = gui.add_upload_button("Open a file ...", hint=f"{', '.join(ROBOTS + CLIPS + PROJECTS)}, up to 64 MB")
        upload.on_upload(self._uploaded)
        self._format = gui.add_dropdown(
            "Format", FORMATS, hint="bvh and glb for animation programs, csv and npz for numbers"
        )
        self._rate = gui.add_number("Frames/s", 30.0, min=1.0, max=240.0, step=1.0)
        gui.add_button("Export motion", hint="Frames sampled from the keys; without keys the present posture").on_click(
            self._export
        )
        gui.add_button("Export pictures", hint="A .zip with a PNG per frame").on_click(self._pictures)
        gui.add_button("Save project", hint="Ctrl S: save the whole session, to open it later").on_click(self._save)
        self._about = gui.add_html("")
        self.say("Exported files go to your browser's downloads; the studio sends nothing elsewhere.")

    def refresh(self, live: bool) -> None:
        """Do nothing: the panel does not depend on the session."""

    def say(self, text: str, wrong: bool = False) -> None:
        """Show an outcome. wrong: mark it as an error."""
        sign = "▲ " if wrong else ""
        with contextlib.suppress(RuntimeError):  # another robot was opened meanwhile, and this panel is gone
            self._about.content = (
                f'<div data-limbik="files" style="font-size:.78rem;padding:.3rem .6rem">{sign}{escape(text)}</div>'
            )

    def _send(self, name: str, content: bytes) -> None:
        self._desk.client.send_file_download(name, content, save_immediately=True)
        self.say(f"{name}: {len(content) / 1000:.1f} kB")

    # Files are read and written in their own threads, so that other browsers do not wait.

    def _open(self, event: Any) -> None:
        if event.client is not None and event.target.value in CATALOGUE:
            self._desk.open(load(event.target.value))

    def _uploaded(self, event: Any) -> None:
        file = event.target.value
        try:
            self.take(file.name, file.content)
        except LimbikError as error:
            self.say(str(error), wrong=True)
            self._desk.notify("The file was not opened", str(error), 12)
        finally:
            event.target._impl.value = type(file)("", b"")  # the bytes are not kept

    def take(self, name: str, content: bytes) -> None:
        """Open the content of a file. Raises LimbikError."""
        desk = self._desk
        found = receive(name, content)
        if isinstance(found, bytes):
            state = from_project(found, desk.session.robot)
            desk.act(lambda: desk.session.take_state(state))
            self.say(f"{name}: the project is open")
        elif isinstance(found, Clip):
            if found.robot == desk.session.robot:
                desk.act(lambda: desk.session.take_clip(found))
                self.say(f"{name}: {len(found)} frames")
            else:
                desk.open(found.robot, found)
        elif isinstance(found, Chain | Skeleton):
            desk.open(found)

    def _export(self, _: Any) -> None:
        self._try(lambda: export(self._desk.session, self._format.value, self._rate.value))

    def _save(self, _: Any = None) -> None:
        self.save()

    def save(self) -> None:
        """Send the project to the browser."""
        self._try(lambda: (f"{file_stem(self._desk.session)}.limbik.json", to_project(self._desk.session)))

    def _pictures(self, _: Any) -> None:
        self._try(self._filmed)

    def _try(self, make: Any) -> None:
        try:
            self._send(*make())
        except LimbikError as error:
            self.say(str(error), wrong=True)
            self._desk.notify("The file was not written", str(error), 12)

    def _filmed(self) -> tuple[str, bytes]:
        """Return a .zip of pictures of the robot alone, one per frame."""
        from PIL import Image

        desk = self._desk
        clip = desk.session.clip()
        count = int(clip.duration * self._rate.value) + 1
        if count > MOST_PICTURES:
            raise BadOption(f"{count} pictures exceed the limit of {MOST_PICTURES}: lower the frame rate")
        times = np.arange(count) / self._rate.value
        made = io.BytesIO()
        desk.bare(True)
        try:
            with zipfile.ZipFile(made, "w") as archive:
                for k, q in enumerate(clip.at(times)):
                    with desk.lock, desk.client.atomic():
                        desk.body.move(q)
                    seen = desk.client.get_render(*PICTURE, transport_format="png", timeout=30)
                    file = io.BytesIO()
                    Image.fromarray(_on_white(seen)).save(file, "PNG")
                    archive.writestr(f"{file_stem(desk.session)}_{k:04d}.png", file.getvalue())
                    self.say(f"picture {k + 1} of {count}")
        except (RuntimeError, TimeoutError) as error:
            raise BadOption(f"the browser returned no picture: {error}") from None
        finally:
            desk.bare(False)
        return f"{file_stem(desk.session)}_pictures.zip", made.getvalue()


def _on_white(seen: Any) -> Any:
    """Return a picture on a white background."""
    rgb = seen[..., :3].astype(float)
    alpha = seen[..., 3:].astype(float) / 255 if seen.shape[-1] == 4 else 1.0
    return (rgb * alpha + 255 * (1 - alpha)).astype(np.uint8)
