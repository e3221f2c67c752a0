"""The arena: who may play, what is played, and what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest
from click.testing import CliRunner

from ai.arena import (
    Bout,
    Match,
    arena,
    better_and_worse,
    pair_scores,
    play_deal,
    play_match,
    prepare,
    run,
    summarize,
    table,
    win_shares,
)
from ai.contestants import BadContestant, contestant
from ai.statistics import Sprt
from engines.game import BadOption, BadSeats
from tests.ai.conftest import COMPILED, position
from tests.toy import GAME as TOY

TOY_NAME = "tests.toy"
KINDS = [
    "random",
    "policy",
    "level:1",
    "level:8",
    "play:9it:0.3:1",
    "ismcts:20it",
    "plain:30it",
    "pimc:64it",
    "ismcts:1ms",
    "pimc:40ms",
]
IT = 100 if COMPILED else 5

BOT = """
class Lowest:
    def decide(self, game, redacted, seat, seed):
        return min(game.legal(redacted, seat))

class Nobody:
    pass
"""


def timeless(matches: list[Match]) -> list[tuple[object, ...]]:
    return [(m.deal, m.rotation, m.shares, m.ranking, m.plays) for m in matches]


@pytest.mark.parametrize("spelling", KINDS)
def test_every_kind_of_player_plays(spelling: str) -> None:
    state, seat = position(TOY, 0)
    player = contestant(spelling)
    assert player.decide(TOY, TOY.redact(state, seat), seat, 5) in TOY.legal(state, seat)


@pytest.mark.parametrize("spelling", ["random", "policy", "level:2", "ismcts:50it", "plain:50it", "pimc:64it"])
def test_the_same_seed_gives_the_same_decision(spelling: str) -> None:
    state, seat = position(TOY, 0)
    redacted = TOY.redact(state, seat)
    assert len({contestant(spelling).decide(TOY, redacted, seat, 5) for _ in range(3)}) == 1


def test_a_player_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    summary, matches = run(Bout(TOY_NAME, (f"{path}:Lowest", "random")), 3)
    assert len(matches) == 6
    assert set(summary.shares) == {f"{path}:Lowest", "random"}


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        ("", "there is no player ''"),
        ("clever", "there is no player 'clever'"),
        ("random:3", "there is no player"),
        ("level:9", "there are 1 to 8"),
        ("level:x", "there is no player"),
        ("play", "are like play:400it:0.3:0.02"),
        ("play:400it:0.3", "are like play:400it:0.3:0.02"),
        ("play:400ms:0.3:0.02", "are like play:400it:0.3:0.02"),
        ("play:0it:0.3:0.02", "are like play:400it:0.3:0.02"),
        ("play:400it:-1:0.02", "are like play:400it:0.3:0.02"),
        ("play:400it:nan:0.02", "are like play:400it:0.3:0.02"),
        ("play:400it:0.3:1.1", "all errors together are at most 1, not 1.1"),
        ("ismcts", "there is no player"),
        ("ismcts:100", "a budget is like 100ms, 1s or 2000it, not '100'"),
        ("ismcts:0ms", "a budget is like"),
        ("ismcts:9999999999it", "a budget is like"),
        ("pimc:1h", "a budget is like"),
        ("ismcts:10it:depth=3", "there is no setting 'depth'; there is exploration"),
        ("ismcts:10it:policy=maybe", "policy cannot be 'maybe'"),
        ("ismcts:10it:cut=long", "cut cannot be 'long'"),
        ("ismcts:10it:cut=-1", "cut is from 0 to 1,000,000, not -1"),
        ("ismcts:10it:exploration=nan", "exploration is from 0 to 1,000, not nan"),
        ("ismcts:10it:exploration=inf", "exploration is from 0 to 1,000, not inf"),
        ("ismcts:10it:widening=-1", "widening is from 0 to inf, not -1"),
        ("ismcts:10it:hurry=2", "hurry is from 0 to 1, not 2"),
        ("ismcts:10it:most_nodes=0", "most_nodes is from 1"),
        ("ismcts:10it:most_edges=0", "most_edges is from 1"),
        ("nowhere.py:Bot", "there is no file nowhere.py"),
    ],
)
def test_a_spelling_that_names_no_player_is_refused(spelling: str, reason: str) -> None:
    with pytest.raises(BadContestant, match=reason.replace("(", r"\(")):
        contestant(spelling)


def test_a_file_without_such_a_player_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    for name in ("Missing", "Nobody"):
        with pytest.raises(BadContestant, match=f"no class {name} with a method decide"):
            contestant(f"{path}:{name}")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("class Bot(: pass", r"bot.py cannot be loaded: SyntaxError: .*\(bot.py, line 1\)"),
        ("import no_such_module", r"bot.py cannot be loaded: ModuleNotFoundError: .*\(bot.py, line 1, in <module>\)"),
        (
            "class Bot:\n def __init__(self): raise OSError('no model')\n def decide(self): pass",
            r"Bot\(\) of .*bot.py cannot be made: OSError: no model \(bot.py, line 2, in __init__\)",
        ),
        (
            "class Bot:\n def __init__(self, model): pass\n def decide(self): pass",
            r"Bot\(\) of .*bot.py cannot be made: TypeError: .*missing 1 required positional argument",
        ),
    ],
)
def test_a_file_that_fails_is_no_player_and_where_it_fails_is_said(code: str, reason: str, tmp_path: Path) -> None:
    # Each of these once ended the arena in a traceback.
    path = tmp_path / "bot.py"
    path.write_text(code)
    with pytest.raises(BadContestant, match=reason):
        prepare(TOY_NAME, [f"{path}:Bot", "random"], 2, {}, 1)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("9999", "played 9999, which is not legal; legal are "),
        ("-1", "played -1, which is not legal"),
        ("None", "played None, which is not legal"),
        ("'pass'", "played 'pass', which is not legal"),
        ("1 / 0", "failed: ZeroDivisionError: division by zero (bot.py, line 2, in decide)"),
    ],
)
def test_a_player_that_fails_ends_the_arena_with_when_and_why(answer: str, reason: str, jobs: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"class Bot:\n def decide(self, *given): return {answer}")
    result = CliRunner().invoke(arena, [TOY_NAME, f"{path}:Bot", "random", "--deals", "2", "--jobs", jobs])
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert f"bot.py:Bot in deal 0, rotation 0, after 0 decisions {reason}" in result.output


def test_a_player_may_answer_with_a_number_of_numpy(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import numpy as np\nclass Bot:\n def decide(self, g, redacted, seat, s): return np.int16(g.legal(redacted, seat)[0])"
    )
    assert play_match(Bout(TOY_NAME, (f"{path}:Bot", "random")), 0, 0).plays == 6


def test_a_game_without_a_greedy_player_says_so() -> None:
    state, seat = position(TOY, 0)
    with pytest.raises(BadContestant, match="no greedy player; it has none but random"):
        contestant("greedy").decide(TOY, TOY.redact(state, seat), seat, 1)
    # Before anything is played, too; it once failed in the middle of the first match.
    with pytest.raises(BadContestant, match="Lemminge has no lowest player; it has greedy"):
        prepare("lemminge", ["greedy", "lowest"], 2, {}, 1)


def test_settings_can_be_varied() -> None:
    plain = contestant("ismcts:10it")
    varied = contestant("ismcts:10it:exploration=0.2:cut=7:policy=false")
    assert plain != varied
    assert "exploration=0.2, widening=None, hurry=None, policy=False, shaped=True, cut=7" in repr(varied)


def test_a_deal_is_played_with_every_rotation() -> None:
    bout = Bout(TOY_NAME, ("random", "random", "level:1"), {"bonus": True}, 4)
    matches = play_deal(bout, 7)
    assert [(match.deal, match.rotation) for match in matches] == [(7, 0), (7, 1), (7, 2)]
    for match in matches:
        assert sum(match.shares) == pytest.approx(1)
        assert min(match.ranking) == 1
        assert match.plays == 9


def test_rotation_moves_the_players_not_the_cards(tmp_path: Path) -> None:
    # Two players who always play alike: whatever the rotation, the seats do the same, so the results are swapped.
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    bout = Bout(TOY_NAME, (f"{path}:Lowest", f"{path}:Lowest"))
    for deal in range(5):
        straight, turned = play_match(bout, deal, 0), play_match(bout, deal, 1)
        assert straight.shares == turned.shares[::-1]
        assert straight.ranking == turned.ranking[::-1]


def test_an_arena_can_be_played_again() -> None:
    bout = Bout(TOY_NAME, (f"ismcts:{IT}it", "random", "level:1"), {}, 3)
    assert timeless(run(bout, 4)[1]) == timeless(run(bout, 4)[1])
    other = Bout(TOY_NAME, bout.players, {}, 4)
    assert timeless(run(bout, 4)[1]) != timeless(run(other, 4)[1])


def test_helpers_make_no_difference() -> None:
    bout = Bout(TOY_NAME, (f"ismcts:{IT}it", "random"), {}, 3)
    alone, helped = run(bout, 6, jobs=1), run(bout, 6, jobs=2)
    assert timeless(alone[1]) == timeless(helped[1])
    assert alone[0].shares == helped[0].shares


def test_an_arena_goes_on_from_its_file(tmp_path: Path) -> None:
    bout = Bout(TOY_NAME, (f"ismcts:{IT}it", "random"), {}, 3)
    file = tmp_path / "matches.jsonl"
    whole, first = run(bout, 5), run(bout, 2, file=file)
    # It was interrupted while it wrote: that deal is played again.
    lines = file.read_bytes()
    file.write_bytes(lines[:-9])
    others = run(Bout(TOY_NAME, bout.players, {}, 4), 2, file=file)
    rest = run(bout, 5, jobs=2, file=file)
    assert timeless(rest[1]) == timeless(whole[1])
    assert rest[1][:2] == first[1][:2]
    assert timeless(others[1]) != timeless(first[1])
    # All is there now: nothing is played.
    assert run(bout, 5, file=file) == rest
    assert run(bout, 2, file=file)[1] == rest[1][:4]


@pytest.mark.parametrize(
    "line",
    ["{}", "[]", "3", '{"bout": 1}', '{"bout": {}, "matches": 5}', '{"bout": {}, "matches": []}', "Dear", "[" * 10**5],
    ids=lambda line: line[:20],
)
def test_a_file_of_something_else_is_refused(line: str, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(line + "\n")
    found = CliRunner().invoke(arena, [TOY_NAME, "random", "policy", "--deals", "1", "--keep", str(file)])
    assert found.exit_code == 2
    assert f"line 1 of {file} is no deal of an arena" in " ".join(found.output.split()).replace("│", "")
    assert file.read_text() == line + "\n"


def synthetic(shares: list[tuple[float, ...]], ranking: list[tuple[int, ...]]) -> list[list[Match]]:
    """Return deals of two matches each."""
    both = enumerate(zip(shares, ranking, strict=True))
    flat = [Match(i // 2, i % 2, s, r, "won", 1, tuple(1.0 for _ in s)) for i, (s, r) in both]
    return [flat[i : i + 2] for i in range(0, len(flat), 2)]


def test_shares_and_scores_are_means_of_deals() -> None:
    players = ("a", "b", "b")
    deals = synthetic(
        [(1, 0, 0), (0, 1, 0), (0.5, 0, 0.5), (0, 0, 0)],
        [(1, 2, 3), (2, 1, 3), (1, 3, 1), (1, 1, 1)],
    )
    assert win_shares(players, "a", deals) == [0.5, 0.25]
    assert win_shares(players, "b", deals) == [0.25, 0.125]
    # Places against the two b's: better twice; worse and better; equal and better; equal twice.
    assert pair_scores(players, "a", "b", deals) == [fmean([1, 1, 0, 1]), fmean([0.5, 1, 0.5, 0.5])]
    assert better_and_worse(players, "a", "b", deals) == ([0.75, 0.25], [0.25, 0.0])


def test_a_summary_tells_players_apart_by_spelling() -> None:
    deals = synthetic([(1, 0, 0)] * 8, [(1, 2, 2)] * 8)
    summary = summarize(("a", "b", "b"), deals)
    assert summary.matches == 8
    assert summary.deals == 4
    assert summary.par == pytest.approx(1 / 3)
    assert summary.shares["a"].value == 1
    assert [(pair.player, pair.rival) for pair in summary.pairings] == [("a", "b")]
    assert summary.pairings[0].elo.value == 1200
    assert "a against b: 100.0%" in table(summary)


def test_a_summary_tells_matches_apart_that_nobody_wins() -> None:
    deals = synthetic([(1, 0), (0, 0), (0, 0), (0, 1)] + [(1, 0)] * 4, [(1, 2), (1, 1), (1, 1), (2, 1)] + [(1, 2)] * 4)
    pair = summarize(("a", "b"), deals).pairings[0]
    assert (pair.score.value, pair.decided, pair.better.value) == (0.75, 0.75, pytest.approx(5 / 6))
    assert "83.3% of the 75.0% that are decided" in table(summarize(("a", "b"), deals))


def test_a_sequential_test_ends_the_arena() -> None:
    bout = Bout(TOY_NAME, (f"ismcts:{IT}it", "random"), {"bonus": True}, 2)
    summary, matches = run(bout, 400, sprt=Sprt(-400, -200))
    assert summary.verdict == "high"
    assert len(matches) < 800


def test_what_is_prepared_is_checked() -> None:
    assert prepare(TOY_NAME, ["random", "policy"], 4, {}, 1).players == ("random", "policy", "policy", "policy")
    with pytest.raises(ValueError, match="3 players cannot sit on 2 seats"):
        prepare(TOY_NAME, ["random"] * 3, 2, {}, 1)
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        prepare("chess", ["random"] * 2, 2, {}, 1)
    with pytest.raises(BadSeats):
        prepare(TOY_NAME, ["random"] * 5, None, {}, 1)
    with pytest.raises(BadOption):
        prepare(TOY_NAME, ["random"] * 2, None, {"bonus": 3}, 1)


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    words = [TOY_NAME, "random", "level:1", "--deals", "3", "--jobs", "1", "--option", "bonus=true", "--json", str(path)]
    result = CliRunner().invoke(arena, words)
    assert result.exit_code == 0, result.output
    assert "6 matches of 3 deals" in result.output
    data = json.loads(path.read_text())
    assert data["bout"]["options"]["bonus"] is True
    assert len(data["matches"]) == 6
    assert set(data["summary"]["shares"]) == {"random", "level:1"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["chess", "random"], "there is no game 'chess'"),
        ([TOY_NAME, "random", "clever"], "there is no player 'clever'"),
        ([TOY_NAME, "random", "random", "--option", "bonus"], "is not NAME=VALUE"),
        ([TOY_NAME, "random", "random", "--option", "bonus=3"], "is true or false"),
        ([TOY_NAME, "random", "random", "--sprt", "5", "0"], "must be below"),
        ([TOY_NAME, "random", "random", "--sprt", "nan", "nan"], "must be below"),
        ([TOY_NAME, "random", "random", "--json", "/no/such/folder/out.json"], "there is no folder /no/such/folder"),
        ([TOY_NAME, "random", "random", "--keep", "/no/such/folder/out.json"], "there is no folder /no/such/folder"),
        ([TOY_NAME, "random", "random", "--keep", "/tmp"], "is a directory"),
        (["no.such.package", "random"], "no.such.package is no package of a game"),
        (["json.decoder", "random"], "json.decoder is no package of a game"),
        ([TOY_NAME], "Missing argument"),
    ],
)
def test_the_command_refuses_nonsense(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(arena, words)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())
