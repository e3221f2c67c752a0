"""Information-set Monte-Carlo tree search for every game, compiled once a game over its kernels.

Multiple-observer ISMCTS (Cowling, Powley & Whitehouse 2012, IEEE TCIAIG 4(2)): every iteration imagines one world that fits
what the searching seat knows and walks down a tree whose nodes are information sets of the seat to move. A node's key is that
seat and its running hash of all it has been shown (`state.seen`), so hidden and simultaneous choices need nothing special.
The five steps of an iteration are functions of their own below: imagine, select, expand, play out, back up.

The same seed and number of iterations give the same tree, however the iterations are cut into slices, in any process: there
is no floating-point function in it but the square root, which IEEE 754 rounds exactly.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from ai import playouts
from engines import kernel
from engines.game import Game
from engines.kernel import MAX_SEATS, TELL_HASH, TELL_NOTHING, Array, State, below, helper, mix, next_word, word

# --- the tree ---------------------------------------------------------------------------------------------------------
#
#   nodes (slots,)  NODE  open-addressing table, linear probing; slots is a power of two, at most three quarters are used
#   edges (EDGES,)  EDGE  in order of creation; a node's edges are a linked list: first, next, next, ... NONE
#
# A node is one information set, an edge one action tried there.

#: No edge, no seat.
NONE = -1
#: The key of a slot of `nodes` that is not in use.
EMPTY = 0

NODE = kernel.record(
    [
        ("key", "u8"),  # seat and seen hash, see `key_of`
        ("first", "i4"),  # its newest edge
        ("visits", "i4"),
    ]
)
EDGE = kernel.record(
    [
        ("payoff", "f8"),  # sum, over the visits, of the payoff of the seat that acts
        ("visits", "i4"),
        ("available", "i4"),  # how often the action was legal when its node was visited, once the edge was there
        ("next", "i4"),  # the node's next older edge
        ("action", "i2"),
    ]
)

#: Slots of a new table, and of the largest: with EDGES they keep one search below 64 MB even while a table is copied.
FIRST_SLOTS = 1 << 12
SLOTS = 1 << 20
EDGES = 1_500_000
#: The longest walk through the tree; below it, a playout.
DEPTH = 512
#: How many different numbers an action (int16) can be.
ACTIONS = 1 << 16

#: One search: the small things it keeps from slice to slice.
RUN = kernel.record(
    [
        ("exploration", "f8"),
        ("widening", "f8"),
        ("hurry", "f8"),
        ("iterations", "i8"),  # done so far
        ("plies", "i8"),  # played so far, in the tree and below
        ("turns", "i8"),  # how often the turn has passed to another seat in this iteration
        ("path", "i4", (DEPTH,)),  # edges walked in this iteration
        ("movers", "i1", (DEPTH,)),  # who acted on each
        ("depth", "i4"),  # how many they are
        ("nodes", "i4"),  # in use
        ("edges", "i4"),  # in use
        ("most_nodes", "i4"),  # that may ever be in use
        ("most_edges", "i4"),
        ("cut", "i4"),  # plies after which a playout is cut; 0: never
        ("stamp", "i4"),  # of the last node visited, see `marks`
        ("chosen", "i4"),  # the action of the root in this iteration, NONE if it has no edge
        ("mover", "i1"),  # who acted last in this iteration
        ("seat", "i1"),  # who searches
        ("perfect", "i1"),  # 1: a node is keyed by what all seats have seen (determinized search)
    ]
)

#: Places in `worlds`.
ROOT = 0
WORLD = 1

#: Natural logarithms of 0..1023, rounded, so that every machine has the same.
_LOGS = np.array([0.0] + [round(math.log(n), 9) for n in range(1, 1024)])
_LOG_2 = round(math.log(2), 9)


@helper
def _log(n: int) -> float:
    """Return the natural logarithm of n >= 1, to a thousandth."""
    doublings = 0
    while n >= 1024:
        n >>= 1
        doublings += 1
    return _LOGS[n] + doublings * _LOG_2


@helper
def key_of(world: State, seat: int, perfect: int) -> Any:
    """Return the key of the seat's information set; with `perfect`, of all seats' together."""
    key = mix(world.seen[seat], seat + 1)
    if perfect:
        for other in range(int(world.seats)):
            key = mix(key ^ world.seen[other], other)
    return key if key != EMPTY else word(1)


@helper
def _slot(nodes: Array, key: Any) -> Any:
    """Return the slot that holds the key, or the empty one where it belongs."""
    mask = nodes.shape[0] - 1
    slot = np.int64(key & word(mask))
    while nodes[slot].key != key and nodes[slot].key != EMPTY:
        slot = (slot + 1) & mask
    return slot


@helper
def _move_nodes(old: Array, new: Array) -> None:
    """Put every node of a table into a larger, empty one."""
    for i in range(old.shape[0]):
        if old[i].key != EMPTY:
            new[_slot(new, old[i].key)] = old[i]


# --- the five steps ---------------------------------------------------------------------------------------------------


@helper
def _imagine(run: State, worlds: Array, words: Array, imagine: Any) -> None:
    """Step 1: copy the redacted root and fill in one world that fits it."""
    worlds[WORLD] = worlds[ROOT]
    imagine(worlds[WORLD], int(run.seat), next_word(words))
    worlds[WORLD].telling = TELL_HASH
    run.depth = 0
    run.turns = 0
    run.mover = run.seat
    run.chosen = NONE


@helper
def _count_turn(run: State, seat: int) -> None:
    """Count a turn if somebody else acts than before."""
    if seat != run.mover:
        run.mover = seat
        run.turns += 1


@helper
def _mark(run: State, marks: Array, legal: Array, n: int) -> int:
    """Mark the legal actions with a fresh stamp and return it."""
    stamp = int(run.stamp) + 1
    run.stamp = stamp
    for i in range(n):
        marks[int(legal[i]) & (ACTIONS - 1)] = stamp
    return stamp


@helper
def _count_available(first: int, edges: Array, marks: Array, stamp: int) -> int:
    """Return how many legal actions have an edge; count them as available, and turn their marks negative."""
    tried = 0
    edge = first
    while edge != NONE:
        place = int(edges[edge].action) & (ACTIONS - 1)
        if marks[place] == stamp:
            marks[place] = -stamp
            edges[edge].available += 1
            tried += 1
        edge = int(edges[edge].next)
    return tried


@helper
def _select(first: int, edges: Array, marks: Array, stamp: int, exploration: float) -> int:
    """Step 2: return the available edge with the highest upper confidence bound (UCB1 over availability counts)."""
    best, best_bound = NONE, -1.0
    counted, log = 0, 0.0
    edge = first
    while edge != NONE:
        if marks[int(edges[edge].action) & (ACTIONS - 1)] == -stamp:
            if edges[edge].available != counted:
                counted = int(edges[edge].available)
                log = _log(counted)
            visits = int(edges[edge].visits)
            bound = edges[edge].payoff / visits + exploration * math.sqrt(log / visits)
            if bound > best_bound:
                best, best_bound = edge, bound
        edge = int(edges[edge].next)
    return best


@helper
def _may_widen(run: State, nodes: Array, slot: int, key: Any, tried: int) -> bool:
    """Return whether a node of whose legal actions so many have an edge may get one more (progressive widening)."""
    visits = int(nodes[slot].visits) if nodes[slot].key == key else 0
    return tried * tried <= run.widening * max(visits, 1)


@helper
def _untried(words: Array, marks: Array, stamp: int, legal: Array, n: int, tried: int) -> int:
    """Return one of the legal actions without an edge, every one equally likely."""
    skip = below(words, n - tried)
    for i in range(n):
        if marks[int(legal[i]) & (ACTIONS - 1)] == stamp:
            if skip == 0:
                return int(legal[i])
            skip -= 1
    return int(legal[0])


@helper
def _expand(run: State, nodes: Array, slot: int, key: Any, edges: Array, action: int) -> int:
    """Step 3: return a new edge for the action, below a new node if the slot is empty; NONE when there is no room."""
    new_node = nodes[slot].key == EMPTY
    if run.edges >= run.most_edges or (new_node and run.nodes >= run.most_nodes):
        return NONE
    if new_node:
        nodes[slot].key = key
        nodes[slot].first = NONE
        nodes[slot].visits = 0
        run.nodes += 1
    edge = int(run.edges)
    run.edges += 1
    edges[edge].payoff = 0.0
    edges[edge].visits = 0
    edges[edge].available = 1
    edges[edge].next = nodes[slot].first
    edges[edge].action = action
    nodes[slot].first = edge
    return edge


@helper
def _turn(run: State, awaited: int) -> int:
    """Return whose decision is searched next: the searching seat's, else the lowest awaited seat's."""
    seat = int(run.seat)
    if (awaited >> seat) & 1:
        return seat
    return kernel.lowest(awaited)


@helper
def _descend(
    run: State,
    world: State,
    nodes: Array,
    edges: Array,
    marks: Array,
    words: Array,
    out: Array,
    awaiting: Any,
    legal: Any,
    play: Any,
    choose: Any,
) -> None:
    """Walk down the tree, select by select, until an edge is added, the match ends or there is no room."""
    exploration = run.exploration
    growing = True
    at_root = True
    while growing and run.depth < DEPTH:
        awaited = awaiting(world)
        if awaited == 0:
            return
        seat = _turn(run, awaited)
        n = legal(world, seat, out)
        action = int(out[0])
        if n > 1:
            key = key_of(world, seat, int(run.perfect))
            slot = _slot(nodes, key)
            first = int(nodes[slot].first) if nodes[slot].key == key else NONE
            stamp = _mark(run, marks, out, n)
            tried = _count_available(first, edges, marks, stamp)
            if tried < n and _may_widen(run, nodes, slot, key, tried):
                growing = False
                action = choose(world, seat, out, n, words) if tried == 0 else _untried(words, marks, stamp, out, n, tried)
                edge = _expand(run, nodes, slot, key, edges, action)
            else:
                edge = _select(first, edges, marks, stamp, exploration)
                action = int(edges[edge].action)
            if edge != NONE:
                nodes[slot].visits += 1
                run.path[run.depth] = edge
                run.movers[run.depth] = seat
                run.depth += 1
                if at_root:
                    run.chosen = action
        at_root = False
        play(world, seat, action)
        _count_turn(run, seat)
        run.plies += 1


@helper
def _play_out(run: State, world: State, words: Array, out: Array, awaiting: Any, legal: Any, play: Any, choose: Any) -> None:
    """Step 4: play on by the playout policy to the end or the cut, and leave the world there."""
    world.telling = TELL_NOTHING
    cut = int(run.cut)
    plies = 0
    awaited = awaiting(world)
    while awaited != 0 and (cut == 0 or plies < cut):
        seat = _turn(run, awaited)
        n = legal(world, seat, out)
        action = int(out[0])
        if n > 1:
            action = choose(world, seat, out, n, words)
        play(world, seat, action)
        _count_turn(run, seat)
        plies += 1
        awaited = awaiting(world)
    run.plies += plies


@helper
def _fade(paid: Array, seats: int, fade: float) -> None:
    """Take a part 0..1 from every seat's payoff."""
    for seat in range(seats):
        paid[seat] *= 1.0 - min(fade, 1.0)


