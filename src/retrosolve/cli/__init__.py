"""The command line: ``retrosolve COMMAND``, one of COMMANDS.

Exit status: 0 on an answer, 2 on bad input with one line on stderr, 1 on anything else. Only the
module that has the command is imported.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import click

from retrosolve.cli.help import INPUT
from retrosolve.cli.streams import OutputError, guard
from retrosolve.errors import RetrosolveError, UntrustedRulesError, VerificationError
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.lazy import load

INTERRUPTED = 130
COMMANDS = {
    "solve": "solve",
    "plan": "solve",
    "probe": "solutions",
    "stats": "solutions",
    "compare": "solutions",
    "verify": "solve",
    "convert": "files",
    "dataset": "files",
    "pack": "files",
    "explain": "explain",
    "film": "files",
    "play": "terminal_game",
    "plot": "files",
    "check": "solve",
    "check-solution": "exercise",
    "serve": "serve",
    "export": "files",
    "games": "games",
}
"""The module of each command."""


class CommandGroup(click.Group):
    """The group of all commands, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = load(
            f"retrosolve.cli.{COMMANDS[cmd_name]}:{cmd_name.replace('-', '_')}"
        )
        for parameter in command.params:
            if parameter.type is click.STRING and "POSITION" not in (parameter.metavar or ""):
                parameter.type = Text()
        return command


class Text(click.types.StringParamType):
    """A file, a folder, a game or another word: never empty, as an unset variable of a shell is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text. Raises click.BadParameter if it is empty."""
        if value == "":
            self.fail("the text is empty: expected at least one character", param, ctx)
        return str(super().convert(value, param, ctx))


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=f"Strongly solve two-player games on directed graphs.\n\n{INPUT}\n\n"
    "COMMAND --help explains a command, with examples.",
)
@click.version_option(package_name="retrosolve")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Prepare for any command; without one, print the help."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    guard()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    arguments : list of str, optional
        Arguments of the program, ``sys.argv[1:]`` by default.

    Returns
    -------
    int
        0 on an answer, 2 on bad input, 1 on anything else, 130 when interrupted.
    """
    try:
        status = group.main(arguments, prog_name="retrosolve", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except click.Abort:
        return INTERRUPTED
    except VerificationError as error:
        return _complain(f"not proven: {error}", 1)
    except UntrustedRulesError as error:
        return _complain(f"{error.reason}: expected {_with_trust(arguments)}", 2)
    except RetrosolveError as error:
        return _complain(str(error), 2)
    except MemoryError:
        return _complain("memory ran out: expected more of it, or a smaller INPUT", 2)
    except OutputError as error:
        return 1 if error.nobody_reads else _complain(str(error), 1)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return _complain(f"{short_repr(error.filename)} is too long for the name of a file", 2)
    return status if isinstance(status, int) else 0


def _with_trust(arguments: list[str] | None) -> str:
    """Return the command that was typed, with the consent to run the rules of a saved solution."""
    import shlex

    command, *rest = sys.argv[1:] if arguments is None else arguments
    return shlex.join(["retrosolve", command, "--trust-rules", *rest])


def _complain(message: str, status: int) -> int:
    from retrosolve.cli.output import print_line

    print_line("retrosolve: " + " ".join(message.split()), err=True)
    return status
