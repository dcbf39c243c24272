"""``retrosolve games``: the built-in games and their published answers."""

from __future__ import annotations

import json
from typing import Any

import click

from retrosolve.cli.help import epilog
from retrosolve.games import GAMES, GameSpec


@click.command(
    epilog=epilog("retrosolve games", "retrosolve games --json", "retrosolve solve hexapawn")
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list and nothing else.")
def games(as_json: bool) -> None:
    """List the built-in games: parameters, positions, and the published answer for the start.

    Each name is an INPUT for the other commands, with parameters after a colon.
    """
    if as_json:
        click.echo(json.dumps([_record(spec) for spec in GAMES.values()]))
        return
    from rich.table import Table

    from retrosolve.cli.output import rich_console

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "parameters", "positions", "start", "source"):
        table.add_column(heading, justify="right" if heading == "positions" else "left")
    for spec in GAMES.values():
        parameters = ",".join(f"{key}={value}" for key, value in spec.defaults().items())
        row = (spec.name, parameters or "-", str(spec.positions), str(spec.outcome), spec.source)
        table.add_row(*row)
    rich_console().print(table)


def _record(spec: GameSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "summary": spec.summary,
        "parameters": spec.defaults(),
        "positions": spec.positions,
        "value": spec.outcome.value.label,
        "remoteness": spec.outcome.remoteness,
        "source": spec.source,
    }