@helper
def _back_up(run: State, edges: Array, paid: Array) -> None:
    """Step 5: give every edge on the path the payoff of the seat that acted there."""
    for i in range(run.depth):
        edge = int(run.path[i])
        edges[edge].visits += 1
        edges[edge].payoff += paid[run.movers[i]]


def _search(
    iterations: int,
    run: State,
    worlds: Array,
    nodes: Array,
    edges: Array,
    marks: Array,
    words: Array,
    paid: Array,
    out: Array,
    sums: Array,
    awaiting: Any,
    legal: Any,
    play: Any,
    imagine: Any,
    payoffs: Any,
    choose: Any,
    shape: Any,
) -> int:
    """Do up to so many iterations and return how many; fewer only when the table of nodes must grow first.

    Args:
        run: one RUN.
        worlds: (2,) STATE: the redacted root, and the world played in.
        nodes, edges: the tree.
        marks: (ACTIONS,) int32: the stamp of the last node visited in which an action was legal; negative: it has an edge.
        words: (4,) uint64, the search's random generator.
        paid: (MAX_SEATS,) float64, the payoffs of the last iteration.
        out: (max_actions,) int16, scratch for legal actions.
        sums: (ACTIONS,) float64: for each action of the root, the searching seat's payoffs, neither shaped nor faded.
        awaiting, legal, play, imagine, payoffs, choose, shape: the game's kernels.
    """
    for done in range(iterations):
        if 4 * run.nodes >= 3 * nodes.shape[0] and run.nodes < run.most_nodes:
            return done
        _imagine(run, worlds, words, imagine)
        _descend(run, worlds[WORLD], nodes, edges, marks, words, out, awaiting, legal, play, choose)
        _play_out(run, worlds[WORLD], words, out, awaiting, legal, play, choose)
        payoffs(worlds[WORLD], paid)
        if run.chosen != NONE:
            sums[int(run.chosen) & (ACTIONS - 1)] += paid[int(run.seat)]
        shape(worlds[WORLD], paid)
        if run.hurry > 0.0:
            _fade(paid, int(worlds[WORLD].seats), run.hurry * int(run.turns))
        _back_up(run, edges, paid)
        run.iterations += 1
    return iterations


