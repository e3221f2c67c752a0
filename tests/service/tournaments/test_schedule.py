"""The schedule: everybody meets everybody equally often, in every seat."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from service.tournaments.schedule import Schedule


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(2, 2, 1), (3, 2, 4), (5, 3, 2), (4, 4, 3), (6, 4, 1)])
@pytest.mark.parametrize("duplicate", [False, True])
def test_every_combination_plays_equally_often(entrants: int, seats: int, rounds: int, duplicate: bool) -> None:
    schedule = Schedule(entrants, seats, rounds, duplicate)
    pairings = [schedule.pairing(number) for number in range(schedule.total)]
    met = Counter(tuple(sorted(pairing.seating)) for pairing in pairings)
    assert set(met) == set(combinations(range(entrants), seats))
    assert set(met.values()) == {rounds * (seats if duplicate else 1)}
    assert [pairing.number for pairing in pairings] == list(range(schedule.total))
    assert {pairing.round for pairing in pairings} == set(range(rounds))


def test_duplicate_deals_are_played_in_every_rotation() -> None:
    schedule = Schedule(4, 3, 2, duplicate=True)
    deals: dict[int, list[tuple[int, ...]]] = {}
    for number in range(schedule.total):
        pairing = schedule.pairing(number)
        deals.setdefault(pairing.deal, []).append(pairing.seating)
    assert len(deals) == schedule.total // 3
    for seatings in deals.values():
        for seat in range(3):
            assert sorted(seating[seat] for seating in seatings) == sorted(seatings[0])


def test_without_duplicates_every_match_has_its_own_deal_and_seats_change() -> None:
    schedule = Schedule(2, 2, 6, duplicate=False)
    pairings = [schedule.pairing(number) for number in range(schedule.total)]
    assert len({pairing.deal for pairing in pairings}) == schedule.total
    assert Counter(pairing.seating[0] for pairing in pairings) == {0: 3, 1: 3}
