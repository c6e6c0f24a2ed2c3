"""The law that every rule takes tangents of every kind, and refuses those of another shape, with its place.

Zeros, thunks, thunks of thunks, integers, another precision. Where a tester meets a rule it is
given all of them, once for each combination of types; a test fails where the law does.
"""

import re

import numpy as np
import pytest

from chainrules_core import (
    AbstractZero,
    ChainRulesError,
    InplaceableThunk,
    NonDifferentiablePullback,
    NoTangent,
    StructuralTangent,
    Tangent,
    Thunk,
    ZeroTangent,
    add_inplace,
    describe_place,
    frule,
    rrule,
    unthunk_fully,
)
from chainrules_testutils import TestConfig, rand_tangent, test_approx
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers import frule_tester, rrule_tester
from tests.keyword_calls import primals
from tests.shipped_rules import is_shipped

# The rules that were tried, with the types of the arguments.
tried = set()


def given(report, check):
    """The tester, which gives the rule tangents of every kind as well, once for each rule and types."""

    def given_report(f, args, options, *others):
        answer = report(f, args, options, *others)
        if options.rule is None and not answer.failed:
            values = primals((f, *args))
            config = TestConfig() if options.config is None else options.config
            with np.errstate(all="ignore"):
                problems = check(config, *copied(values), **options.fkwargs)
            assert not problems, "\n".join(problems)
        return answer

    return given_report


def pulled_back(config, f, *args, **fkwargs):
    """What goes wrong with a pullback."""
    method = rrule.find(config, f, *args, **fkwargs)
    if not is_new(method, args, fkwargs):
        return []
    y, pullback = rrule(config, f, *args, **fkwargs)
    if isinstance(pullback, NonDifferentiablePullback):
        return []
    attempts = [
        (repr(zero), lambda zero=zero: are_zeros(pullback(zero), len(args) + 1))
        for zero in (ZeroTangent(), NoTangent())
    ]
    y_bar = rand_tangent(y, 0)
    if not isinstance(y_bar, AbstractZero):
        pulled, place = once(pullback), describe_place(pullback)
        for kind, (plain, other) in equal_forms(y_bar).items():
            attempts.append((kind, lambda plain=plain, other=other: same(pullback(other), pulled(plain))))
        for kind, wrong in misshapen(y_bar).items():
            attempts.append((kind, lambda wrong=wrong: refused(lambda: pullback(wrong), place)))
    return failures(method, args, attempts)


def pushed_forward(config, f, *args, **fkwargs):
    """What goes wrong with a pushforward."""
    dots = tuple(rand_tangent(x, 0) for x in (f, *args))
    method = frule.find(config, dots, f, *args, **fkwargs)
    if not is_new(method, args, fkwargs):
        return []

    def push(*dots):
        return unthunk_fully(frule(config, dots, *copied((f, *args)), **fkwargs)[1])

    plainly = push(*dots)
    if isinstance(plainly, NoTangent):
        return []
    attempts = [
        (repr(zero), lambda zero=zero: are_zeros([push(*(zero,) * len(dots))], 1))
        for zero in (ZeroTangent(), NoTangent())
    ]
    for place, dot in enumerate(dots):
        if not place or isinstance(dot, AbstractZero):
            continue

        def pushed(dot, place=place):
            return push(*put(dots, place, dot))

        expected = once(pushed, (dot, plainly))
        for kind, (plain, other) in equal_forms(dot).items():
            attempts.append(
                (
                    f"{kind}, argument {place}",
                    lambda plain=plain, other=other, pushed=pushed, expected=expected: same(
                        pushed(other), expected(plain)
                    ),
                )
            )
        for kind, wrong in misshapen(dot).items():
            attempts.append(
                (
                    f"{kind}, argument {place}",
                    lambda wrong=wrong, pushed=pushed: refused(lambda: pushed(wrong), method.location),
                )
            )
    return failures(method, args, attempts)


def once(function, *known):
    """The function of a tangent, computed once for each: equal tangents are compared with one value.

    The pairs that are given are of tangents and their values.
    """
    results = list(known)

    def remembered(x_dot):
        for given, result in results:
            if given is x_dot:
                return result
        results.append((x_dot, function(x_dot)))
        return results[-1][1]

    return remembered


def is_new(method, args, fkwargs):
    """Whether a rule of ours meets arguments of these types for the first time."""
    kinds = tuple((type(x), getattr(getattr(x, "dtype", None), "kind", ""), _has_axes(x)) for x in args)
    key = method, kinds, tuple(fkwargs)
    if method is None or key in tried or not is_shipped(method):
        return False
    tried.add(key)
    return True


