"""Derivative rules for Python, NumPy and SciPy; `chainrules.ad` differentiates NumPy programs with them.

Importing this package imports no rule: a ruleset is imported when a rule is first looked up in a program
that has imported the module which the ruleset is for.
"""

from chainrules_core import register_ruleset as _register_ruleset

__all__: list[str] = []

for _target in (
    "builtins",
    "cmath",
    "copy",
    "functools",
    "itertools",
    "math",
    "operator",
    "statistics",
    "types",
    "numpy",
    "numpy.polynomial",
    "numpy.random",
    "random",
    "numpy.fft",
    "chainrules_core.structured",
    "scipy.sparse",
    "scipy.sparse.linalg",
):
    _register_ruleset(_target, f"chainrules.rulesets.{_target}")
