"""Hints while a match runs and its analysis afterwards, through the real processes."""

from __future__ import annotations

import hashlib
import random

import httpx

from ai.player import think
from engines import GAMES
from engines.records import Record, replay
from tests.system.playing import Json, Player, ais, create, good, turns


def whole_analysis(player: Player) -> Json:
    """Return the analysis of all seats once it is complete."""
    while (answer := player.get("/analysis", params={"wait": "20"})).status_code == httpx.codes.ACCEPTED:
        assert int(answer.headers["Retry-After"]) > 0
    return good(answer)


def test_a_hint_is_ranked_and_said_in_words(client: httpx.Client) -> None:
    ada = create(client, [{"kind": "me", "name": "Ada"}, *ais(1, 1)])
    match, _ = next(turns(ada, random.Random(5)))
    hint = good(client.post(f"{ada.path}/hints", params={"wait": "20"}, headers=ada.headers))
    assert (hint["status"], hint["version"]) == ("found", match["version"])
    assert sorted(map(str, (one["action"] for one in hint["actions"]))) == sorted(map(str, match["legal_actions"]))
    shares = [one["share"] for one in hint["actions"]]
    assert shares == sorted(shares, reverse=True)
    assert hint["best"].startswith(f"Best: {hint['actions'][0]['text']}.")


def test_the_analysis_can_be_thought_again_from_the_record(client: httpx.Client) -> None:
    ada = create(client, [{"kind": "me", "name": "Ada"}, *ais(1, 1)])
    early = ada.get("/analysis")
    assert (early.status_code, early.json()["code"]) == (409, "match_not_over")
    for match, action in turns(ada, random.Random(6)):
        good(ada.play(action, version=match["version"]))
    analysis = whole_analysis(ada)
    assert analysis["done"] == analysis["of"] == sum(len(seat["moves"]) for seat in analysis["seats"])
    record = good(ada.get("/record"))
    game, states = GAMES[record["game"]], list(replay(Record.from_json(record), GAMES))
    moves = analysis["seats"][ada.seat]["moves"]
    for move in random.Random(7).sample(moves, 3):
        entry, before = record["actions"][move["number"] - 1], states[move["number"] - 1]
        word = hashlib.sha256(f"analysis:{record['match']}:{move['number']}".encode()).digest()
        seed, iterations = int.from_bytes(word[:8], "big") >> 11, move["thought"]["iterations"]
        again = think(game, game.redact(before, ada.seat), ada.seat, seed=seed, iterations=iterations)
        assert (entry["seat"], entry["action"]) == (ada.seat, move["played"]["action"])
        assert (again.result, seed) == (move["thought"]["result"], move["thought"]["seed"])
        tried = {choice.action: choice.payoff or 0.0 for choice in again.choices}
        assert abs(move["loss"] - max(tried[again.choices[0].action] - tried[entry["code"]], 0)) < 0.0001
    assert whole_analysis(ada) == analysis
