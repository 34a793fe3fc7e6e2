"""Motion files: lossless, in agreement with other readers, valid for the Khronos validator, fast, and safe to open."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from cases import gltf_validator

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_most

HERE = Path(__file__).parents[1]
# The folder of recorded clips: $LIMBIK_MOCAP, or beside the repository.
MOCAP = Path(os.environ.get("LIMBIK_MOCAP", HERE.parents[1] / "shared" / "data" / "mocap"))
# The large file: frames and joints; how often it is read.
FRAMES, JOINTS, READS = 10_000, 60, 9
FUZZ_SECONDS = 60
# The error of joint positions that float32 causes, in which glTF stores translations and rotations [m].
SINGLE = 1e-5


def formats(_: Path) -> list[Measurement]:
    """Measure the motion formats, with recorded clips if there are any."""
    clips = sorted(MOCAP.glob("*.bvh")) if MOCAP.is_dir() else []
    measured = [] if clips else [Measurement("real clips", 0.0, 1.0, "", False, f"none in {MOCAP}: set LIMBIK_MOCAP")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in clips:
            measured += _lossless(path, folder) + _oracles(path) + _to_glb(path, folder)
        measured += _speed(folder)
    return measured + [_fuzzed("bvh"), _fuzzed("glb")]


def _lossless(path: Path, folder: Path) -> list[Measurement]:
    clip = lk.load_clip(path)
    clip.save(folder / path.name)
    again = lk.load_clip(folder / path.name)
    same = clip.recording.written == again.recording.written and clip == again
    other = sum(a != b for a, b in zip(_words(path), _words(folder / path.name), strict=True))
    note = f"{len(clip)} frames, {clip.robot.n} joint values"
    return [
        at_most(
            f"{path.name}: read, written, read again: postures, times or hierarchy that differ", not same, 0, "", note
        ),
        at_most(f"{path.name}: words of the text that differ, numbers as numbers", other, 0, ""),
    ]


def _words(path: Path) -> list[object]:
    def read(word: str) -> object:
        try:
            return float(word)
        except ValueError:
            return word

    return [read(word) for word in path.read_text().split()]


def _oracles(path: Path) -> list[Measurement]:
    clip = lk.load_clip(path, unit=1.0)
    measured = []
    for name, places in (("upc-pymotion", _by_pymotion), ("pybvh", _by_pybvh)):
        try:
            found = places(path)
        except ImportError as error:
            measured.append(Measurement(f"{path.name} against {name}", 0.0, 1e-6, "", False, f"not measured: {error}"))
            continue
        known = {joint: at for joint, at in found.items() if joint in clip.robot.frames}
        worst = max(float(np.abs(clip.forward(joint)[:, :3, 3] - at).max()) for joint, at in known.items())
        note = f"{len(known)} joints, {len(clip)} frames"
        measured.append(at_most(f"{path.name}: joint places against {name}", worst, 1e-6, "units of the file", note))
    return measured


def _by_pymotion(path: Path) -> dict[str, np.ndarray]:
    from pymotion.io.bvh import BVH
    from pymotion.ops.skeleton import fk

    bvh = BVH()
    bvh.load(str(path))
    rotations, places, parents, offsets, _, _ = bvh.get_data()
    found, _ = fk(rotations, places[:, 0, :], offsets, parents)
    return {name: found[:, k] for k, name in enumerate(bvh.data["names"])}


def _by_pybvh(path: Path) -> dict[str, np.ndarray]:
    import pybvh

    bvh = pybvh.read_bvh_file(str(path))
    found = np.asarray(bvh.node_positions())
    return {node.name: found[:, k] for k, node in enumerate(bvh.nodes)}


def _to_glb(path: Path, folder: Path) -> list[Measurement]:
    clip = lk.load_clip(path)
    files = [folder / "rigid.glb", folder / "skin.glb"]
    for file, skin in zip(files, (False, True), strict=True):
        clip.save(file, skin=skin)
    measured = []
    if gltf_validator.available():
        found = gltf_validator.issues(files)
        for what in ("numErrors", "numWarnings"):
            total = sum(one[what] for one in found)
            measured.append(
                at_most(f"{path.name} to GLB, rigid and skinned: {what}", total, 0, "", "Khronos validator")
            )
    else:
        measured.append(Measurement(f"{path.name} to GLB: validator", 1.0, 0.0, "", False, gltf_validator.MISSING))
    again = lk.load_clip(files[0])
    same = again.robot == clip.robot and np.array_equal(again.times, clip.times)
    measured.append(at_most(f"{path.name} to GLB and back: figure or times that differ", not same, 0, ""))
    apart = np.abs(clip.robot.model.forward_all(clip.q) - again.robot.model.forward_all(again.q))[..., :3, 3].max()
    measured.append(at_most(f"{path.name} to GLB and back: joint places", apart, SINGLE, "m", "float32"))
    return measured


def large_bvh(path: Path, frames: int = FRAMES, joints: int = JOINTS) -> None:
    """Write the BVH of a figure of branches with ten joints each, at random angles with six decimals."""
    rng = np.random.default_rng(SEED)
    out = [
        "HIERARCHY",
        "ROOT hip",
        "{",
        "OFFSET 0 0 0",
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation",
    ]
    depth = 0
    for k in range(1, joints):
        out += [f"JOINT joint{k}", "{", f"OFFSET {rng.normal():.5f} 2 1", "CHANNELS 3 Zrotation Xrotation Yrotation"]
        depth += 1
        if depth == 10 or k == joints - 1:
            out += ["End Site", "{", "OFFSET 0 1 0", "}"] + ["}"] * depth
            depth = 0
    out += ["}", "MOTION", f"Frames: {frames}", "Frame Time: .0083333"]
    values = rng.uniform(-180, 180, (frames, 3 * joints + 3))
    out += [" ".join(f"{x:.6f}" for x in row) for row in values]
    path.write_text("\n".join(out) + "\n")


def _speed(folder: Path) -> list[Measurement]:
    path = folder / "large.bvh"
    large_bvh(path)
    times, busy = [], []
    for _ in range(READS):
        start, used = perf_counter(), process_time()
        lk.load_clip(path)
        times.append(perf_counter() - start)
        busy.append(process_time() - used)
    size = path.stat().st_size / 2**20
    note = f"{size:.0f} MB, median of {READS}, worst {max(times):.2f} s; the processor was busy for {np.median(busy):.2f} s"
    what = f"reading {FRAMES:,} frames of {JOINTS} joints"
    return [at_most(what, float(np.median(times)), 0.5, "s", note)]


def _fuzzed(kind: str) -> Measurement:
    command = [
        sys.executable,
        str(HERE / "fuzz.py"),
        "--seconds",
        str(FUZZ_SECONDS),
        "--seed",
        str(SEED),
        "--kinds",
        kind,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-200:]
    return at_most(f"fuzzer of {kind} files, {FUZZ_SECONDS} s: findings", done.returncode, 0, "exit code", summary)
