"""plum functions with a signature that type checkers know."""

from chainrules_testutils.values.extensible import extensible


@extensible
def double(x: object) -> object:
    """Say what twice a value is."""
    raise NotImplementedError


@double.dispatch
def double_int(x: int) -> object:
    """Of integers the double."""
    return 2 * x


def double_object(x: object) -> object:
    """Of everything else a pair."""
    return [x, x]


double.dispatch(double_object)


def test_methods():
    """Methods are added for types, and chosen by them; the documentation is the declaration's."""
    assert double(2) == 4
    assert double("a") == ["a", "a"]
    assert double.resolve_method(("a",))[0] is double_object
    assert double.__doc__.startswith("Say what twice a value is.")


def test_precedence():
    """Of methods that match equally well the one with the higher precedence is chosen."""

    @double.dispatch(precedence=1)
    def double_bool(x: bool | str) -> object:
        return "bool"

    assert double(True) == "bool"
