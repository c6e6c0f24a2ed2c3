"""Every exception that the project raises on its own account, in one small hierarchy.

Each class derives from `ChainRulesError` and from the built-in exception that a caller would
expect, so that both `except ValueError` and `except ChainRulesError` catch them.
"""

from typing import Any


class ChainRulesError(Exception):
    """The base of all exceptions of `chainrules_core`, `chainrules` and `chainrules_testutils`."""


class RuleDefinitionError(ChainRulesError, TypeError):
    """A rule is written in a way that could never be looked up, or not as its author means it."""


class RuleNotFoundError(ChainRulesError, LookupError):
    """No rule applies to a call that needs one; the message is `explain`'s account of it."""


class DerivativeNotImplementedError(ChainRulesError, NotImplementedError):
    """A derivative was needed that its rule declares as not implemented.

    Attributes
    ----------
    tangent
        The `NotImplementedTangent`, which knows where the rule says so, and why.
    """

    def __init__(self, message: str, tangent: Any = None) -> None:
        super().__init__(message)
        self.tangent = tangent


class NoDerivativeError(ChainRulesError, ArithmeticError):
    """A result is found by a search, and the condition for its derivative does not hold.

    The message says which one, with its number: the search did not converge, the Jacobian at the solution is
    singular, an integral of the derivative diverges.
    """


class DimensionMismatchError(ChainRulesError, ValueError):
    """Shapes, lengths or keys of a primal and its tangent do not fit each other."""


class EndlessCallError(ChainRulesError, RecursionError):
    """A rule was given a carrier of an AD system, and called its function with it, without end."""


class TangentStructureError(ChainRulesError, TypeError):
    """A tangent is not of the kind that its primal has: other fields, another backing, no tangent at all."""


class MutateThunkError(ChainRulesError, TypeError):
    """A thunk was written into; `unthunk` it first."""


class BadInplaceError(ChainRulesError, RuntimeError):
    """The `add` of an `InplaceableThunk` did not return the object that it was given.

    Attributes
    ----------
    thunk, accumulated, returned
        The thunk, the object that its `add` was given, and the object that it returned.
    """

    def __init__(
        self, message: str, thunk: Any = None, accumulated: Any = None, returned: Any = None
    ) -> None:
        super().__init__(message)
        self.thunk = thunk
        self.accumulated = accumulated
        self.returned = returned


class PrimalAdditionFailedError(ChainRulesError, TypeError):
    """A primal and its structural tangent were added, but the sum could not be constructed.

    Attributes
    ----------
    primal, tangent
        The two operands; the exception that was raised is the ``__cause__``.
    """

    def __init__(self, message: str, primal: Any = None, tangent: Any = None) -> None:
        super().__init__(message)
        self.primal = primal
        self.tangent = tangent
