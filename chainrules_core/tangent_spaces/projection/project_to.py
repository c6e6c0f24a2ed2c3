"""`ProjectTo`: finds the projector of a primal by its type, through a table that anyone may extend."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, overload

import plum

from chainrules_core.backends import backend_of, on_new_carrier, value_for_dispatch
from chainrules_core.dispatch.rulesets import load_general_rulesets
from chainrules_core.tangent_spaces.projection.projector import Projector

_Method = TypeVar("_Method", bound=Callable[[Any], Projector])


class _ProjectTo:
    """``ProjectTo(x)`` is the projector onto the tangent space of `x`, a `Projector`.

    Build it next to the primal computation and call it in the pullback: it keeps the parts of `x` that it
    needs, not `x` itself. The projector of a carrier is the projector of the primal that it
    carries.

    ============================================== ==================================================
    primal                                         cotangents become
    ============================================== ==================================================
    `float`, `complex`, NumPy floating scalars     the same precision; real for a real primal
    `int`, NumPy integers                          floats (a rule knows which argument is an index)
    arrays of these                                arrays of the primal's shape and precision
    SciPy's sparse arrays                          the primal's format, with the pattern that it stores
    `chainrules_core.structured`                   structured arrays of the primal's kind
    tuples, lists, dicts, dataclasses, closures    `Tangent`, projected part by part
    `bool`, `str`, `None`, enums, slices, modules  ``NoTangent()``, unless they are zero already
    classes themselves, such as `np.float32`       ``NoTangent()``: write ``ProjectTo(x)`` of the value
    other types                                    what they are
    ============================================== ==================================================

    For a type of your own, write a function from a primal to a `Projector` and annotate its parameter::

        @ProjectTo.dispatch
        def project_diagonal(x: Diagonal):
            return DiagonalProjector(ProjectTo(x.diagonal))

    Parameters
    ----------
    x
        The primal.

    Returns
    -------
    Projector
        Equal for primals with the same tangent space, hashable where its parts are, picklable.

    Raises
    ------
    TypeError
        For masked arrays and `np.matrix`.

    Examples
    --------
    >>> import numpy as np
    >>> project = ProjectTo(np.ones(3, dtype=np.float32))
    >>> project(np.array([[1 + 2j, 3, 4]]))
    array([1., 3., 4.], dtype=float32)
    """

    def __init__(self) -> None:
        self._table = plum.Function(project_to, warn_redefinition=True)
        # The method for each class met so far. Rules construct projectors at each call, and plum's own
        # cache costs more than this one.
        self._method_by_class: dict[type, Callable[[Any], Projector]] = {}
        self._lock = threading.RLock()

    def __call__(self, x: Any, /) -> Projector:
        try:
            method = self._method_by_class[type(x)]
        except KeyError:
            method = self._method_for(x)
        return method(x)

    @overload
    def dispatch(self, method: _Method, /, *, precedence: int = 0) -> _Method: ...
    @overload
    def dispatch(self, /, *, precedence: int = 0) -> Callable[[_Method], _Method]: ...
    def dispatch(self, method: Any = None, /, *, precedence: int = 0) -> Any:
        """Add a method for the type by which its one parameter is annotated; return it unchanged.

        Of methods that are equally specific for a primal, the one with the highest `precedence` is chosen.
        """
        if method is None:
            return partial(self.dispatch, precedence=precedence)
        with self._lock:
            self._table.dispatch(method, precedence=precedence)
            self._method_by_class.clear()
        return method

    def is_by_core(self, *values: Any) -> bool:
        """Whether core itself projects onto the classes of these values, whoever else has projectors."""
        known = self._method_by_class
        for x in values:
            method = known.get(type(x)) or self._method_for(x)
            if type(x) not in known or not method.__module__.startswith(_OWN):
                return False
        return True

    def __reduce__(self) -> str:
        return "ProjectTo"

    def __repr__(self) -> str:
        return "ProjectTo"

    def _method_for(self, x: Any) -> Callable[[Any], Projector]:
        load_general_rulesets()  # a package's projectors may stand beside its rules
        with self._lock:
            if backend_of(type(x)) is not None:
                method: Callable[[Any], Projector] = _project_to_primal
            else:
                method, _ = self._table.resolve_method((x,))
                if not all(known.signature.is_faithful for known in self._table.methods):
                    return method  # it may depend on more than the class
            self._method_by_class[type(x)] = method
        return method

    def _forget(self) -> None:
        with self._lock:
            self._method_by_class.clear()


def project_to(x: Any) -> Projector:
    """The function that plum names the table after; it is never called."""
    raise NotImplementedError


def _project_to_primal(x: Any) -> Projector:
    return ProjectTo(value_for_dispatch(x))


_OWN = f"{__name__.partition('.')[0]}."
ProjectTo = _ProjectTo()
on_new_carrier(ProjectTo._forget)  # noqa: SLF001 # one module
