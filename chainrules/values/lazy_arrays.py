"""Lazy arrays among the arguments of rules: functions that work block by block, and refusals."""

import functools
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from chainrules_core import is_lazy, primal_of

Function = TypeVar("Function", bound=Callable[..., Any])

_NUMBERS = frozenset({float, int, complex})


def dask_array() -> Any:
    """The module ``dask.array``, which a program that has its arrays has imported."""
    return sys.modules["dask.array"]


def is_untraced_lazy(x: Any) -> bool:
    """Whether a value is a lazy array itself, and no carrier of one."""
    return primal_of(x) is x and is_lazy(x)


def by_blocks(f: Function) -> Function:
    """Let an elementwise function take lazy arrays too, to whose blocks it is applied when they are computed.

    Parameters
    ----------
    f
        A function of numbers and arrays that broadcast.
    """

    @functools.wraps(f)
    def elementwise(*args: Any) -> Any:
        if any(is_untraced_lazy(x) for x in args):
            return dask_array().core.elemwise(f, *args)
        return f(*args)

    return elementwise  # type: ignore[return-value]  # it has the signature of `f`


def in_one_block(f: Callable[[Any], Any], B: Any, dtype: Any) -> Any:
    """``f(B)`` of a function that keeps the shape; of a lazy array, which should be small, as one task.

    Parameters
    ----------
    f
        The function of an array in memory.
    B
        The array.
    dtype
        The dtype of the result.
    """
    return B.rechunk(-1).map_blocks(f, dtype=dtype) if is_untraced_lazy(B) else f(B)


def refuse_lazy_items(name: str, xs: Any) -> None:
    """Raise if there is a lazy array in a list, where the lookup of rules does not see it.

    Parameters
    ----------
    name
        The function that is called.
    xs
        Its list, perhaps of lists.

    Raises
    ------
    TypeError
        If there is one.
    """
    if isinstance(xs, list | tuple):
        if not _NUMBERS.issuperset(map(type, xs)):  # found out quickly of long lists
            for x in xs:
                refuse_lazy_items(name, x)
    elif is_lazy(xs):
        refuse_lazy(name, "Write `np.concatenate`, `np.stack` or `@`.")


def refuse_lazy_cotangent(name: str, y_bar: Any) -> None:
    """Raise if the cotangent, or tangent, of a result in memory is lazy, and would be computed.

    Parameters
    ----------
    name
        The function of which it is the result.
    y_bar
        The cotangent.

    Raises
    ------
    TypeError
        If it is lazy.
    """
    if is_lazy(y_bar):
        raise TypeError(
            f"The result of {name} meets lazy arrays, so that its cotangent is one, which the rule would "
            f"compute. Take two steps: differentiate by the result of {name}, compute that gradient, and "
            "pull it back with `vjp`."
        )


def refuse_lazy(call: str, instead: str) -> NoReturn:
    """Raise since a call with a lazy array is not differentiated.

    Parameters
    ----------
    call
        The call, as one writes it.
    instead
        A sentence that says what to write instead.

    Raises
    ------
    TypeError
        Always.
    """
    raise TypeError(
        f"{call} has no derivative here for lazy arrays: it would compute the array, or Dask computes "
        f"something else than NumPy. {instead}"
    )
