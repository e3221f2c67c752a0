"""Boards: text files of hexes, read, checked and turned into the tables of the state."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engines.editions import BadEdition
from engines.lemminge.state import BEYOND, DIRECTIONS, MAX_PENS, MAX_SIDE, MAX_SPACES, OFF

MEADOW_LETTER, PEN_LETTER, FINISH_LETTER, NO_SPACE = ".", ">", "!", "#"
LETTERS = MEADOW_LETTER + PEN_LETTER + FINISH_LETTER + NO_SPACE

#: Names of the directions as `state.near` numbers them, and their steps (rows, columns) from an even and from an odd row.
NAMES = ("E", "NE", "NW", "W", "SW", "SE")
STEPS = (
    ((0, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)),
    ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (1, 1)),
)

Cell = tuple[int, int]


def neighbour(cell: Cell, direction: int) -> Cell:
    """Return the cell in a direction, on the board or not."""
    rows, columns = STEPS[cell[0] & 1][direction]
    return cell[0] + rows, cell[1] + columns


def hex_name(cell: Cell) -> str:
    """Return a cell as actions and views name it: "row,column"."""
    return f"{cell[0]},{cell[1]}"


@dataclass(frozen=True)
class Board:
    """One board.

    Attributes:
        name: the file's name without its ending.
        rows: the letters of the file.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def spaces(self) -> tuple[Cell, ...]:
        """The cell of each space, row by row."""
        return tuple(cell for cell in self._cells() if self.letter(cell) not in LETTERS[1:])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each space as actions and views name it."""
        return tuple(hex_name(cell) for cell in self.spaces)

    @cached_property
    def pens(self) -> tuple[Cell, ...]:
        """The cell of each pen cell, row by row."""
        return tuple(cell for cell in self._cells() if self.letter(cell) == PEN_LETTER)

    @cached_property
    def numbers(self) -> dict[Cell, int]:
        """The number of each space, by its cell."""
        return {cell: number for number, cell in enumerate(self.spaces)}

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """The neighbour of each space, then of each pen cell, in each direction; BEYOND, OFF."""
        return tuple(tuple(self._beside(cell)) for cell in self.spaces + self.pens)

    @cached_property
    def distance(self) -> tuple[int, ...]:
        """Fewest steps across from each space, crossing included, whatever the terrain; 0 where there is no way."""
        distance = [1 if BEYOND in self.near[i] else 0 for i in range(len(self.spaces))]
        queue = deque(i for i, steps in enumerate(distance) if steps)
        while queue:
            here = queue.popleft()
            for there in self.near[here]:
                if there >= 0 and not distance[there]:
                    distance[there] = distance[here] + 1
                    queue.append(there)
        return tuple(distance)

    @cached_property
    def pen_distance(self) -> int:
        """Fewest steps across from the pen, by the shortest exit; 0 where there is no way."""
        exits = {there for row in self.near[len(self.spaces) :] for there in row if there >= 0}
        return min((1 + self.distance[there] for there in exits if self.distance[there]), default=0)

    def letter(self, cell: Cell) -> str:
        """Return what is in a cell; outside the file there is no space."""
        row, column = cell
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else NO_SPACE

    def _beside(self, cell: Cell) -> list[int]:
        """Return a space's or pen cell's neighbours; no step leads from the pen over the finish line, or into the pen."""
        near = []
        for direction in range(DIRECTIONS):
            there = neighbour(cell, direction)
            over = self.letter(there) == FINISH_LETTER and self.letter(cell) != PEN_LETTER
            near.append(BEYOND if over else self.numbers.get(there, OFF))
        return near

    def _cells(self) -> list[Cell]:
        return [(r, c) for r, row in enumerate(self.rows) for c in range(len(row))]


def read_boards(folder: Path, letters: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return the letters of every board in a folder, by name, checked.

    Args:
        folder: holds `<name>.txt` files.
        letters: the letter of each terrain.

    Raises:
        BadEdition: a file that cannot be played on, with row and column.
    """
    boards = {}
    for path in sorted(folder.glob("*.txt")):
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadEdition(str(path), "", f"is not a readable text file: {error}") from error
        while lines and not lines[-1].strip():
            lines.pop()
        rows = [line.split() for line in lines]
        check(path, rows, letters)
        boards[path.stem] = rows
    return boards


def check(path: Path, rows: list[list[str]], letters: Sequence[str]) -> None:
    """Refuse a board that cannot be played on.

    Raises:
        BadEdition: its key names the row and column where there is one.
    """
    if len(rows) > MAX_SIDE or any(len(row) > MAX_SIDE for row in rows):
        raise BadEdition(str(path), "", f"has more than {MAX_SIDE} rows or columns, the maximum")
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter not in (*LETTERS, *letters):
                known = f"{' '.join(letters)} for terrain, . meadow, > pen, ! finish, # no space"
                raise BadEdition(str(path), f"row {r}, column {c}", f"there is no {letter!r}; there is {known}")
    board = Board(path.stem, tuple(tuple(row) for row in rows))
    for count, most, what in ((len(board.spaces), MAX_SPACES, "spaces"), (len(board.pens), MAX_PENS, "pen cells")):
        if count == 0:
            raise BadEdition(str(path), "", f"has no {what}")
        if count > most:
            raise BadEdition(str(path), "", f"has {count} {what}; the maximum is {most}")
    check_connected(path, board)


def check_connected(path: Path, board: Board) -> None:
    """Refuse a board on which a space, or the pen, has no way across the finish line.

    Raises:
        BadEdition: names the row and column.
    """
    if not any(FINISH_LETTER in row for row in board.rows):
        raise BadEdition(str(path), "", "has no finish (!)")
    if not board.pen_distance:
        r, c = board.pens[0]
        raise BadEdition(str(path), f"row {r}, column {c}", "there is no way from the pen to the finish")
    for (r, c), steps in zip(board.spaces, board.distance, strict=True):
        if not steps:
            raise BadEdition(str(path), f"row {r}, column {c}", "there is no way from this space to the finish")
