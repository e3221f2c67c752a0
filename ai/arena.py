"""The arena: matches between players in this process and its helpers, and what they prove.

Every deal is played once with each rotation of the players over the seats, so that good cards and good seats come to all
alike. Everything follows from the seed, as long as players think by iterations and not by time.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from ai import options
from ai.contestants import BadContestant, check_plays, contestant, told
from ai.kept import Bout, Match, keep, keeping, kept
from ai.player import warm
from ai.statistics import Interval, Sprt, elo, ratio, share
from engines import GAMES
from engines.game import Game, GameError, Json, chance_key

# --- one match --------------------------------------------------------------------------------------------------------


def load_game(name: str) -> Game:
    """Return a game by its name, or by its package if that is not registered.

    Raises:
        ValueError: there is none.
    """
    if name in GAMES:
        return GAMES[name]
    if "." in name:
        try:
            found: Game = import_module(name).GAME
        except (ImportError, AttributeError, TypeError) as error:
            raise ValueError(f"{name} is no package of a game: {error}") from error
        return found
    raise ValueError(f"there is no game {name!r}; there is {', '.join(GAMES)}")


class Failed(click.ClickException):
    """A contestant failed or did what is not legal; the match, and with it the arena, ends."""


def _bytes(*parts: object) -> bytes:
    """Return 32 bytes that follow from the parts."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).digest()


def play_match(bout: Bout, deal: int, rotation: int) -> Match:
    """Play one match and return how it went.

    Raises:
        Failed: a contestant raised an error, or answered something else than a legal action.
    """
    game, seats = load_game(bout.game), len(bout.players)
    players = [contestant(spelling) for spelling in bout.players]
    secret, match = _bytes(bout.seed, "deal", deal), f"arena-{deal}"
    spent: list[list[float]] = [[0.0] for _ in players]
    state = game.new(seats, bout.options, secret, match)
    plays = 0
    while awaited := game.awaiting(state):
        seat = awaited[0]
        place = (seat - rotation) % seats
        seed = int.from_bytes(_bytes(bout.seed, deal, rotation, plays)[:8], "little")
        start = time.perf_counter()
        try:
            action = players[place].decide(game, game.redact(state, seat), seat, seed)
        except Exception as error:  # it may be another's code
            raise Failed(f"{_when(bout, deal, rotation, place, plays)} failed: {told(error)}") from error
        spent[place].append((time.perf_counter() - start) * 1000)
        legal = game.legal(state, seat)
        if action not in legal:
            when = _when(bout, deal, rotation, place, plays)
            raise Failed(f"{when} played {action!r}, which is not legal; legal are {', '.join(map(str, legal))}")
        action, plays = int(action), plays + 1
        state = game.play(state, seat, action, chance_key(secret, match, plays))
    outcome = game.outcome(state)
    assert outcome is not None
    at = [(place + rotation) % seats for place in range(seats)]
    shares = tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in at)
    ranking = tuple(outcome.ranking[seat] for seat in at)
    return Match(deal, rotation, shares, ranking, outcome.reason, plays, tuple(fmean(times) for times in spent))


def _when(bout: Bout, deal: int, rotation: int, place: int, plays: int) -> str:
    return f"{bout.players[place]} in deal {deal}, rotation {rotation}, after {plays} decisions"


def play_deal(bout: Bout, deal: int) -> list[Match]:
    """Play one deal with every rotation."""
    return [play_match(bout, deal, rotation) for rotation in range(len(bout.players))]


# --- many matches -----------------------------------------------------------------------------------------------------


def play_deals(bout: Bout, deals: Collection[int], jobs: int = 1) -> Iterator[list[Match]]:
    """Play deals and yield each one's matches, in order; closing the iterator ends the helpers.

    Args:
        bout: what to play.
        deals: their numbers, 0 or more.
        jobs: how many processes; 1: this one.
    """
    if jobs == 1 or not deals:
        yield from (play_deal(bout, deal) for deal in deals)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_helper, (bout.game,))
    try:
        ahead: list[Future[list[Match]]] = []
        numbers = iter(deals)
        for deal in itertools.islice(numbers, 2 * jobs):
            ahead.append(pool.submit(play_deal, bout, deal))
        while ahead:
            done = ahead.pop(0).result()
            ahead.extend(pool.submit(play_deal, bout, deal) for deal in itertools.islice(numbers, 1))
            yield done
    finally:
        pool.shutdown(cancel_futures=True)


def _start_helper(game: str) -> None:
    warm(load_game(game))


