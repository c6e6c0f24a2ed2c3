"""The law that the rules serve the AD system of a hundred lines that `docs/ad_author/using_rules.md` shows.

Where a tester meets a rule, the call goes through that system as well, once for each rule. A test fails where
the system has an error, or where forward and reverse mode disagree, ``Re<y_bar, y_dot> != Re<x_bar, x_dot>``.
"""

import functools
import itertools
import re
from pathlib import Path
from types import ModuleType

import numpy as np

from chainrules_core import DerivativeNotImplementedError, describe_callee, rrule
from chainrules_testutils import rand_tangent
from chainrules_testutils.advice.report import Outcome
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers import rrule_tester
from chainrules_testutils.testers.cotangent_references import compared_products
from chainrules_testutils.values.precision import tolerance_for
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, tangent_to_vec
from tests.keyword_calls import primals
from tests.shipped_rules import is_shipped

PAGE = Path(__file__).parent.parent / "docs" / "ad_author" / "using_rules.md"

# The rules that were tried.
tried = set()


@functools.cache
def system():
    """The module of the page's first block."""
    above, source = re.match(
        r"(.*?^```python\n)(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ).groups()
    source = "\n" * above.count("\n") + source  # for the lines of tracebacks
    module = ModuleType("the_system_of_a_hundred_lines")
    exec(compile(source, str(PAGE), "exec"), vars(module))  # noqa: S102 - it is ours
    return module


def sent_through(report):
    """The tester, which sends the call through the system as well."""

    def sent_report(f, args, options, *others):
        answer = report(f, args, options, *others)
        if options.rule is None and options.config is None and not answer.failed:
            values = primals((f, *args))
            method = rrule.find(*values, **options.fkwargs)
            if method is not None and method not in tried and is_shipped(method):
                tried.add(method)
                problem = difference_between_modes(values, options.fkwargs)
                assert problem is None, f"{describe_callee(values[0])}: {problem}"
        return answer

    return sent_report


def difference_between_modes(values, fkwargs):
    """What the system says of a call, if its two modes disagree; `None` if they agree.

    Each mode has copies of the arguments, which some calls may overwrite.
    """
    ad = system()

    def called(*values):
        return ad.call(*values, **fkwargs)

    if not ad.holds_derivative(values):
        return None
    seeds = itertools.count()
    x_dots = [ad.tangent_of(x, lambda x: rand_tangent(x, next(seeds))) for x in values]
    with np.errstate(all="ignore"):
        y, pullback = ad.vjp(called, values[0], *copied(values[1:]))
        _, y_dot = ad.jvp(called, (values[0], *copied(values[1:])), copied(x_dots))
        y_bar = rand_tangent(y, 0)
        x_bars = pullback(y_bar)
    try:
        forward = cotangent_to_vec(y, y_bar) * tangent_to_vec(y, y_dot)
        reverse = [
            cotangent_to_vec(x, x_bar) * tangent_to_vec(x, x_dot)
            for x, x_bar, x_dot in zip(values, x_bars, x_dots, strict=True)
        ]
    except DerivativeNotImplementedError:
        return None
    check = compared_products(forward, np.concatenate(reverse), "", tolerance_for((values, y), None, None))
    return None if check.outcome is Outcome.PASSED else check.message


rrule_tester.rrule_report = sent_through(rrule_tester.rrule_report)
