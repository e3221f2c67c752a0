"""What the commands that play many matches share: options that are checked before anything is played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ai.contestants import BadContestant, budget_of
from engines import PACKAGES


class OutFile(click.Path):
    """A file to write, in a folder that there is: hours of matches are not to end in an error."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the path.

        Raises:
            click.BadParameter: it is a folder, or cannot be written, or its folder is missing.
        """
        path = Path(str(super().convert(value, parameter, context)))
        folder = path.absolute().parent
        if not folder.is_dir():
            self.fail(f"there is no folder {folder}", parameter, context)
        if not path.exists() and not os.access(folder, os.W_OK):
            self.fail(f"folder {folder} cannot be written to", parameter, context)
        return path


class Budget(click.ParamType):
    """How long a search may take about a move, as the arena spells it: 100ms, 1s or 2000it; a text."""

    name = "budget"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the text as it is.

        Raises:
            click.BadParameter: it is no budget.
        """
        try:
            budget_of(value)
        except BadContestant as error:
            self.fail(str(error), parameter, context)
        return value


#: Games by name, all if none is named.
games = click.argument("games", nargs=-1, type=click.Choice(list(PACKAGES)))
jobs = click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")


def seed(default: int) -> Any:
    """Return the option for the seed."""
    return click.option("--seed", type=int, default=default, show_default=True, help="All chance follows from it.")


def budget(default: str) -> Any:
    """Return the option for the time or the iterations of a move."""
    return click.option(
        "--budget", type=Budget(), default=default, show_default=True, help="Of each move: like 100ms, 1s or 2000it."
    )
