"""A real worker process on the toy, whose AI first thinks for ever: `python process.py REDIS_URL FOLDER QUEUE`.

It thinks until there is a file `go` in the folder, and writes the id of the thinking process into `thinking`. A job for
`tests.worker.process.forbidden` would write a file `done`.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from engines.game import Game
from engines.kernel import State
from service.matches import Matches, queue
from service.matches.match import Json
from service.settings import Settings
from tests.service.matches.conftest import GAMES
from worker.main import run
from worker.mind import Mind


class Dreamer(Mind):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def think(self, game: Game, redacted: State, seat: int, level: int, seed: int) -> tuple[int, Json]:
        note = self.folder / f"thinking.{os.getpid()}"
        note.write_text(str(os.getpid()))
        note.rename(self.folder / "thinking")
        while not (self.folder / "go").exists():
            time.sleep(0.01)
        return super().think(game, redacted, seat, level, seed)


def forbidden(path: str) -> None:
    Path(path).write_text("done")


def main(url: str, folder: str, name: str) -> None:
    settings = Settings(redis_url=url, sweep_interval_s=0.1, lease_margin_ms=100, reaction_ai_ms=0, hint_ms=5)
    run(Matches.open(settings, {"toy": GAMES["toy"]}), Dreamer(Path(folder)), queue.connect(settings), name)


if __name__ == "__main__":
    main(*sys.argv[1:])
