"""What may be imported where, as far as `make lint` (import-linter) cannot say it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").split(".")[0]


def test_engines_need_numpy_and_numba_only() -> None:
    for path in sorted((ROOT / "engines").rglob("*.py")):
        allowed = {"engines", "numpy", "numba"} | ({"marshmallow"} if path.name == "editions.py" else set())
        foreign = {name for name in imported(path) if name not in sys.stdlib_module_names} - allowed
        assert foreign == set(), path.relative_to(ROOT)


@pytest.mark.parametrize(
    ("module", "without"),
    [
        ("engines", ("flask", "redis", "rq", "ai", "service")),
        ("service.matches", ("flask", "gunicorn", "click")),
        ("service.cli", ("flask", "numba")),
        ("worker.main", ("flask", "gunicorn", "service.api")),
    ],
)
def test_importing_does_not_load_what_it_must_not_know(module: str, without: tuple[str, ...]) -> None:
    script = f"import sys, {module}; print(*(name for name in {without!r} if name in sys.modules))"
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == []
