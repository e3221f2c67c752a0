"""Finding levels of even steps: from a strength that is known, so that no match has to be played."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ai import calibrate
from ai.calibrate import (
    EXTREME,
    GREEDY,
    Curve,
    Duel,
    Measurement,
    Settings,
    falling,
    load,
    main,
    measure,
    path_of,
    placed,
    rows,
    spelling,
)
from ai.contestants import contestant
from ai.levels import Level
from ai.statistics import score_of

SETTINGS = Settings("tests.toy", 4000, 20, 10, 1)
GREEDY_ELO = 900.0


def strength(name: str) -> float:
    """Return the Elo that a player has in these tests; one that plays at random has about 0."""
    if name == GREEDY:
        return GREEDY_ELO
    _, iterations, *errors = name.split(":")
    temperature, blunder, worst = (*map(float, errors), 0.0)[:3]
    return 180 * math.log2(int(iterations.removesuffix("it")) / 16) + 400 * (1 - blunder - 2 * worst) - 60 * (temperature - 2)


class Played:
    """Stands in for the matches: the expected score, and who played how many deals."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self.deals: dict[tuple[str, str], int] = {}

    def compare(self, settings: Settings, player: str, rival: str, deals: int, jobs: int) -> Duel:
        assert (player, rival) not in self.deals
        self.deals[player, rival] = deals
        score = score_of(self.scale * (strength(player) - strength(rival)))
        return Duel(player, rival, score, score - 0.1, score + 0.1, 2 * deals, 1.0)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    return use(monkeypatch, 1.0)


def use(monkeypatch: pytest.MonkeyPatch, scale: float) -> Played:
    found = Played(scale)
    monkeypatch.setattr(calibrate, "compare", found.compare)
    return found


def command(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize("top", [200, 1000, 4000, 20_000])
def test_a_path_leads_from_the_strongest_over_one_that_plays_at_random_to_the_worst(top: int) -> None:
    path = path_of(top)
    assert (path[0].iterations, path[0].temperature, path[0].blunder) == (top, 0, 0)
    assert [(level.iterations, level.worst) for level in path if level.blunder == 1] == [(16, 0)]
    assert (path[-1].iterations, path[-1].blunder, path[-1].worst) == (16, 0.2, 0.8)
    for stronger, weaker in pairwise(path):
        assert stronger.iterations > weaker.iterations or weaker.worst
        assert stronger.temperature <= weaker.temperature
        assert stronger.blunder + stronger.worst <= weaker.blunder + weaker.worst
        assert stronger.worst <= weaker.worst
    assert 50 <= [level for level in path if not level.temperature][-1].iterations < 200


def test_the_arena_reads_how_a_player_is_spelled() -> None:
    assert contestant(spelling(Level(950, 400, 0.3, 0.02))) == contestant("play:400it:0.3:0.02")
    assert contestant(spelling(Level(950, 16, 2.0, 0.8, worst=0.2))) == contestant("play:16it:2:0.8:0.2")


def test_levels_are_evenly_spaced(played: Played) -> None:
    curve = measure(Measurement(SETTINGS, None, 1), math.inf)
    levels = placed(curve, 120, 950)
    assert [level.milliseconds for level in levels] == [150, 150, 150, 150, 500, 500, 500, 950]
    assert levels[-1] == Level(950, 4000, 0.0, 0.0)
    for lower, higher in pairwise(levels):
        assert strength(spelling(higher)) - strength(spelling(lower)) == pytest.approx(120, abs=12)


def test_neighbours_too_far_apart_are_measured_by_players_between(played: Played) -> None:
    curve = measure(Measurement(SETTINGS, None, 1), math.inf)
    assert len(curve.points) > len(path_of(4000))
    for a, b in pairwise(map(spelling, curve.points)):
        assert score_of(strength(a) - strength(b)) <= EXTREME
        assert (a, b) in played.deals
    assert curve.range == pytest.approx(strength(spelling(curve.points[0])) - strength(spelling(curve.points[-1])))


def test_putting_players_in_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, 100)
    curve = measure(Measurement(SETTINGS, None, 1), math.inf)
    assert len(curve.points) <= 8 * (len(path_of(4000)) - 1) + 1


def test_many_iterations_get_fewer_deals(played: Played) -> None:
    measure(Measurement(SETTINGS, None, 1), math.inf)
    for names, deals in played.deals.items():
        many = max(int(name.split(":")[1].removesuffix("it")) for name in names) > 1000
        assert deals == (10 if many else 20)


def test_measuring_goes_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, played = tmp_path / "curve.json", use(monkeypatch, 1)

    def interrupted(*args: object) -> Duel:
        if len(played.deals) == 5:
            raise KeyboardInterrupt
        return played.compare(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(calibrate, "compare", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measure(Measurement(SETTINGS, file, 1), math.inf)
    assert len(load(file)[1]) == 5
    monkeypatch.setattr(calibrate, "compare", played.compare)  # refuses to play a pairing twice
    curve = measure(Measurement(SETTINGS, file, 1), math.inf)
    assert len(load(file)[1]) == len(played.deals) > 5
    assert measure(Measurement(SETTINGS, file, 0), math.inf) == curve


def test_a_file_of_other_settings_is_refused(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    measure(Measurement(SETTINGS, file, 1), math.inf)
    with pytest.raises(ValueError, match="was measured with"):
        Measurement(Settings("tests.toy", 4000, 20, 10, 2), file, 1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"settings": {}, "pairings": []}', "\x00", "[" * 100_000])
def test_a_file_that_holds_no_curve_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="no curve"):
        load(file)


def test_values_that_rise_are_evened_out() -> None:
    assert falling([5, 3, 4, 1]) == [5, 3.5, 3.5, 1]
    assert falling([1, 2, 3]) == [2, 2, 2]
    assert falling([3, 2, 2, 1]) == [3, 2, 2, 1]
    assert falling([]) == []


def test_of_players_alike_the_one_that_thinks_least_is_taken() -> None:
    a, b, c, d = (Level(950, iterations, 0.0, 0.0) for iterations in (1000, 400, 100, 25))
    curve = Curve([a, b, c, d], [0, -100, -100, -200])
    assert curve.at(-100) == c
    assert curve.at(-150) == Level(950, 50, 0.0, 0.0)
    assert curve.at(-999) == d


def test_levels_are_printed_as_the_table_has_them() -> None:
    levels = (Level(150, 16, 2.0, 0.75, worst=0.25), Level(950, 4000, 0.0, 0.0))
    found = rows("toy", levels, 120)
    assert eval("{" + found + "}", {"Level": Level}) == {"toy": levels}
    assert "4_000" in found
    assert "# Elo 1120" in found


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_measures_once(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    told = command("lemmings", "--json", str(file))
    assert told.exit_code == 0, told.output
    assert told.output.count("        Level(") == 8
    assert "greedy scores" in told.output
    again = command("lemmings", "--curve", str(file))
    assert again.output.splitlines()[-10:] == told.output.splitlines()[-10:]
    closer = command("lemmings", "--curve", str(file), "--step", "100")
    assert "# Elo 1700" in closer.output
    assert "was not measured against greedy" in closer.output
    assert "levels are" in command("lemmings", "--curve", str(file), "--step", "400").output


def test_a_short_curve_has_smaller_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, 0.25)
    told = command("tests.toy")
    assert "levels are" in told.output
    assert '"toy": (' in told.output
    assert "greedy" not in told.output


def test_a_curve_without_any_range_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, 0)
    told = command("tests.toy")
    assert told.exit_code == 1
    assert "play more deals" in told.output


def test_a_level_1_that_beats_the_greedy_player_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, 1)
    assert "level 1 is too strong" in command("lemmings", "--step", "60").output
    assert "level 1 is too strong" not in command("lemmings", "--step", "180").output


def test_nothing_weaker_than_needed_is_measured(played: Played) -> None:
    curve = measure(Measurement(SETTINGS, None, 1), 500)
    assert 500 < curve.range < 1000
    assert len(curve.points) < len(path_of(4000))


@pytest.mark.parametrize(
    ("words", "reason"),
    [(("chess",), "there is no game 'chess'"), (("lemmings", "--top", "100"), "100 is not in the range")],
)
def test_what_cannot_be_measured_is_refused(words: tuple[str, ...], reason: str, played: Played) -> None:
    told = command(*words)
    assert told.exit_code == 2
    assert reason in told.output


def test_a_curve_of_another_game_is_refused(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    command("lemmings", "--json", str(file))
    assert "is a curve of lemmings" in command("lemminge", "--curve", str(file)).output


def test_a_curve_with_a_pairing_missing_is_refused(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    command("lemmings", "--json", str(file))
    data = json.loads(file.read_text())
    del data["pairings"][3]
    file.write_text(json.dumps(data))
    assert "was not measured against" in command("lemmings", "--curve", str(file)).output


def test_matches_are_played() -> None:
    found = calibrate.compare(SETTINGS, "play:30it:0:0", "play:4it:0:1", 4, 1)
    assert (found.player, found.rival, found.matches) == ("play:30it:0:0", "play:4it:0:1", 8)
    assert found.low <= found.score <= found.high
