"""`ZeroTangent` and `NoTangent`: the two tangents that are zero whatever the primal is."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from chainrules_core.tangents.abstract_tangent import AbstractTangent, no_attribute
from chainrules_core.tangents.arithmetic import Rank


class AbstractZero(AbstractTangent):
    """A tangent that is zero. An AD system may stop where all that it propagates is zero.

    There is one instance of each subclass; compare with ``is`` or ``isinstance``. It stands for a zero of
    any type and shape: every public attribute, every item, and every structural operation is the zero
    itself, and it iterates once. As a number it is 0.
    """

    __slots__ = ("__weakref__",)

    _instance: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        cls._instance = object.__new__(cls)

    def __new__(cls) -> Self:
        """The one instance."""
        instance: Self = cls._instance
        return instance

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __getattr__(self, name: str) -> Any:
        # Names with an underscore belong to protocols (copy, pickle, NumPy, IPython) that probe for them.
        if name.startswith("_"):
            raise no_attribute(self, name)
        return self

    def __getitem__(self, index: Any) -> Self:
        return self

    def __iter__(self) -> Iterator[Self]:
        yield self

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    def __complex__(self) -> complex:
        return 0j

    def _itself(self, *args: Any, **kwargs: Any) -> Self:
        return self

    # The methods of arrays, so that `x_dot.sum(axis=0)` serves zeros as well.
    conj = conjugate = transpose = reshape = ravel = squeeze = swapaxes = sum = mean = copy = astype = _itself


class ZeroTangent(AbstractZero):
    """The tangent of a primal that can be perturbed, where the perturbation has no effect.

    It is the identity of addition, ``x + ZeroTangent() is x``, and absorbs in multiplication.

    See Also
    --------
    NoTangent : where the primal cannot be perturbed at all.
    """

    __slots__ = ()
    __tangent_rank__ = Rank.ZERO


class NoTangent(AbstractZero):
    """The tangent of a primal that cannot be perturbed.

    Indices, flags, strings and functions without fields have it. It behaves as a zero, but adding it to a
    primal rarely makes sense. It does not say that a derivative is missing: `not_implemented` does.

    See Also
    --------
    ZeroTangent : where the primal could be perturbed, without effect.
    """

    __slots__ = ()
    __tangent_rank__ = Rank.NO_TANGENT


# The only instance of each, by a name that is read faster than the class is called.
NO_TANGENT = NoTangent()
ZERO_TANGENT = ZeroTangent()
