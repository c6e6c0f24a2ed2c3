"""The law that every rule is found by keyword as by position: where a tester meets one, it is called so.

Once for each function, with all the arguments by keyword that it takes so. A test fails where the law does.
"""

import inspect

import chainrules_testutils.testers.rrule_tester as tester
from chainrules_core import rrule, unwrap_primitive
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_testutils import PrimalAndTangent, rand_tangent
from tests.shipped_rules import is_shipped

# The functions that were called.
called = set()


def by_keyword(f, args):
    """The arguments of a call, as many of them by keyword as the function takes so."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return args, {}
    if len(parameters) < len(args) or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return args, {}
    first = sum(p.kind is p.POSITIONAL_ONLY or p.name in ("self", "cls") for p in parameters)
    return args[:first], {p.name: x for p, x in zip(parameters[first:], args[first:], strict=False)}


def primals(args):
    """Arguments of a tester, without the tangents that are given with some."""
    return tuple(x.x if isinstance(x, PrimalAndTangent) else x for x in args)


def observed(report):
    """The tester, which calls the rule by keyword as well the first time that it meets a callee."""

    def observed_report(f, args, options, *others):
        answer = report(f, args, options, *others)
        callee = unwrap_primitive(f)
        # What has a rule for AD systems only was tested with another configuration than this.
        if options.rule is None and not answer.failed and _is_new(callee):
            config = [] if options.config is None else [options.config]
            values = primals(args)
            method = rrule.find(*config, callee, *values)
            given, named = by_keyword(callee, values)
            if named and method is not None and is_shipped(method):
                called.add(callee)
                check_found(config, callee, given, {**named, **options.fkwargs})
        return answer

    return observed_report


def _is_new(callee):
    try:
        return callee not in called
    except TypeError:  # not hashable
        return False


def check_found(config, f, args, kwargs):
    """Check that a call has a rule, which gives a cotangent for each positional argument."""
    answer = rrule(*config, f, *args, **kwargs)
    assert answer is not None, f"{describe_callee(f)} has no rule where arguments are given by keyword"
    y, pullback = answer
    number = len(pullback(rand_tangent(y)))
    assert number == 1 + len(args), f"{describe_callee(f)}: {number} cotangents for {len(args)} arguments"


tester.rrule_report = observed(tester.rrule_report)
