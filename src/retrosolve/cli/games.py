"""``retrosolve games``: the built-in games and their published answers."""

from __future__ import annotations

import inspect
import json
import textwrap
from typing import Any, get_args, get_type_hints

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.output import print_line, print_table
from retrosolve.games import GAMES, GameSpec
from retrosolve.games.table import spec_in


@click.command(
    epilog=epilog(
        "retrosolve games",
        "retrosolve games police",
        "retrosolve games --json",
        "retrosolve solve hexapawn",
    )
)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list and nothing else.")
def games(name: str | None, as_json: bool) -> None:
    """List the built-in games: parameters, positions, and the published answer for the start.

    Each name is an INPUT for the other commands, with parameters after a colon. With NAME, say more of
    that game.
    """
    shown = list(GAMES.values()) if name is None else [spec_in(name)]
    if as_json:
        click.echo(json.dumps([_record(spec) for spec in shown]))
        return
    if name is not None:
        _print_game(*shown)
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


def _print_game(spec: GameSpec) -> None:
    """Print a game: its rules, and what its classes say of them and of its parameters."""
    made = spec.make if inspect.isclass(spec.make) else get_type_hints(spec.make)["return"]
    classes = get_args(made) or (made,)
    parameters = ",".join(f"{key}={value}" for key, value in spec.defaults().items())
    print_table(
        [
            ("game", f"{spec.name}:{parameters}" if parameters else spec.name),
            ("positions", f"{spec.positions}, {spec.outcome} for the player to move at the start"),
            ("source", spec.source),
            ("class", ", ".join(f"{one.__module__}.{one.__qualname__}" for one in classes)),
        ]
    )
    texts = ["\n".join(textwrap.wrap(spec.rules, 100))]
    texts += [inspect.getdoc(one) or "" for one in dict.fromkeys((spec.make, *classes))]
    for text in texts:
        print_line("")
        for line in text.partition("\nExamples\n")[0].splitlines():
            print_line(line)


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
