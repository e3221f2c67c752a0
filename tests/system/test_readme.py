"""The README's commands, run as they stand there, against a real server."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.system.playing import played
from tests.system.serving import PATIENCE_S, Serving

README = (Path(__file__).resolve().parents[2] / "README.md").read_text()


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="the commands need bash and curl")
def test_the_whole_match_with_curl(server: Serving, tmp_path: Path) -> None:
    commands = "".join(re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL))
    assert commands.count("http://127.0.0.1:8080") == 1
    script = "set -euo pipefail\n" + commands.replace("http://127.0.0.1:8080", server.address)
    answer = subprocess.run(
        ["bash"], input=script, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=4 * PATIENCE_S
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    outcomes = [ast.literal_eval(line) for line in answer.stdout.splitlines() if line.startswith("{'reason'")]
    assert len(outcomes) == 1
    assert outcomes[0]["winners"]
    assert "event: match.ended" in answer.stdout
    record = json.loads((tmp_path / "record.json").read_text())
    assert played(record, 0)
    assert hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == record["seed_hash"]
