"""`jacobian`, `hessian` and `wirtinger`: all derivatives of functions with arrays as results."""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Never

import numpy as np

from chainrules.ad.derivatives.checkpointing import RecomputedOtherwiseError
from chainrules.ad.derivatives.checks import (
    check_argument,
    check_complex,
    check_dense,
    check_dense_result,
    check_holds_numbers,
    check_made,
    check_one_output,
    check_pair,
    checked_places,
)
from chainrules.ad.derivatives.gradients import grad
from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.modes.containers import flatten
from chainrules.ad.modes.forward_trace import ForwardTrace
from chainrules.ad.modes.natural_gradients import in_tangent_space
from chainrules.ad.modes.nodes import Node, evaluated, input_node, propagate
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.hiding import check_nothing_hidden
from chainrules.ad.traced.instances import as_before
from chainrules.ad.traced.tracing import flat_records, record_of, traced, untraced
from chainrules.ad.values.held_numbers import agree, rounding_noise
from chainrules_core import ZeroTangent, describe_callee, is_lazy, primal_of

JacobianMode = Literal["forward", "reverse"]


def jacobian(
    f: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    mode: JacobianMode | None = None,
    has_aux: bool = False,
    **unknown: Never,
) -> Callable[..., Any]:
    """The Jacobian of a function, as a function of the same arguments.

    Parameters
    ----------
    f
        A function of real numbers, arrays, and containers of them; its result is one of these, or complex.
        Keyword arguments are passed on and not differentiated.
    argnums
        As for `grad`.
    mode
        ``"forward"`` calls `f` once for each element of the arguments, ``"reverse"`` calls it once, and pulls
        back once for each element of the result. By default the smaller number decides.
    has_aux
        Whether `f` returns a pair of the result to differentiate and anything else; then the result is
        ``(jacobian, anything)``.

    Returns
    -------
    function
        Its result has the axes of the result of `f`, and then the axes of the argument. Where either is a
        container, so is the Jacobian: the container of the result, and in it the container of the argument.
        For a tuple of `argnums` there is a tuple in the place of the argument.

    Raises
    ------
    TypeError
        When called: if an argument cannot be differentiated by, is complex (see `wirtinger`), or is a
        structured or sparse array; or if the result holds a structured or sparse array, or is no pair.
    RuntimeError
        If `f` is called several times, and has another result each time.
    ValueError
        If `mode` is something else.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import jacobian
    >>> jacobian(lambda x: np.array([2.0, 3.0]) * x**2)(np.array([1.0, 2.0]))
    array([[ 4.,  0.],
           [ 0., 12.]])
    """
    check_made("jacobian", f, argnums, unknown)
    if mode not in {None, "forward", "reverse"}:
        raise ValueError(f"jacobian(..., mode={mode!r}): there are 'forward', 'reverse' and None.")
    return Jacobian(f, argnums, mode, has_aux)


