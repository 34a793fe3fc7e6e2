"""The shell: errors are one line and exit code 2; names are printed literally."""

import subprocess
import sys

from hostile import joint, urdf


def shell(*words):
    code = "import sys; from limbik.cli import main; sys.argv[0] = 'limbik'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=300, check=False
    )


def test_the_shell_prints_one_line_and_exits_with_2(tmp_path):
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot><link")
    for word, expected in (("nonsense", "nonsense"), (str(broken), "well-formed"), (str(tmp_path), "directory")):
        done = shell("show", word)
        assert done.returncode == 2
        assert done.stderr.startswith("limbik: ") and expected in done.stderr
        assert done.stderr.count("\n") == 1 and done.stdout == ""


def test_the_shell_prints_names_literally(tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text(
        urdf(joint(name="[/bold]"), joint("[red]k", parent="b", child="c"), links="abc").replace('"r"', '"[/x]"')
    )
    done = shell("show", str(path))
    assert done.returncode == 0, done.stderr[-300:]
    for name in ("[/x]", "[/bold]", "[red]k"):
        assert name in done.stdout


def test_a_picture_is_not_written_over_a_folder(tmp_path):
    done = shell("show", "planar2_guez", "--picture", str(tmp_path))
    assert done.returncode == 2 and "directory" in done.stderr
