"""Check the core's headers: each compiles alone, all compile together, layers are kept, none is long.

    python tools/core_headers.py [--compiler g++]

Alone: a header includes all it needs. Together: no name is defined twice. Layers: a folder includes only folders that
core/layers.hpp makes visible to it. Length: 350 lines, of 120 columns.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

CORE = Path(__file__).parent.parent / "core"
FLAGS = ["-std=gnu++20", "-fsyntax-only", "-ffp-contract=off", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-x", "c++"]
LONGEST, WIDEST = 350, 120
# Folders whose headers need those of Python, or of a test framework.
EXCLUDED = ("bindings", "tests")


def layers() -> dict[str, set[str]]:
    """Return the folders that each folder sees, its own among them."""
    text = (CORE / "layers.hpp").read_text().partition("namespace limbik {")[2]
    direct = {
        name: set(re.findall(r"using namespace (\w+);", body))
        for name, body in re.findall(r"^namespace (\w+) \{(.*?)\}", text, re.M | re.S)
    }
    seen: dict[str, set[str]] = {}
    for name, below in direct.items():  # from the bottom up
        seen[name] = {name}.union(*(seen[one] for one in below))
    return seen


def broken_layers(headers: list[Path]) -> list[str]:
    """Return a sentence for each include from a folder that is not visible."""
    seen, out = layers(), []
    for header in headers:
        folder = header.parent.name
        if folder not in seen:
            if header.parent != CORE:
                out.append(f"{header}: folder '{folder}' is not in core/layers.hpp")
            continue
        for path in re.findall(r'#include "([^"]+)"', header.read_text()):
            other = (header.parent / path).resolve()
            if not other.is_file():
                out.append(f"{header}: no file {path}")
            elif other.parent != CORE and other.parent.name not in seen[folder]:
                out.append(f"{header}: {folder} is not built on {other.parent.name} (core/layers.hpp)")
    return out


def too_long(files: list[Path]) -> list[str]:
    """Return a sentence for each file or line that is too long."""
    out = []
    for file in files:
        lines = file.read_text().splitlines()
        if len(lines) > LONGEST:
            out.append(f"{file}: {len(lines)} lines; at most {LONGEST}: is there a second idea in it?")
        out += [f"{file}:{k}: {len(line)} columns" for k, line in enumerate(lines, 1) if len(line) > WIDEST]
    return out


def compiled(compiler: str, path: Path) -> str:
    """Return the compiler's errors and warnings about a file, or ""."""
    done = subprocess.run([compiler, *FLAGS, str(path)], capture_output=True, text=True, check=False)
    messages = "\n".join(line for line in done.stderr.splitlines() if "pragma once in main file" not in line)
    return "" if done.returncode == 0 else f"{path}:\n{messages[:2000]}"


def main() -> None:
    """Run all checks and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    files = sorted(path for kind in ("hpp", "cpp") for path in CORE.rglob(f"*.{kind}"))
    headers = [path for path in files if path.suffix == ".hpp" and path.relative_to(CORE).parts[0] not in EXCLUDED]
    wrong = broken_layers([path for path in files if "tests" not in path.parts]) + too_long(files)
    with tempfile.TemporaryDirectory() as folder:
        # a header compiled as the main file warns about its `#pragma once`: a file of one line includes it
        units = []
        for k, header in enumerate([*headers, None]):
            unit = Path(folder) / f"{k}.cpp"
            unit.write_text("".join(f'#include "{path}"\n' for path in ([header] if header else headers)))
            units.append(unit)
        with ThreadPoolExecutor(cpu_count() or 1) as pool:
            wrong += [messages for messages in pool.map(lambda unit: compiled(compiler, unit), units) if messages]
    for sentence in wrong:
        print(sentence)
    print(f"{len(headers)} headers, {len(wrong)} findings")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