# --- what they prove --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairing:
    """How one player did against another, match by match: who was placed better (equal: half).

    Attributes:
        player, rival: spellings.
        score: of the player, 0..1.
        elo: the Elo difference that makes such a score expected.
        decided: the part of matches, 0..1, in which one of them was placed better than the other.
        better: the player's part of these: what to go by in a game that often nobody wins.
    """

    player: str
    rival: str
    score: Interval
    elo: Interval
    decided: float
    better: Interval


@dataclass(frozen=True)
class Summary:
    """What an arena's matches prove.

    Attributes:
        matches, deals: how many.
        par: the win share if all were equal.
        shares: win share of a seat of each player (equal spellings together).
        pairings: every pair of different players.
        milliseconds: mean thinking time of each player a decision.
        verdict: of the sequential test, if there was one: "high", "low" or None (undecided).
    """

    matches: int
    deals: int
    par: float
    shares: Mapping[str, Interval]
    pairings: tuple[Pairing, ...]
    milliseconds: Mapping[str, float]
    verdict: str | None = None


def _places(players: Sequence[str], spelling: str) -> list[int]:
    return [place for place, other in enumerate(players) if other == spelling]


def win_shares(players: Sequence[str], spelling: str, deals: Sequence[Sequence[Match]]) -> list[float]:
    """Return a player's mean win share a seat, deal by deal."""
    places = _places(players, spelling)
    return [fmean(match.shares[place] for match in deal for place in places) for deal in deals]


def pair_scores(players: Sequence[str], player: str, rival: str, deals: Sequence[Sequence[Match]]) -> list[float]:
    """Return a player's mean score against a rival, deal by deal: 1 if placed better, 1/2 if equal."""
    pairs = list(itertools.product(_places(players, player), _places(players, rival)))
    return [fmean(_score(match, a, b) for match in deal for a, b in pairs) for deal in deals]


def better_and_worse(
    players: Sequence[str], player: str, rival: str, deals: Sequence[Sequence[Match]]
) -> tuple[list[float], list[float]]:
    """Return how often a player was placed better than a rival, and how often worse, deal by deal, 0..1."""
    pairs = list(itertools.product(_places(players, player), _places(players, rival)))
    scores = [[_score(match, a, b) for match in deal for a, b in pairs] for deal in deals]
    return [deal.count(1.0) / len(deal) for deal in scores], [deal.count(0.0) / len(deal) for deal in scores]


def _score(match: Match, a: int, b: int) -> float:
    ours, theirs = match.ranking[a], match.ranking[b]
    return 0.5 if ours == theirs else float(ours < theirs)


def summarize(players: Sequence[str], deals: Sequence[Sequence[Match]], verdict: str | None = None) -> Summary:
    """Return what the matches of these deals prove."""
    names = list(dict.fromkeys(players))
    pairings = []
    for player, rival in itertools.combinations(names, 2):
        score = share(pair_scores(players, player, rival, deals))
        wins, losses = better_and_worse(players, player, rival, deals)
        decided = [won + lost for won, lost in zip(wins, losses, strict=True)]
        pairings.append(Pairing(player, rival, score, score.map(elo), fmean(decided), ratio(wins, decided)))
    matches = [match for deal in deals for match in deal]
    times = {name: fmean(m.milliseconds[p] for m in matches for p in _places(players, name)) for name in names}
    shares = {name: share(win_shares(players, name, deals)) for name in names}
    return Summary(len(matches), len(deals), 1 / len(players), shares, tuple(pairings), times, verdict)


def table(summary: Summary) -> str:
    """Return a summary as text for people."""
    width = max(len(name) for name in summary.shares)
    lines = [f"{summary.matches} matches of {summary.deals} deals; par {summary.par:.1%}; intervals: 95 %"]
    for name, found in summary.shares.items():
        spent = summary.milliseconds[name]
        lines.append(f"{name:{width}}  wins {found.value:6.1%}  ({found.low:.1%} to {found.high:.1%})  {spent:8.2f} ms a move")
    for pair in summary.pairings:
        rating = f"{pair.elo.value:+.0f} Elo ({pair.elo.low:+.0f} to {pair.elo.high:+.0f})"
        ties = f"; {pair.better.value:.1%} of the {pair.decided:.1%} that are decided" if pair.decided < 1 else ""
        lines.append(f"{pair.player} against {pair.rival}: {pair.score.value:.1%}, {rating}{ties}")
    if summary.verdict:
        lines.append(f"sequential test: {summary.verdict}")
    return "\n".join(lines)


