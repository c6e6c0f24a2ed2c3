"""Calls of a function that a rule was given."""

from chainrules.formulas.calls.calling_back import function_cotangent, pull_calls, total_of
from chainrules_core import NoTangent, Tangent, ZeroTangent


def closure(w):
    """A closure."""
    return lambda x: w * x


def test_pull_calls():
    """What the function holds gets the sum; a call whose result nothing depends on is not pulled back."""
    f, asked = closure(2.0), []

    def pullback(y_bar):
        asked.append(y_bar)
        return Tangent[type(f)](w=y_bar), 2 * y_bar, NoTangent()

    f_bar, x_bars = pull_calls(f, [pullback] * 3, [1.0, ZeroTangent(), 3.0], 2)
    assert f_bar == Tangent[type(f)](w=4.0)
    assert x_bars == [[2.0, ZeroTangent(), 6.0], [NoTangent(), ZeroTangent(), NoTangent()]]
    assert asked == [1.0, 3.0]


def test_function_cotangent():
    """A function that holds nothing has no cotangent."""
    assert function_cotangent(len, ZeroTangent()) is NoTangent()
    assert function_cotangent(closure(2.0), ZeroTangent()) is ZeroTangent()
    assert function_cotangent(closure(2.0), Tangent[type(closure)](w=1 + 2j)) == Tangent[type(closure)](w=1.0)


def test_total_of():
    """The total of no cotangents is zero."""
    assert total_of([]) is ZeroTangent()
    assert total_of([1.5, ZeroTangent(), 2.5]) == 4.0
