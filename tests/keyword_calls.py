"""Calls by keyword of every rule that the tests exercise: what the law in `test_keyword_calls.py` judges."""

import inspect

import chainrules_testutils.rrule_tester as tester
from chainrules_core import rrule, unwrap_primitive
from chainrules_testutils import PrimalAndTangent, rand_tangent

# What failed, by callee; `None` where the rule was found.
called = {}


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
        if (
            options.rule is None
            and not answer.failed
            and _is_new(callee)
            and _is_served(callee, args, options)
        ):
            given, named = by_keyword(callee, primals(args))
            if named:
                called[callee] = _failure(options.config, callee, given, {**named, **options.fkwargs})
        return answer

    return observed_report


def _is_served(f, args, options):
    values = primals(args)
    return rrule.find(*([] if options.config is None else [options.config]), f, *values) is not None


def _is_new(callee):
    try:
        return callee not in called
    except TypeError:  # not hashable
        return False


def _failure(config, f, args, kwargs):
    try:
        answer = rrule(*([] if config is None else [config]), f, *args, **kwargs)
        if answer is None:
            return "has no rule"
        y, pullback = answer
        number = len(pullback(rand_tangent(y)))
    except Exception as error:  # noqa: BLE001 - which is what the law tells
        return repr(error)
    return None if number == 1 + len(args) else f"{number} cotangents for {len(args)} arguments"


tester.rrule_report = observed(tester.rrule_report)