def run(
    bout: Bout, deals: int, jobs: int = 1, sprt: Sprt | None = None, quiet: bool = True, file: Path | None = None
) -> tuple[Summary, list[Match]]:
    """Play up to so many deals, number 0 and on, and return what they prove, and the matches.

    Args:
        bout: what to play.
        deals: how many at most.
        jobs: how many processes.
        sprt: ends the arena as soon as the first player's score against the second is decided.
        quiet: without a progress bar.
        file: keeps every deal as soon as it is played; those that it has are not played again.

    Raises:
        BadFile: the file is none of an arena.
    """
    names = list(dict.fromkeys(bout.players))
    played: list[list[Match]] = []
    verdict = None
    source = _deals(bout, deals, jobs, file)
    with click.progressbar(length=deals, label=bout.game, hidden=quiet, file=sys.stderr) as bar:
        for deal in source:
            played.append(deal)
            bar.update(1)
            if sprt is not None and len(names) > 1:
                verdict = sprt.verdict(pair_scores(bout.players, names[0], names[1], played))
                if verdict:
                    break
    source.close()  # type: ignore[attr-defined]
    return summarize(bout.players, played, verdict), [match for deal in played for match in deal]


def _deals(bout: Bout, deals: int, jobs: int, file: Path | None) -> Iterator[list[Match]]:
    """Yield the matches of deals 0, 1, ...: from the file where it has them, else played and kept."""
    old = {} if file is None else kept(file, bout)
    fresh = play_deals(bout, [number for number in range(deals) if number not in old], jobs)
    try:
        for number in range(deals):
            if number in old:
                yield old[number]
                continue
            deal = next(fresh)
            if file is not None:
                keep(file, bout, deal)
            yield deal
    finally:
        fresh.close()  # type: ignore[attr-defined]


# --- the command ------------------------------------------------------------------------------------------------------


def _options(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Json:  # noqa: ARG001
    """Return NAME=VALUE pairs as options; a value is read as JSON if it can be, else it is a text."""
    found: Json = {}
    for pair in values:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
        try:
            found[name] = json.loads(value)
        except json.JSONDecodeError:
            found[name] = value
    return found


def _sprt(context: click.Context, parameter: click.Parameter, value: tuple[float, float] | None) -> Sprt | None:  # noqa: ARG001
    if value is None:
        return None
    if not value[0] < value[1]:
        raise click.BadParameter("the first Elo difference must be below the second")
    return Sprt(*value)


@click.command()
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@click.option("--seats", type=int, help="How many play; the last player named fills the seats left.")
@click.option(
    "--deals", type=click.IntRange(1), default=50, show_default=True, help="How many deals, each with every rotation."
)
@options.seed(1)
@options.jobs
@click.option("--option", "wanted", multiple=True, callback=_options, metavar="NAME=VALUE", help="A match option.")
@click.option("--sprt", type=(float, float), callback=_sprt, metavar="LOW HIGH", help="Stop once decided: two Elo differences.")
@click.option("--json", "path", type=options.OutFile(), help="Write everything to this file.")
@keeping
def arena(
    game: str,
    players: tuple[str, ...],
    seats: int | None,
    deals: int,
    seed: int,
    jobs: int,
    wanted: Json,
    sprt: Any,
    path: Path | None,
    file: Path | None,
) -> None:
    """Let PLAYERS play GAME against each other and print who wins how often.

    A player is random, policy, greedy, idle (Lemmings), lowest (Valhalla), level:N, play:400it:0.3:0.02 (a level by iterations,
    temperature and blunder rate), ismcts:100ms, ismcts:2000it, plain:100ms (random playouts), pimc:100ms (determinized search)
    or path/to/file.py:Class with a method decide(game, redacted, seat, seed).
    """
    try:
        bout = prepare(game, players, seats, wanted, seed)
    except (BadContestant, GameError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    summary, matches = run(bout, deals, jobs, sprt, quiet=False, file=file)
    click.echo(table(summary))
    if path is not None:
        data = {"bout": asdict(bout), "summary": asdict(summary), "matches": [asdict(match) for match in matches]}
        path.write_text(json.dumps(data, indent=1))


def prepare(game: str, players: Sequence[str], seats: int | None, options: Json, seed: int) -> Bout:
    """Return what to play, checked before any helper is started.

    Raises:
        ValueError: no such game or player, more players than seats, or what `Game.complete_options` raises.
    """
    found = load_game(game)
    seats = len(players) if seats is None else seats
    if len(players) > seats:
        raise ValueError(f"{len(players)} players cannot sit on {seats} seats")
    complete = found.complete_options(seats, options)
    for spelling in players:
        check_plays(contestant(spelling), found)
    filled = (*players, *[players[-1]] * (seats - len(players)))
    return Bout(game, filled, complete, seed)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command with these arguments."""
    arena.main(None if argv is None else list(argv))


if __name__ == "__main__":
    main()
