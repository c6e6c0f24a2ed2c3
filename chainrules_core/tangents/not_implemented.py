"""`NotImplementedTangent`: the tangent that stands for a derivative that nobody has written yet."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from chainrules_core.exceptions import DerivativeNotImplementedError
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.arithmetic import Rank


@dataclass(frozen=True, slots=True)
class NotImplementedTangent(AbstractTangent):
    """A derivative that exists, but that its rule does not provide. Made by `not_implemented`.

    A sum or a product with it is not implemented either; a product with a zero is zero, so that it does no
    harm where it is not needed. Where a value is needed, `DerivativeNotImplementedError` says which rule is
    incomplete.

    Attributes
    ----------
    module, file, line
        Where the rule says so.
    info
        The reason, in the words of the author of the rule.
    """

    __tangent_rank__ = Rank.NOT_IMPLEMENTED

    module: str
    file: str
    line: int
    info: str

    def error(self) -> DerivativeNotImplementedError:
        """The exception to raise where the derivative is needed."""
        return DerivativeNotImplementedError(
            f"tangent not implemented @ {self.module} {self.file}:{self.line}\nInfo: {self.info}", self
        )

    def _refuse(self, *args: Any) -> NoReturn:
        raise self.error()

    __float__ = __int__ = __complex__ = __len__ = __getitem__ = _refuse

    def __iter__(self) -> Iterator[Any]:
        raise self.error()


def not_implemented(info: str) -> NotImplementedTangent:
    """The tangent for a derivative that a rule does not provide.

    Parameters
    ----------
    info
        Why, and where it is discussed: the address of an issue helps whoever meets the error.

    Returns
    -------
    NotImplementedTangent
        It records the file and the line of the caller.

    Examples
    --------
    >>> from chainrules_core import NoTangent, not_implemented
    >>> def bessel_pullback(y_bar):
    ...     return NoTangent(), not_implemented("with respect to the order"), 2.0 * y_bar
    """
    caller = sys._getframe(1)  # noqa: SLF001 - as `warnings` and `logging` do
    return NotImplementedTangent(
        caller.f_globals.get("__name__", "?"), caller.f_code.co_filename, caller.f_lineno, info
    )
