"""The Khronos glTF validator (npm package gltf-validator), if it and Node.js are installed."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# The folder into which `make test` installs it, or that of $LIMBIK_NODE_MODULES.
MODULES = Path(os.environ.get("LIMBIK_NODE_MODULES", Path(sys.prefix) / "node" / "node_modules"))
MISSING = (
    f"the Khronos glTF validator is not installed: npm install --prefix {Path(sys.prefix) / 'node'} gltf-validator"
)

_SCRIPT = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  const found = [];
  for (const file of JSON.parse(fs.readFileSync(0)))
    found.push((await validator.validateBytes(new Uint8Array(fs.readFileSync(file)))).issues);
  console.log(JSON.stringify(found));
})();
"""


def available() -> bool:
    """Return whether the validator is installed."""
    return shutil.which("node") is not None and (MODULES / "gltf-validator").is_dir()


def issues(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the validator's report of each file: numErrors, numWarnings, messages."""
    done = subprocess.run(
        ["node", "-e", _SCRIPT],
        input=json.dumps([str(path) for path in paths]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NODE_PATH": str(MODULES)},
        timeout=300,
    )
    return json.loads(done.stdout)
