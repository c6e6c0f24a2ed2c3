"""`derivatives_given_output`: the partial derivatives, from the result."""

from chainrules_core import derivatives_given_output, scalar_rule


def test_one_tuple_for_each_result():
    """A tuple of tuples: results first, arguments second; the primal is not computed again."""

    def simo(x):
        raise AssertionError

    def miso(x, y):
        raise AssertionError

    scalar_rule(simo, lambda ys, x: ((1.0,), (2.0 * x,)))
    scalar_rule(miso, lambda z, x, y: (z, x))

    assert derivatives_given_output((3.0, 4.0), simo, 5.0) == ((1.0,), (10.0,))
    assert derivatives_given_output(7.0, miso, 2.0, 3.0) == ((7.0, 2.0),)


def test_none_without_a_scalar_rule():
    """There are none for a function without `scalar_rule`, or for other types of argument."""

    def square(x):
        return x * x

    assert derivatives_given_output(1.0, square, 1.0) is None
    scalar_rule(square, lambda y, x: 2 * x)
    assert derivatives_given_output(1.0, square, 1.0) == ((2.0,),)
    assert derivatives_given_output(1.0, square, "x") is None


def test_functions_of_any_number_of_arguments():
    """The partial derivatives say how many arguments a function with varargs has in its rules."""

    def first(*xs):
        return xs[0]

    scalar_rule(first, lambda y, x: 1.0)

    assert derivatives_given_output(2.0, first, 2.0) == ((1.0,),)
