"""``retrosolve explain``: the steps of the algorithm on a small input, in sentences."""

from __future__ import annotations

import click

from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.options import StuckOptions, stuck_options
from retrosolve.cli.output import print_line
from retrosolve.explanation import explain as explain_subject


@click.command()
@input_options
@stuck_options
def explain(
    request: InputOptions,
    stuck: StuckOptions,
) -> None:
    """Explain step by step how every position of a small game is decided, and why."""
    loaded = request.load()
    for chapter in explain_subject(loaded.subject, stuck.resolve(loaded.stuck)):
        print_line(chapter.heading, bold=True)
        for sentence in chapter.sentences:
            print_line(f"  {sentence}")
