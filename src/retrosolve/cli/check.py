"""``retrosolve check``: test the rules of a game on a sample of positions."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import Request, json_option, takes_input
from retrosolve.cli.output import print_line

STATUS_FOUND = 1


@click.command(
    epilog=epilog(
        "retrosolve check rules.py:ClassName,n=50", "retrosolve check tictactoe --samples 500"
    )
)
@takes_input()
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Approximate number of positions to check.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of random choices."
)
@json_option
@click.pass_context
def check(context: click.Context, request: Request, samples: int, seed: int, as_json: bool) -> None:
    """Test the rules of INPUT on a sample of positions.

    INPUT has rules: rules.py:ClassName or a built-in game. Prints the first position that violates
    each part of the contract of rules, and the first function of compiled rules that cannot be
    compiled. The exit status is 1 if there is one.
    """
    game = request.load().subject
    if not isinstance(game, rs.Game | rs.CompiledGame):
        raise rs.FormatError(
            f"{request.source} has no rules to check: expected rules.py:ClassName or a built-in game"
        )
    report = rs.check_game(game, samples=samples, seed=seed, collect=True, compiles=True)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        for line in str(report).splitlines():
            print_line(line)
        print_line("no violations" if not report.findings else f"violations: {len(report.findings)}")
    if report.findings:
        context.exit(STATUS_FOUND)
