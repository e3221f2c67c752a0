"""`clifftop verify` and `clifftop audit`: what the record of a match proves."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

import click

from service.settings import Settings

if TYPE_CHECKING:
    from ai.audit import Checked, Fault
    from engines import Game

RECORD = click.argument("record", type=click.File("r", encoding="utf-8"))


@click.command()
@RECORD
def verify(record: IO[str]) -> None:
    """Play a record again: does the seed fit its published hash, is every move legal, is the end the same?

    RECORD is the answer of GET /v1/matches/{id}/record of a match that is over, in a file; - reads it from standard input.
    Exit code 0: all of it is true; 1: something is not, or it is no record.
    """
    from ai.audit import verify as check
    from engines.records import BadRecord

    data = read(record)
    try:
        faults = check(data, games())
    except BadRecord as error:
        raise click.ClickException(str(error)) from error
    for fault in faults:
        click.echo(said(fault))
    if faults:
        sys.exit(1)
    click.echo(f"true: the seed fits its published hash, all {len(data['actions'])} moves are legal, the end is the same")


@click.command()
@RECORD
def audit(record: IO[str]) -> None:
    """Think every AI move of a record again, from what the AI's seat knew: did the AIs cheat?

    Each move of an AI is searched with its recorded level, seed and number of iterations, from the match as far as its seat
    could know it, and must come out the same. RECORD is as for `verify`, which is done as well. Exit code 0: every move of
    an AI was reproduced; 1: one was not, or something else in the record is not true.
    """
    from ai.audit import audit as check
    from ai.audit import verify as play_again
    from engines.records import BadRecord

    data = read(record)
    checked: list[Checked] = []
    try:
        faults = play_again(data, games())
        for move in check(data, games()):
            click.echo(line(move))
            checked.append(move)
    except BadRecord as error:
        raise click.ClickException(str(error)) from error
    sys.exit(0 if summed_up(checked, faults) else 1)


def read(record: IO[str]) -> Any:
    """Return the JSON in a record's file."""
    try:
        return json.load(record)
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{record.name} is not JSON: {error}") from error


def games() -> Mapping[str, Game]:
    """Return all games, with the further editions that the settings name."""
    from engines import GAMES, editions

    folder = Settings.from_environment().editions_dir
    if folder is not None:
        editions.add_folder(folder)
    return GAMES


def line(move: Checked) -> str:
    """Return one audited move as a line."""
    why = f": {move.reason}" if move.reason else ""
    return f"{move.number:>4}  seat {move.seat}  {move.by:<8}  {move.verdict:<10}  {move.text}{why}"


def said(fault: Fault) -> str:
    """Return a fault as a line."""
    return fault.reason if fault.number is None else f"move {fault.number}: {fault.reason}"


def summed_up(checked: list[Checked], faults: list[Fault]) -> bool:
    """Say what came of an audit; return whether all is true."""
    for fault in faults:
        click.echo(f"not true: {said(fault)}")
    again = sum(move.verdict == "reproduced" for move in checked)
    other = sum(move.verdict == "no thought" for move in checked)
    wrong = [move for move in checked if move.verdict == "differs"]
    click.echo(f"{again} moves of AIs reproduced, {other} moves of others, {len(wrong)} that differ")
    if wrong:
        click.echo(f"the first move that differs is number {wrong[0].number}, of seat {wrong[0].seat}: {wrong[0].reason}")
    return not wrong and not faults
