"""The program ``python -m chainrules``: reads the arguments, runs one command, prints its answer."""

import argparse
import os
import sys
from collections.abc import Sequence

from chainrules.command_line import coverage, doctor, explain, rules
from chainrules.command_line.answers import show
from chainrules.command_line.lookup_errors import NothingFoundError

_COMMANDS = (rules, explain, coverage, doctor)


def main(arguments: Sequence[str]) -> int:
    """Run one command, and return the exit code: 0 for an answer, 2 for a question that has none.

    Parameters
    ----------
    arguments
        The words that follow ``python -m chainrules``.
    """
    parser = _parser()
    parsed = parser.parse_args(arguments)
    if parsed.command is None:
        parser.print_help()
        return 0
    try:
        show(parsed.command(parsed), as_json=parsed.json)
        sys.stdout.flush()
    except NothingFoundError as error:
        print(f"python -m chainrules: error: {error}", file=sys.stderr)  # noqa: T201 - a program's message
        return 2
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m chainrules",
        description="Answers questions about the derivative rules that are installed.",
        epilog="Each command has its own --help. Exit code: 0 for an answer, 2 where something is unknown.",
    )
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for module in _COMMANDS:
        command = module.add_to(commands)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        command.add_argument("--json", action="store_true", help="print the answer as JSON")
        command.set_defaults(command=module.answer)
    return parser
