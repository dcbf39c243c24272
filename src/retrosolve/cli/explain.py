"""``retrosolve explain``: the algorithm's steps on a small input, the way a teacher would."""

from __future__ import annotations

import click

from retrosolve.cli.inputs import input_options, load
from retrosolve.cli.options import stuck_options, stuck_rule
from retrosolve.explain import explain as chapters_of


@click.command()
@input_options
@stuck_options
def explain(
    source: str,
    format_name: str | None,
    names: bool,
    vertices: str | None,
    start: str | None,
    stuck: str | None,
    misere: bool,
) -> None:
    """Show step by step how every position of a small game is decided, and why."""
    loaded = load(source, format_name, names, vertices, start)
    for chapter in chapters_of(loaded.subject, stuck_rule(stuck, misere, loaded.stuck)):
        click.secho(chapter.heading, bold=True)
        for sentence in chapter.sentences:
            click.echo(f"  {sentence}")
