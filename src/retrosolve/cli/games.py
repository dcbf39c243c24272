"""``retrosolve games``: the built-in games and what is published about them."""

from __future__ import annotations

import json
from typing import Any

import click

from retrosolve.cli.output import plain_console
from retrosolve.games import GAMES, GameSpec


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list and nothing else.")
def games(as_json: bool) -> None:
    """List the built-in games: parameters, positions, and the published answer for the start."""
    if as_json:
        click.echo(json.dumps([_record(game) for game in GAMES.values()]))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "parameters", "positions", "start", "source"):
        table.add_column(heading, justify="right" if heading == "positions" else "left")
    for game in GAMES.values():
        parameters = ",".join(f"{key}={value}" for key, value in game.defaults().items())
        row = (game.name, parameters or "-", str(game.positions), str(game.outcome), game.source)
        table.add_row(*row)
    plain_console(wrap=True).print(table)


def _record(game: GameSpec) -> dict[str, Any]:
    return {
        "name": game.name,
        "summary": game.summary,
        "parameters": game.defaults(),
        "positions": game.positions,
        "value": game.outcome.value.label,
        "remoteness": game.outcome.remoteness,
        "source": game.source,
    }
