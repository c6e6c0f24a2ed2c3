"""`to_autograd`: makes a function over NumPy one that autograd differentiates."""

import functools
from collections.abc import Callable
from typing import Any

from autograd.tracer import isbox

from chainrules.adapters.autograd.application import applied
from chainrules.adapters.autograd.boxes import hold_numbers_and_arrays, unpacked
from chainrules.adapters.callees import checked_callee
from chainrules.adapters.calls import flat_call
from chainrules.adapters.holes import filled


def to_autograd(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function over NumPy one that autograd differentiates.

    The result is called as `f` is, with autograd's boxes in the place of numbers and arrays. They may stand
    in tuples, lists, dicts, dataclasses and other objects, among the keywords, in closures, partials and in
    `f` itself; dicts, lists and tuples that are boxed as a whole are unpacked. Results come in the containers
    that `f` returns, each floating-point number or array in a box of its own. Without boxes, `f` is called.

    Both modes work, to any order, and mixed.

    Parameters
    ----------
    f
        A function with a rule, or any program over NumPy and SciPy that `chainrules.ad` differentiates.

    Raises
    ------
    AdapterError
        When the result is called with a box that is hidden where it is not found, in a set for instance; with
        a boxed array of integers; or if `f` returns an array of another kind, such as a sparse one.

    Examples
    --------
    >>> import autograd, scipy.special
    >>> derivative = autograd.grad(to_autograd(scipy.special.gammaln))
    >>> derivative(2.0), autograd.grad(derivative)(2.0)
    (np.float64(0.42278433509846713), np.float64(0.6449340668482266))
    """
    f = checked_callee(f, "to_autograd")

    @functools.wraps(f, updated=())
    def adapted(*args: Any, **kwargs: Any) -> Any:
        return called(f, args, kwargs)

    return adapted


def called(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `f` returns, with boxes in the places of floating-point numbers and arrays if it is given some."""
    boxes, function = flat_call(f, args, kwargs, isbox)
    while not hold_numbers_and_arrays(boxes, function):
        whole = (function.f, function.args, function.kwargs)
        f, args, kwargs = filled(whole, function.holes, [unpacked(box, function) for box in boxes])
        boxes, function = flat_call(f, args, kwargs, isbox)
    if not boxes:
        return f(*args, **kwargs)
    outcome, results = applied(function, boxes)
    return outcome.filled(results)
