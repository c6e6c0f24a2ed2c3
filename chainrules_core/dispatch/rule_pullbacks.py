"""Functions around the pullbacks that rules return: they have the names and the place of these."""

from typing import Any

from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.rule_location import describe_place, place_of_rule


class RulePullback:
    """A function around the pullback of a rule, which is its ``__wrapped__``.

    One is made at each call of a rule, and most often called once. So its attributes are slots, set one by
    one without a constructor, and its name and `documentation` are looked up when somebody asks. It has no
    ``__qualname__``, which a class can give its instances by `__getattr__` alone: then each attribute takes
    longer to find. It can be pickled where the rule's own can.
    """

    __slots__ = ("__wrapped__",)

    __wrapped__: Any

    def __call__(self, y_bar: Any) -> Any:
        """The cotangents that the rule's pullback makes of the cotangent of the result."""
        raise NotImplementedError

    @property
    def __name__(self) -> str:
        return getattr(self.__wrapped__, "__name__", None) or type(self.__wrapped__).__name__

    def __repr__(self) -> str:
        place = "" if place_of_rule(self.__wrapped__) is None else f" at {describe_place(self.__wrapped__)}"
        return f"<pullback {describe_callee(self.__wrapped__)}{place}>"


# For the bodies of subclasses: a docstring there would be found first.
documentation: Any = property(lambda self: self.__wrapped__.__doc__)