# --- compiling --------------------------------------------------------------------------------------------------------


@cache
def compiled(dtype: np.dtype[Any]) -> Callable[..., int]:
    """Return `_search`, compiled for states of `dtype` (or loaded from the disk cache).

    Kernels come in as first-class functions with explicit signatures, and the search has one itself: else numba would compile
    it anew in every process, for these very kernels.
    """
    table = kernel.signatures(dtype)
    records = [numba.from_dtype(d) for d in (dtype, NODE, EDGE)]
    arrays = [
        types.Array(item, 1, "C") for item in [*records, types.int32, types.uint64, types.float64, types.int16, types.float64]
    ]
    names = ("awaiting", "legal", "play", "imagine", "payoffs", "choose", "payoffs")
    kernels = [types.FunctionType(table[name]) for name in names]
    signature = types.int64(types.int64, numba.from_dtype(RUN), *arrays, *kernels)
    search: Callable[..., int] = numba.njit(signature, cache=True, nogil=True)(_search)
    return search


# --- the Python face --------------------------------------------------------------------------------------------------


#: What a setting may be, from and to.
RANGES = {
    "exploration": (0, 1000),
    "widening": (0, math.inf),
    "hurry": (0, 1),
    "cut": (0, 1_000_000),
    "most_nodes": (1, 1 << 26),
    "most_edges": (1, 1 << 26),
}