@dataclass(eq=False, repr=False)
class Jacobian(Derived):
    """The function that `jacobian` returns, or `hessian` with `mends_rows`."""

    argnums: int | Sequence[int]
    mode: JacobianMode | None
    has_aux: bool
    mends_rows: bool = False

    unnamed = "jacobian_of_f"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and differentiate the call once for each row or column."""
        places = checked_places(self.f, self.argnums, len(args))
        for place in places:
            check_argument(self.f, args[place], place)
            check_dense(self.f, args[place], place)
        record = _Record(self.f, args, kwargs, places, self.has_aux)
        leaves, in_containers_of_xs = flatten(record.xs)
        if self.mode == "forward" or (
            self.mode is None and _number_of_elements(leaves) < _number_of_elements(record.values)
        ):
            blocks = record.by_columns(leaves)
        else:
            blocks = record.by_rows(leaves)
            if self.mends_rows:
                blocks = record.mended(blocks, leaves)
        of_arguments = [in_containers_of_xs(block) for block in blocks]
        several = isinstance(self.argnums, tuple | list)
        jacobians = record.in_containers_of_y(
            of_arguments if several else [block[0] for block in of_arguments]
        )
        return (jacobians, record.aux) if self.has_aux else jacobians


def hessian(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **unknown: Never
) -> Callable[..., Any]:
    """The second derivatives of a function, as a function of the same arguments.

    Parameters
    ----------
    f
        A function with one real number as its result.
    argnums, has_aux
        As for `grad`.

    Returns
    -------
    function
        Its result has the shape of the argument twice; of containers it is the `jacobian` of the gradient.
        It differentiates the gradient in reverse. Columns that are NaN then, as for equal eigenvalues, it
        takes forwards, for which the gradient runs once more for each.

    Raises
    ------
    TypeError
        When called: as `grad` and `jacobian`.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import hessian
    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0]))
    array([[6., 2.],
           [2., 0.]])
    """
    check_made("hessian", f, argnums, unknown)
    return Jacobian(grad(f, argnums, has_aux), argnums, "reverse", has_aux, mends_rows=True)


def wirtinger(f: Callable[[Any], Any], z: Any) -> tuple[Any, Any]:
    """The derivatives of a function of complex numbers by its argument and by the argument's conjugate.

    Parameters
    ----------
    f
        A function of one complex number or array, whose result is a real or complex number or array.
    z
        Its argument.

    Returns
    -------
    by_z, by_conj_z
        ``∂f/∂z = (∂f/∂x - i ∂f/∂y) / 2`` and ``∂f/∂z̄ = (∂f/∂x + i ∂f/∂y) / 2`` for ``z = x + iy``. The second
        is zero where `f` is holomorphic. Both have the axes of the result, and then the axes of `z`.

    Raises
    ------
    TypeError
        If `z` is no complex number or array, or the result no number or array.

    Examples
    --------
    >>> from chainrules.ad import wirtinger
    >>> wirtinger(lambda z: z**2, 1 + 2j)
    ((2+4j), 0j)
    """
    check_complex(f, z)
    record = _Record(f, (z,), {}, (0,))
    check_one_output(f, record.values)
    y, node = record.values[0], record.nodes[0]
    real = record.rows(y, node, 1.0, [z])[0]
    imaginary = record.rows(y, node, 1j, [z])[0] if _has_imaginary_part(y) else np.zeros_like(real)
    # The real and imaginary part of y pull back to ∂/∂x + i ∂/∂y of each.
    by_x = np.real(real) + 1j * np.real(imaginary)
    by_y = np.imag(real) + 1j * np.imag(imaginary)
    return (by_x - 1j * by_y) / 2, (by_x + 1j * by_y) / 2


class _Record:
    """A call that was traced backwards, to be differentiated one element at a time."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        places: tuple[int, ...],
        has_aux: bool = False,
    ) -> None:
        self._f, self._args, self._kwargs, self._places, self._has_aux = f, args, kwargs, places, has_aux
        self.xs = tuple(args[place] for place in places)
        trace = ReverseTrace()
        pairs = [traced(x, trace, input_node) for x in self.xs]
        self._inputs = [node for _, nodes in pairs for node in flat_records(nodes)]
        y = trace.run(self._call, ([x for x, _ in pairs],))
        self.xs = tuple(as_before(x, trace) for x in self.xs)
        check_nothing_hidden(y, trace)
        y, aux = self._without_aux(y)
        self.aux = untraced(aux, trace)[0]
        leaves, self.in_containers_of_y = flatten(y)
        self.values = [untraced(leaf, trace)[0] for leaf in leaves]
        check_holds_numbers(f, y, self.values)
        check_dense_result(f, self.values)
        # `None` for a result that does not depend on the arguments.
        self.nodes = [record_of(leaf, trace) for leaf in leaves]

    def _call(self, xs: Sequence[Any]) -> Any:
        moved = list(self._args)
        for place, x in zip(self._places, xs, strict=True):
            moved[place] = x
        return choose(self._f)(*moved, **self._kwargs)

    def _without_aux(self, y: Any) -> tuple[Any, Any]:
        """The result to differentiate, and what the function returned beside it."""
        if not self._has_aux:
            return y, None
        check_pair(self._f, y)
        result, aux = y
        return result, aux

    def by_rows(self, leaves: list[Any]) -> list[list[Any]]:
        """For each output its derivatives by each input, backwards."""
        blocks = []
        for y, node in zip(self.values, self.nodes, strict=True):
            real = self.rows(y, node, 1.0, leaves)
            if _has_imaginary_part(y):
                imaginary = self.rows(y, node, 1j, leaves)
                real = [a + 1j * b for a, b in zip(real, imaginary, strict=True)]
            blocks.append(real)
        return blocks

    def rows(self, y: Any, node: Node | None, unit: complex, leaves: list[Any]) -> list[Any]:
        """The cotangents of each input for each element of an output, whose own cotangent is `unit`."""
        shape = np.shape(primal_of(y))

        def pulled(y_bar: Any) -> list[Any]:
            cotangents = propagate([(node, y_bar)] if node is not None else [])
            x_bars = [cotangents.get(x_node) for x_node in self._inputs]
            return [
                in_tangent_space(x, ZeroTangent() if x_bar is None else x_bar)
                for x, x_bar in zip(leaves, x_bars, strict=True)
            ]

        rows = _for_each(pulled, _basis(y, unit), y, len(leaves))
        return [
            _rows_of_jacobian(row, (*shape, *np.shape(primal_of(x))), x)
            for row, x in zip(rows, leaves, strict=True)
        ]

    def by_columns(self, leaves: list[Any]) -> list[list[Any]]:
        """For each output its derivatives by each input, forwards."""
        blocks: list[list[Any]] = [[] for _ in self.values]
        for place, x in enumerate(leaves):
            pushed = functools.partial(self._pushed, place, len(leaves))
            columns = _for_each(pushed, _basis(x, 1.0), x, len(self.values))
            for block, column, y in zip(blocks, columns, self.values, strict=True):
                block.append(_columns_of_jacobian(column, y, x))
        return blocks

    def mended(self, blocks: list[list[Any]], leaves: list[Any]) -> list[list[Any]]:
        """The rows, and in the place of NaN the derivatives forwards, which some rules have only there."""
        if not any(map(_has_nan, itertools.chain(*blocks))) or any(map(_has_nan, self.values)):
            return blocks
        mended = [list(row) for row in blocks]
        for place, x in enumerate(leaves):
            shape = (-1, max(np.size(primal_of(x)), 1))
            wanted = sum(np.isnan(primal_of(row[place])).reshape(shape).sum(axis=0) for row in blocks)
            if not np.any(wanted):
                continue
            try:
                columns = [
                    self._pushed(place, len(leaves), x_dot) if is_wanted else self.values
                    for x_dot, is_wanted in zip(_basis(x, 1.0), wanted, strict=True)
                ]
            except RecomputedOtherwiseError:
                return blocks
            for row, y, column in zip(mended, self.values, zip(*columns, strict=True), strict=True):
                forwards, is_nan = _columns_of_jacobian(list(column), y, x), np.isnan(primal_of(row[place]))
                row[place] = np.where(is_nan, forwards, row[place]) if np.ndim(is_nan) else forwards
        return mended

    def _pushed(self, place: int, number: int, x_dot: Any) -> list[Any]:
        """The tangents of all outputs, if one input moves."""
        tangents = [x_dot if other == place else ZeroTangent() for other in range(number)]
        trace, given = ForwardTrace(), iter(tangents)
        y = trace.run(self._call, ([traced(x, trace, given.__next__)[0] for x in self.xs],))
        self.xs = tuple(as_before(x, trace) for x in self.xs)
        leaves, _ = flatten(self._without_aux(y)[0])
        values = [untraced(leaf, trace)[0] for leaf in leaves]
        if not self._are_as_before(values):
            raise RecomputedOtherwiseError(
                f"The Jacobian of {describe_callee(self._f)}, forwards, calls it once for each element of "
                "its arguments, and one call had another result than the first: it draws random numbers, or "
                "sees what has changed. Write `jacobian(f, mode='reverse')`, which calls it once; or draw "
                "before. A function of the eigenvectors of equal eigenvalues has no derivative if it depends "
                "on their choice, which is another one in each direction."
            )
        return [
            in_tangent_space(value, evaluated(record_of(leaf, trace, ZeroTangent())))
            for value, leaf in zip(values, leaves, strict=True)
        ]

    def _are_as_before(self, values: list[Any]) -> bool:
        """Whether another call gave the same results, but for what rounding leaves of zeros."""
        if len(values) != len(self.values):
            return False
        if all(map(agree, values, self.values)):
            return True
        noise = rounding_noise(self.xs)
        return all(agree(value, y, noise) for value, y in zip(values, self.values, strict=True))


