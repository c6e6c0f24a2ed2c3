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