@dataclass(frozen=True)
class Settings:
    """One variant of the search; the arena compares them.

    Attributes:
        exploration: the constant before the square root of UCB1, for payoffs of 0..1; None: as the playout file says.
        widening: a node of v visits gets another action once the square of those it has is at most widening * v; None: as
            the playout file says; infinity: a node is given all its actions first.
        hurry: the part of a payoff that it costs whenever the turn passes to another seat on the way to it, so that a win now
            is better than the same win later, which may never come; None: as the playout file says.
        policy: play out by the game's own policy; otherwise at random.
        shaped: add what the game's playout file wants besides winning (reward shaping), if it wants anything.
        cut: after how many plies playouts are cut; None: where the game's playout file says; 0: never.
        inference: imagine worlds by what the others did, where the game's playout file can; otherwise evenly.
        perfect: key nodes by what all seats have seen; only for determinized search.
        most_nodes, most_edges: how large the tree may grow.

    Raises:
        ValueError: a number is out of its range (`RANGES`).
    """

    exploration: float | None = None
    widening: float | None = None
    hurry: float | None = None
    policy: bool = True
    shaped: bool = True
    cut: int | None = None
    inference: bool = False
    perfect: bool = False
    most_nodes: int = SLOTS // 4 * 3
    most_edges: int = EDGES

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise ValueError(f"{name} is from {low:,} to {high:,}, not {value}")


