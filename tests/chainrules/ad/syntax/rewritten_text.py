"""What the rewriting makes of a text, as a text to be read."""

import ast
import re
import textwrap

from chainrules.ad.syntax.compiling import rewritten

_HOOK = re.compile(r"'<chainrules.ad: ([^>]*)>'")
_VARIABLE = re.compile(r"<chainrules.ad: (?:operand )?(\d+)>")


def rewritten_text(source, is_guarded=False):
    """A module, rewritten, with the hooks' names as functions, and its variables as numbers."""
    text = ast.unparse(rewritten(ast.parse(source), is_guarded))
    return _VARIABLE.sub(r"<\1>", _HOOK.sub(r"_\1", text))


def rewritten_in_function(source, is_guarded=False):
    """The body of a function, rewritten."""
    text = rewritten_text(f"def f():\n{textwrap.indent(source, '    ')}", is_guarded)
    return textwrap.dedent("\n".join(text.splitlines()[1:])).strip()