# Never forgotten. By the class of a stand-in for arrays: what calls a function once for several arguments,
# or answers `None`.
TOGETHER: dict[type, Callable[[Callable[[Any], list[Any]], Any], list[Any] | None]] = {}


def _for_each(f: Callable[[Any], list[Any]], xs: Any, like: Any, number: int) -> list[Any]:
    """For each of the `number` results of a function its values for several arguments, a list or an array."""
    together = TOGETHER.get(type(primal_of(like)))
    found = together(f, xs) if together is not None and len(xs) > 1 else None
    if found is None:
        found = [[] for _ in range(number)]
        for x in xs:
            for values, value in zip(found, f(x), strict=True):
                values.append(value)
    return found


def _basis(x: Any, unit: complex) -> Any:
    """For each element of a number or array a tangent that is `unit` there and zero elsewhere."""
    x = primal_of(x)
    if not isinstance(x, np.ndarray):
        return [unit]
    directions = unit * np.eye(x.size, dtype=x.dtype)
    return directions.reshape(x.size, *x.shape)


def _rows_of_jacobian(tangents: Any, shape: tuple[int, ...], like: Any) -> Any:
    """Tangents along a new first axis, in another shape; of no tangents an empty array."""
    if not isinstance(tangents, list):
        return tangents if tangents.shape == shape else np.reshape(tangents, shape)
    if not tangents:
        return np.zeros(shape, getattr(primal_of(like), "dtype", float))
    first = tangents[0]
    if len(tangents) == 1:
        return np.reshape(first, shape) if shape else first
    if first.__class__ is np.ndarray and first.ndim > 0:
        return np.reshape(np.concatenate(tangents), shape)  # which is quicker
    return np.reshape(np.stack(tangents), shape)


def _columns_of_jacobian(tangents: Any, y: Any, x: Any) -> Any:
    """Tangents of `y`, one for each element of `x`, along new last axes, the axes of `x`."""
    of_y, of_x = np.shape(primal_of(y)), np.shape(primal_of(x))
    if of_x == ():
        return tangents[0]
    columns = _rows_of_jacobian(tangents, (math.prod(of_x), *of_y), y)
    return np.reshape(np.moveaxis(columns, 0, -1), (*of_y, *of_x))


def _number_of_elements(leaves: list[Any]) -> int:
    return sum(np.size(primal_of(leaf)) for leaf in leaves)


def _has_nan(x: Any) -> bool:
    """Whether NaN is among the elements; `False` of lazy arrays, at which nobody may look."""
    x = primal_of(x)
    return not is_lazy(x) and bool(np.isnan(x).any())


def _has_imaginary_part(x: Any) -> bool:
    return bool(np.iscomplexobj(primal_of(x)))