#: The search as we play it, and the plain one it is measured against: random playouts to the end.
STANDARD = Settings()
PLAIN = Settings(exploration=0.7, widening=math.inf, hurry=0.0, policy=False, shaped=False, cut=0)


@dataclass(frozen=True)
class Choice:
    """What the search found about one action of the root.

    Attributes:
        action: the action.
        visits: how often the search took it.
        share: its part of all visits, 0..1.
        payoff: the mean payoff of the searching seat over those visits, 0..1, without shaping and hurry; None for a forced
            decision.
    """

    action: int
    visits: int
    share: float
    payoff: float | None


def ranked(found: Mapping[int, tuple[int, float, float]]) -> list[Choice]:
    """Return choices from (visits, sum of what was sought, sum of payoffs) by action.

    The most visited come first; of equals those with more of what was sought, then the lower.
    """
    total = sum(visits for visits, _, _ in found.values())
    order = sorted(found, key=lambda action: (-found[action][0], -found[action][1], action))
    return [Choice(a, found[a][0], found[a][0] / total, found[a][2] / max(found[a][0], 1)) for a in order]


#: Compiled code runs at most about so long before the deadline is looked at.
SLICE_MS = 20.0
_FIRST_SLICE = 16
#: How many times the iterations that a time seems to leave may be left.
_MARGIN = 1.25
NO_LIMIT = 1 << 62


