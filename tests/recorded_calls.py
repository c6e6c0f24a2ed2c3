"""The law that a derivative is the same where it was recorded: where a tester meets a rule, it is tried once.

Value and cotangents are recorded at the tester's point, and run at another one nearby. A test fails where
they differ from those of the derivative itself. In a run of the sample alone nothing is tried.
"""

import itertools
import warnings
from copy import deepcopy

import numpy as np

import chainrules_testutils.testers.rrule_tester as tester
from chainrules.ad import compiled, vjp
from chainrules.ad.recording.running import difference_between
from chainrules_core import describe_callee, rrule
from chainrules_testutils import TestConfig, rand_tangent
from tests.keyword_calls import primals
from tests.shipped_rules import is_shipped

# The rules that were tried, with the kinds of the arguments; and how often something was recorded.
tried = set()
outcomes = {"recorded": 0, "as it is": 0}
# Whether they are tried at all, which the run decides when it begins.
settings = {"on": False}


def recorded(report):
    """The tester, which records the derivative as well, once for each rule and kinds of arguments."""

    def recorded_report(f, args, options, *others):
        answer = report(f, args, options, *others)
        if settings["on"] and options.rule is None and options.config is None and not answer.failed:
            values = primals(args)
            method = rrule.find(TestConfig(), f, *values, **options.fkwargs)
            if method is not None and is_shipped(method) and is_new(method, values, options.fkwargs):
                problem = difference_where_recorded(f, values, options.fkwargs)
                assert problem is None, f"{describe_callee(f)}, recorded: {problem}"
        return answer

    return recorded_report


def is_new(method, values, fkwargs):
    """Whether a rule was not tried with arguments of these kinds."""
    kinds = (*(kind_of(x) for x in values), *fkwargs)
    if (method, kinds) in tried:
        return False
    tried.add((method, kinds))
    return True


def kind_of(x):
    """Of an argument: its class; of an array dtype and rank."""
    return (x.dtype.str, x.ndim) if isinstance(x, np.ndarray) else type(x)


def difference_where_recorded(f, values, fkwargs):
    """In what a recorded derivative differs from the derivative itself; `None` if in nothing.

    Each call has copies of the arguments, which some calls may overwrite.
    """
    with warnings.catch_warnings(record=True) as told, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        seed = []

        def derivative(*values):
            y, pullback = vjp(f, *values, **fkwargs)
            return y, pullback(seed[0])

        try:
            seed.append(rand_tangent(f(*deepcopy(values), **fkwargs)))
            derivative(*deepcopy(values))
        except Exception:  # noqa: BLE001 - it is for AD systems that call rules otherwise
            return None
        c = compiled(derivative, compare=False)
        c(*deepcopy(values))
        wrong = [str(w.message) for w in told if "differs from the function" in str(w.message)]
        outcomes["recorded" if c.variants else "as it is"] += 1
        if wrong or not c.variants:
            return wrong[0] if wrong else None
        near = [nearby(x, i) for i, x in enumerate(values)]
        try:
            plain = derivative(*deepcopy(near))
        except Exception:  # noqa: BLE001 - outside of its domain
            return None
        return difference_between(c(*near), plain)


def nearby(x, seed):
    """Another number or array, which differs by a thousandth."""
    rng = np.random.default_rng(seed)
    if isinstance(x, float | complex | np.inexact):
        return type(x)(x * (1 + 1e-3 * rng.normal()))
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        return np.array(x * (1 + 1e-3 * rng.normal(size=x.shape)), x.dtype, order="K")
    if type(x) in (tuple, list):
        return type(x)(map(nearby, x, itertools.count(seed)))
    return x


tester.rrule_report = recorded(tester.rrule_report)
