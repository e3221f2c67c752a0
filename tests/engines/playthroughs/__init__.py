"""Frozen playthroughs: whole matches with view, legal actions and digest at every step, one file a seat count.

`python -m tests.engines.playthroughs <game>` writes `<game>-<seats>.jsonl` beside this file; read the difference before
committing it: it is what players will notice. Line 1 holds the record's head, then one line a state: who acts, the legal
actions as people read them, the action, what changed in the acting seat's view since the last line that showed it, the
events, and digests of the state and of all views. Of a long match the first `MOST` states and the last one are kept.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from engines.game import Game, Json
from tests.engines.matches import digest, random_match, variants

FOLDER = Path(__file__).parent
#: How many states of a match are kept, besides its last.
MOST = 400


def frozen_variants(game: Game) -> dict[str, tuple[int, Json]]:
    """The last variant of each seat count, by the name of its file."""
    return {f"{game.name}-{seats}.jsonl": (seats, options) for seats, options in variants(game)}


def lines(game: Game, seats: int, options: Json) -> Iterator[str]:
    """Yield the lines of one playthrough."""
    yield _line({"game": game.name, "seats": seats, "options": game.complete_options(seats, options), "layout": game.layout})
    last: dict[int | None, Json] = {}
    for number, step in enumerate(random_match(game, seats, options, f"playthrough {seats}")):
        if number >= MOST and step.seat is not None:
            continue
        state = step.state
        views = [game.view(state, viewer) for viewer in (None, *range(seats))]
        shown: Json = {"state": digest(game, state), "views": _digest(views), "awaiting": list(game.awaiting(state))}
        if step.seat is not None:
            view = views[step.seat + 1]
            before = last.get(step.seat, {})
            shown["seat"] = step.seat
            shown["legal"] = [game.describe(state, step.seat, action) for action in game.legal(state, step.seat)]
            shown["action"] = game.action_to_json(state, step.action)
            shown["view"] = {key: value for key, value in view.items() if before.get(key) != value}
            last[step.seat] = view
        else:
            shown["view"] = views[0]
            shown["outcome"] = game.outcome(state).to_json()
        shown["events"] = [[told.seats, told.event] for told in game.events(state)]
        yield _line(shown)


def _line(data: Json) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def write(game: Game) -> None:
    """Write all playthroughs of a game anew."""
    for name, (seats, options) in frozen_variants(game).items():
        (FOLDER / name).write_text("\n".join(lines(game, seats, options)) + "\n", "utf-8")


def main() -> None:
    from tests.engines.conftest import REGISTRY

    for name in sys.argv[1:] or REGISTRY:
        write(REGISTRY[name])
