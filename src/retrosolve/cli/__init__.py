"""The command line: ``retrosolve solve | plan | verify | convert | explain | games``.

Exit status: 0 on an answer, 2 on bad input with one line on stderr, 1 on anything else.
"""

from __future__ import annotations

import sys

import click

from retrosolve.cli.convert import convert
from retrosolve.cli.explain import explain
from retrosolve.cli.games import games
from retrosolve.cli.output import say
from retrosolve.cli.plan import plan
from retrosolve.cli.solve import solve
from retrosolve.cli.verify import verify
from retrosolve.errors import RetrosolveError, VerificationError

INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="retrosolve")
def group() -> None:
    """Exact answers for two-player games on directed graphs.

    INPUT is a board file; a graph file (.csv .tsv .npz .pg .graphml .dot .parquet .json, also .gz);
    a built-in game such as stones:n=10,take=1+2 (the command games lists them); rules of your own,
    rules.py:ClassName; or a saved solution. A dash is standard input.
    """


for command in (solve, plan, verify, convert, explain, games):
    group.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and give its exit status."""
    try:
        group.main(arguments, prog_name="retrosolve", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except click.Abort:
        return INTERRUPTED
    except VerificationError as error:
        return _complain(f"not proven: {error}", 1)
    except RetrosolveError as error:
        return _complain(str(error), 2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone: nothing left to say, nor anyone to say it to
        return 1
    return 0


def _complain(message: str, status: int) -> int:
    say("retrosolve: " + " ".join(message.split()), err=True)
    return status
