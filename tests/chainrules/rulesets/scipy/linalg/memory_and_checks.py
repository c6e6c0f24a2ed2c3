"""What every rule does with the options of SciPy about memory and checks, and with defaults."""

import inspect

import numpy as np

from chainrules_core import frule, rrule
from chainrules_testutils import rand_tangent, test_approx


def check_memory_and_checks(f, *args, **fkwargs):
    """Check that nothing is overwritten though it may be, and NaN refused where SciPy does; and defaults.

    A call has the same derivatives where each default is written out.

    Parameters
    ----------
    f
        A function of SciPy, with the options `check_finite` or `overwrite_a` and the like, or both.
    *args, **fkwargs
        A call of it. Arrays may be items of tuples.
    """
    names = inspect.signature(f).parameters
    options = {name: True for name in names if name.startswith("overwrite_")} | fkwargs
    for rule in (lambda *xs: rrule(f, *xs, **options), lambda *xs: _pushed(f, *xs, **options)):
        given = _each(np.asfortranarray, args)  # a copy would be made of others, and overwritten
        before = _each(np.copy, given)
        y, _ = rule(*given)
        test_approx(y, f(*args, **fkwargs))
        for x, x_before in zip(_arrays(given), _arrays(before), strict=True):
            np.testing.assert_array_equal(x, x_before)
    if "check_finite" in names:
        _check_refusals_of_nan(f, args, fkwargs)
    _check_defaults(f, args, fkwargs)


def _check_defaults(f, args, fkwargs):
    parameters = [*inspect.signature(f).parameters.values()][len(args) :]
    given = [p for p in parameters if p.default is not p.empty and not p.name.startswith("overwrite_")]
    written_out = {p.name: p.default for p in given} | fkwargs
    for by_default, alike in zip(_pushed(f, *args, **fkwargs), _pushed(f, *args, **written_out), strict=True):
        test_approx(by_default, alike)


def _check_refusals_of_nan(f, args, fkwargs):
    refused = set()
    for place in range(len(_arrays(args))):
        broken = _each(np.copy, args)
        _arrays(broken)[place].fill(np.nan)
        if _refuses(lambda xs=broken: f(*xs, **fkwargs)):
            refused.add(place)
            assert _refuses(lambda xs=broken: rrule(f, *xs, **fkwargs))
            assert _refuses(lambda xs=broken: _pushed(f, *xs, **fkwargs))
    assert refused


def _refuses(call):
    try:
        call()
    except ValueError:
        return True
    return False


def _pushed(f, *args, **named):
    dots = tuple(rand_tangent(x, 0) for x in (f, *args))
    return frule(dots, f, *args, **named)


def _arrays(args):
    """The arrays among arguments."""
    items = [item for x in args for item in (x if isinstance(x, tuple) else (x,))]
    return [x for x in items if isinstance(x, np.ndarray) and x.dtype.kind in "fc"]


def _each(change, args):
    """The arguments with each array changed."""
    return tuple(
        _each(change, x)
        if isinstance(x, tuple)
        else change(x)
        if isinstance(x, np.ndarray) and x.dtype.kind in "fc"
        else x
        for x in args
    )