def _has_axes(x):
    return bool(getattr(x, "ndim", 0)) if not isinstance(x, type) else None


def failures(method, args, attempts):
    """What fails of several attempts, each with the kind of tangent that it gives a rule."""
    failed = []
    for kind, attempt in attempts:
        try:
            attempt()
        except Exception as error:  # noqa: BLE001 - which is what the law tells
            types = ", ".join(type(x).__name__ for x in args)
            failed.append(f"{method.name} ({method.location}) of {types}, {kind}: {error!r}")
    return failed


def put(dots, place, dot):
    """The tangents, with another at one place."""
    return (*dots[:place], dot, *dots[place + 1 :])


def are_zeros(tangents, number):
    """Assert that there are so many tangents, and all are zero."""
    assert len(tangents) == number
    for tangent in tangents:
        parts = tuple(tangent) if isinstance(tangent, StructuralTangent) else (tangent,)
        assert all(isinstance(part, AbstractZero) for part in parts), tangent


def same(actual, expected):
    """Assert that two tangents, or tuples of them, are equal up to rounding."""
    actual, expected = (x if type(x) is tuple else (x,) for x in (actual, expected))
    assert len(actual) == len(expected)
    for x, y in zip(actual, expected, strict=True):
        test_approx(x, y)


def refused(call, place):
    """Assert that a call is an error that says where the rule, or its pullback, stands."""
    with pytest.raises(ChainRulesError, match=re.escape(place)):
        call()


def equal_forms(x_dot):
    """Pairs of tangents that are equal, by what the second of them is."""
    whole, value = mapped(rounded, x_dot), Thunk(lambda: x_dot)
    forms = {
        "a thunk": (x_dot, value),
        "an InplaceableThunk of a thunk": (
            x_dot,
            InplaceableThunk(lambda x: add_inplace(x, x_dot), Thunk(lambda: value)),
        ),
        "another precision": (whole, mapped(in_other_precision, whole)),
    }
    if is_real(x_dot):
        forms["integers"] = whole, mapped(as_integers, whole)
    return forms


def is_plain(x):
    """Whether a tangent is a number or a plain array."""
    return isinstance(x, float | complex | np.inexact) or type(x) is np.ndarray


def is_real(x):
    """Whether there are real numbers in a tangent, and no others."""
    if isinstance(x, StructuralTangent):
        return all(is_real(part) for part in x.__tangent_values__() if not isinstance(part, AbstractZero))
    return is_plain(x) and np.isrealobj(x)


def mapped(change, x):
    """A tangent with its numbers and plain arrays changed."""
    if type(x) in (Tangent[tuple], Tangent[list]):
        return x.map(lambda part: mapped(change, part))
    return change(x) if is_plain(x) else x


def rounded(x):
    """Whole numbers of the same type, none of them zero: in operations a Python number has no precision.

    All precisions have them.
    """
    real, imaginary = (np.copysign(np.ceil(np.abs(part)), part) for part in (np.real(x), np.imag(x)))
    whole = real + 1j * imaginary if np.iscomplexobj(x) else real
    return type(x)(whole) if isinstance(x, float | complex) else whole


def as_integers(x):
    """The same whole numbers as integers."""
    return np.asarray(x).astype(int) if np.ndim(x) else int(x)


def in_other_precision(x):
    """The numbers in single precision, those that have it in double precision."""
    x = np.asarray(x)
    single, double = (np.complex64, np.complex128) if x.dtype.kind == "c" else (np.float32, np.float64)
    return x.astype(double if x.dtype == single else single)[()]


def misshapen(x_dot):
    """Tangents of other shapes, by what is wrong with them."""
    if type(x_dot) in (Tangent[tuple], Tangent[list]):
        parts = tuple(x_dot)
        wrong = {"one item more": type(x_dot)(*parts, ZeroTangent())}
        for place, part in enumerate(parts):
            for kind, other in misshapen(part).items():
                wrong[f"{kind} in an item"] = type(x_dot)(*put(parts, place, other))
        return wrong
    if isinstance(x_dot, StructuralTangent | AbstractZero) or not (
        is_plain(x_dot) or hasattr(x_dot, "shape")
    ):
        return {}
    shape = np.shape(x_dot) if is_plain(x_dot) else x_dot.shape
    wrong = {"one dimension more": np.ones((1, *shape))}
    if shape:
        wrong["one longer"] = np.ones((*shape[:-1], shape[-1] + 1))
        wrong["a number"] = 1.0
    else:
        wrong["several numbers"] = np.ones(2)
    return wrong


rrule_tester.rrule_report = given(rrule_tester.rrule_report, pulled_back)
frule_tester.frule_report = given(frule_tester.frule_report, pushed_forward)
