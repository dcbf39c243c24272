"""``retrosolve explain``: the algorithm's steps on a small input, the way a teacher would."""

from __future__ import annotations

import click

from retrosolve.cli.inputs import Input, input_options
from retrosolve.cli.options import Stuck, stuck_options
from retrosolve.cli.output import say
from retrosolve.explanation import explain as chapters_of


@click.command()
@input_options
@stuck_options
def explain(
    given: Input,
    stuck: Stuck,
) -> None:
    """Show step by step how every position of a small game is decided, and why."""
    loaded = given.load()
    for chapter in chapters_of(loaded.subject, stuck.rule(loaded.stuck)):
        say(chapter.heading, bold=True)
        for sentence in chapter.sentences:
            say(f"  {sentence}")