class Search:
    """One search, from one redacted state; it can be run on and on.

    Args:
        game: the game.
        redacted: the state as the seat may know it; copied.
        seat: who searches; must be awaited.
        seed: 64 bits.
        settings: which variant.
        imagine: a kernel in place of the game's `imagine`, e.g. one that infers roles.
    """

    def __init__(
        self,
        game: Game,
        redacted: State,
        seat: int,
        seed: int,
        settings: Settings = STANDARD,
        imagine: Callable[[State, int, Any], None] | None = None,
    ) -> None:
        found = playouts.find(game)
        rules = game.kernels
        self._search = compiled(game.dtype)
        self._kernels = (
            rules.awaiting,
            rules.legal,
            rules.play,
            imagine or (settings.inference and found.infer) or rules.imagine,
            rules.payoffs,
            found.choose if settings.policy else found.uniform,
            found.shape if settings.shaped else found.unshaped,
        )
        self.worlds = np.zeros(2, game.dtype)
        self.worlds[ROOT] = redacted
        self.book = np.zeros(1, RUN)[0]
        run = self.book
        run.seat = seat
        run.perfect = settings.perfect
        run.exploration = found.exploration if settings.exploration is None else settings.exploration
        run.widening = found.widening if settings.widening is None else settings.widening
        run.hurry = found.hurry if settings.hurry is None else settings.hurry
        run.cut = found.cut + found.cut_a_seat * int(redacted.seats) if settings.cut is None else settings.cut
        run.most_nodes = settings.most_nodes
        run.most_edges = settings.most_edges
        self.nodes = np.zeros(FIRST_SLOTS, NODE)
        self.edges = np.empty(settings.most_edges, EDGE)
        self._words = np.zeros(4, np.uint64)
        kernel.seed_words(self._words, np.uint64(seed))
        self._paid = np.zeros(MAX_SEATS)
        self._marks = np.zeros(ACTIONS, np.int32)
        self._out = np.zeros(game.max_actions, np.int16)
        self._sums = np.zeros(ACTIONS)
        self._root_key = np.uint64(key_of(self.worlds[ROOT], seat, int(settings.perfect)))

    @property
    def iterations(self) -> int:
        """How many iterations have been done."""
        return int(self.book.iterations)

    @property
    def plies(self) -> int:
        """How many actions have been played in the search's worlds, in the tree and below it."""
        return int(self.book.plies)

    @property
    def nbytes(self) -> int:
        """Memory of the search's arrays in bytes, as far as they may be filled."""
        arrays = (self.worlds, self.nodes, self.edges, self._marks, self._out, self._sums)
        return sum(array.nbytes for array in arrays) + RUN.itemsize

    def run(self, iterations: int) -> None:
        """Do so many more iterations, in one slice but for the growing of the table."""
        while iterations > 0:
            scratch = (self._marks, self._words, self._paid, self._out, self._sums)
            iterations -= self._search(iterations, self.book, self.worlds, self.nodes, self.edges, *scratch, *self._kernels)
            if iterations > 0:
                self.grow()

    def run_for(self, milliseconds: float, iterations: int | None = None, *, until_decided: bool = False) -> None:
        """Run in slices until the time is up or so many iterations are done; at least one, though.

        Args:
            milliseconds: the time.
            iterations: the most iterations.
            until_decided: stop as soon as no other action can become the most visited in the iterations left: the best choice
                is that of all of them. With a time only, how many are left is estimated from the last slice.
        """
        now = time.perf_counter()
        deadline = now + milliseconds / 1000
        left = NO_LIMIT if iterations is None else iterations
        wanted = _FIRST_SLICE
        while left > 0:
            wanted = min(wanted, left)
            self.run(wanted)
            left -= wanted
            now, before = time.perf_counter(), now
            if now >= deadline:
                return
            speed = wanted / max(now - before, 1e-6)
            window = min(SLICE_MS / 1000, deadline - now)
            wanted = max(1, min(4 * wanted, int(speed * window)))
            if until_decided:
                lead, still = self._lead(), speed * (deadline - now) * _MARGIN if iterations is None else left
                if lead > still:
                    return
                # An iteration adds at most one to the lead, and takes one from what is left.
                wanted = max(1, min(wanted, int(still - lead) // 2 + 1))

    def _lead(self) -> int:
        """Return how many more visits the most visited action of the root has than the next."""
        visits = [choice.visits for choice in self.choices()[:2]]
        return visits[0] - sum(visits[1:])

    def run_sliced(self, iterations: int) -> None:
        """Do so many more iterations, in slices, however long they take."""
        self.run_for(math.inf, iterations)

    def grow(self) -> None:
        """Double the table of nodes; the tree stays the same."""
        larger = np.zeros(2 * self.nodes.shape[0], NODE)
        _move_nodes(self.nodes, larger)
        self.nodes = larger

    def choices(self, roots: Iterable[Any] | None = None) -> list[Choice]:
        """Return the tried actions of the root, the most visited first.

        Args:
            roots: the keys of several roots, whose visits are added up; None: of the one.
        """
        found: dict[int, tuple[int, float, float]] = {}
        for key in (self._root_key,) if roots is None else roots:
            slot = _slot(self.nodes, key)
            edge = int(self.nodes[slot].first) if self.nodes[slot].key == key else NONE
            while edge != NONE:
                item = self.edges[edge]
                action = int(item.action)
                visits, sought, _ = found.get(action, (0, 0.0, 0.0))
                paid = float(self._sums[action & (ACTIONS - 1)])
                found[action] = (visits + int(item.visits), sought + float(item.payoff), paid)
                edge = int(item.next)
        return ranked(found)
