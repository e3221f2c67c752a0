"""A player made with the client that is generated from the OpenAPI file: it plays a whole match against an AI, at random.

make client                                                     generates the client into build/, by this command:
    openapi-python-client generate --path openapi/openapi.json --meta none --output-path build/clifftop_client
PYTHONPATH=build python examples/generated_bot.py [GAME]        plays; API=https://... if the server is not here
"""

from __future__ import annotations

import os
import random
import sys
from typing import TypeVar

from clifftop_client import AuthenticatedClient, Client
from clifftop_client.api.actions import play_actions
from clifftop_client.api.games import show_game
from clifftop_client.api.matches import create_match, show_match
from clifftop_client.models import Game, Match, MatchStatus, NewMatch, Problem, SeatTaken, SeatWish, SeatWishKind, Sequence

API = os.environ.get("API", "http://127.0.0.1:8080")
Answer = TypeVar("Answer")


def good(answer: object, kind: type[Answer]) -> Answer:
    """Return an answer of the kind expected, or end with what the problem is."""
    if isinstance(answer, kind):
        return answer
    raise SystemExit(f"{answer.code}: {answer.detail}" if isinstance(answer, Problem) else f"not expected: {answer!r}")


def begin(client: Client, name: str) -> tuple[Match, str]:
    """Create a match against AIs; return it and the seat's token."""
    game = good(show_game.sync(name, client=client), Game)
    me = SeatWish(kind=SeatWishKind.ME, name="Generated")
    others = [SeatWish(kind=SeatWishKind.AI, level=1) for _ in range(game.min_seats - 1)]
    taken = good(create_match.sync(client=client, body=NewMatch(game=name, seats=[me, *others])), SeatTaken)
    return taken.match, str(taken.token)


def play(client: AuthenticatedClient, match: Match) -> Match:
    """Play to the end: a random legal action whenever there is one, else wait for the others."""
    while match.status == MatchStatus.RUNNING:
        if match.legal_actions and match.seat in match.awaiting:
            move = Sequence(version=match.version, actions=[random.choice(match.legal_actions)])
            match = good(play_actions.sync(match.id, client=client, body=move), Match)
        else:
            seen = f'"{match.version}"'
            newer = show_match.sync_detailed(match.id, client=client, wait=25, if_none_match=seen)
            match = match if newer.status_code == 304 else good(newer.parsed, Match)
    return match


begun, token = begin(Client(base_url=API), sys.argv[1] if len(sys.argv) > 1 else "last-lemming")
over = play(AuthenticatedClient(base_url=API, token=token, timeout=None), begun)
print(f"{over.game} {over.id} is {over.status}: {over.outcome.to_dict() if over.outcome else None}")
