"""The methods and attributes of arrays on traced values."""

import numpy as np
import pytest

from chainrules.ad import call, grad, hessian, interception, jacobian, jvp, vjp
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced
from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal, positive
from tests.python_calls import functions_run_by

# Differences by a stencil of five points agree with these derivatives to some 2e-11.
CLOSE = 1e-8

# What to call each method of arrays with; `None` for an attribute. Those that are not here are refused.
CALLS = {
    "T": [None],
    "all": [(), (0,)],
    "any": [(), (0,)],
    "argmax": [(), (0,)],
    "argmin": [(), (1,)],
    "argpartition": [(1,), (1, 0)],
    "argsort": [(), (0,)],
    "astype": [(np.float32,), (complex,), (int,)],
    "clip": [(0.6, 1.5), (0.6,), (None, 1.5)],
    "compress": [([True, False, True], 1), ([True, False],)],
    "conj": [()],
    "conjugate": [()],
    "copy": [(), ("F",)],
    "cumprod": [(), (1,)],
    "cumsum": [(), (0,)],
    "diagonal": [(), (1,)],
    "dot": [(normal(3),), (normal(3, 2),)],
    "dtype": [None],
    "flat": [None],
    "flatten": [(), ("F",)],
    "imag": [None],
    "item": [(1,), (0, 2), ((1, 1),), (-1,)],
    "itemsize": [None],
    "mT": [None],
    "max": [(), (0,), (1, None, True)],
    "mean": [(), (0,), ((0, 1),)],
    "min": [(), (0,)],
    "nbytes": [None],
    "ndim": [None],
    "nonzero": [()],
    "prod": [(), (0,)],
    "ravel": [(), ("F",)],
    "real": [None],
    "repeat": [(2,), (2, 0), ([1, 2], 0)],
    "reshape": [(6,), (3, 2), ((3, -1),)],
    "round": [(), (-1,)],
    "shape": [None],
    "size": [None],
    "squeeze": [()],
    "std": [(), (0,)],
    "sum": [(), (0,), (-1,), ((0, 1),)],
    "swapaxes": [(0, 1)],
    "take": [([0, 5],), ([0, 0], 1)],
    "trace": [(), (1,)],
    "transpose": [(), (1, 0), ((1, 0),)],
    "var": [(), (1,)],
}

# What writes into the array, or locks it: see `tests/chainrules/ad/writing`.
WRITING = {"fill", "partition", "put", "setflags", "sort"}

# What shares the memory, as the same numbers alone.
SHARING = {"view"}

# What hands out the memory of the array, or its plain numbers.
REFUSED = {
    *("byteswap", "choose", "ctypes", "data", "device", "dump", "dumps", "getfield"),
    *("resize", "setfield", "to_device", "tobytes", "tofile"),
}


def test_every_method_of_arrays_is_known():
    """Each works on a traced value, or is refused, or can be used once the values are sorted (see below)."""
    x = np.ones((1, 1))  # NumPy 2.0 lists methods that it has no more, and the old name of `tobytes`
    public = {name for name in dir(x) if not name.startswith("_") and hasattr(x, name)}

    known = CALLS.keys() | REFUSED | SHARING | WRITING
    assert public - {"base", "flags", "searchsorted", "strides", "tolist", "tostring"} <= known
    assert not CALLS.keys() & REFUSED


@pytest.mark.parametrize(("name", "args"), [(name, args) for name in CALLS for args in CALLS[name]])
def test_methods_and_attributes(name, args):
    """They have the values that arrays have, and derivatives that agree with differences, in both modes."""
    if not hasattr(np.ndarray, name):
        pytest.skip("younger than this NumPy")
    x, x_dot = positive(2, 3), normal(2, 3)

    def f(x):
        return getattr(x, name) if args is None else getattr(x, name)(*args)

    plain = np.ravel if name == "flat" else f  # NumPy's is an iterator
    y, y_dot = jvp(f, (x,), (x_dot,))

    assert type(y) is type(plain(x)) or name == "item"  # NumPy's number in place of Python's
    np.testing.assert_array_equal(y, plain(x))
    if np.asarray(y).dtype.kind not in "fc" or name == "round":
        assert isinstance(y_dot, NoTangent | tuple) or not np.any(y_dot)
        return
    by_differences = jvp_by_differences(None, plain, (x, x_dot))
    # Differences of results in single precision are rounded to some 1e-5 of the derivative.
    rtol = 1e-4 if np.asarray(y).dtype == np.float32 else CLOSE
    np.testing.assert_allclose(y_dot, by_differences, rtol=rtol, atol=rtol / 10)  # as said above
    _, pullback = vjp(lambda x: np.real(np.sum(f(x) * 1.5)), x)
    np.testing.assert_allclose(
        np.sum(pullback(1.0)[0] * x_dot), np.real(np.sum(y_dot) * 1.5), rtol=rtol, atol=rtol / 10
    )


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_methods(name):
    """The error says what to write instead."""
    if not hasattr(np.ndarray, name):
        pytest.skip("younger than this NumPy")
    with (
        interception(False),
        pytest.raises((TypeError, AttributeError), match=rf"x\.{name}.*has no derivative rule.*[wW]rite"),
    ):
        while_traced(positive(2, 3), lambda x: getattr(x, name)(0))


def test_places_in_a_sorted_array():
    """Searches in a sorted array give integers."""
    assert while_traced(np.arange(3.0), lambda x: x.searchsorted(1.5)) == 2
    assert while_traced(np.arange(3.0), lambda x: np.searchsorted(x, x).tolist()) == [0, 1, 2]


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x.sum(axis=0, keepdims=True),
        lambda x: x.sum(where=x > 1.0, initial=2.0),
        lambda x: x.mean(axis=1, keepdims=True),
        lambda x: x.var(ddof=1),
        lambda x: x.std(axis=0, ddof=1, keepdims=True),
        lambda x: x.clip(min=1.0),
        lambda x: x.clip(max=1.0),
        lambda x: x.max(axis=0, keepdims=True),
        lambda x: x.prod(axis=0),
        lambda x: x.cumsum(axis=1),
        lambda x: x.reshape((3, 2), order="F"),
        lambda x: x.repeat(2, axis=1),
        lambda x: x.take([1, 1], axis=1),
        lambda x: x.trace(offset=1),
        lambda x: x.diagonal(offset=1, axis1=1, axis2=0),
        lambda x: x.compress([True, False], axis=0),
        lambda x: x[None].squeeze(axis=0),
        lambda x: x.astype(np.float64, copy=False),
    ],
)
def test_keywords_of_methods(use):
    """Methods take the keywords that the methods of arrays take."""
    x = positive(2, 3)

    def f(x):
        return np.sum(use(x) ** 2)

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=CLOSE)
    np.testing.assert_array_equal(while_traced(x, lambda x: primal_of(use(x))), use(x))


def test_one_element():
    """`item` without an index is the element of an array that has one; it keeps its derivative."""
    assert grad(lambda x: x.item() ** 2)(np.array([[3.0]])).tolist() == [[6.0]]
    assert grad(lambda x: x.item() ** 2)(3.0) == 6.0
    with pytest.raises(ValueError, match="just one"):
        while_traced(normal(2), lambda x: x.item())


def test_numbers_have_methods_too():
    """A traced float has the methods of NumPy's numbers."""
    assert grad(lambda x: x.sum() * x.reshape(1)[0] + x.conjugate() + x.real - x.imag)(3.0) == 8.0


def test_methods_are_the_functions_of_numpy():
    """Methods and attributes of arrays have their meaning."""
    x = normal(2, 3)

    def f(x):
        y = x.sum(axis=0) * x.mean(0) + x.reshape(3, 2).T[0] - x.transpose(1, 0)[:, 0]
        return (y.reshape((3,)) * x.transpose()[:, 1]).sum() * x.swapaxes(0, 1)[0, 0]

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=CLOSE)


def test_parts_of_complex_values():
    """``real``, ``imag`` and ``conjugate`` are traced."""

    def f(z):
        return (z.real * z.imag + (z * z.conjugate()).real) * z.imag

    assert grad(f)(1 + 2j) == pytest.approx(grad_by_differences(None, f, 1 + 2j)[0])


def test_setting_parts_of_complex_values():
    """Both parts of complex arrays are written to; real arrays have no imaginary part, as NumPy says."""

    def f(x):
        z = x + 1j
        z.real = x**2
        z.imag = 3.0 * x
        return z

    assert jvp(f, (np.array([2.0]),), (np.ones(1),))[1].tolist() == [4.0 + 3.0j]
    with pytest.raises(TypeError, match="imaginary part"):
        while_traced(normal(2), lambda x: setattr(x + 1.0, "imag", 0.0))


def test_questions_about_an_array():
    """Shape, number of axes and elements, dtype and length are the value's own."""
    x = normal(2, 3, dtype=np.float32)

    assert while_traced(x, lambda x: (x.shape, x.ndim, x.size, x.dtype, len(x))) == (
        (2, 3),
        2,
        6,
        np.float32,
        2,
    )
    assert while_traced(x, lambda x: (np.shape(x), np.ndim(x), np.size(x))) == ((2, 3), 2, 6)
    assert while_traced(1.5, lambda x: (x.shape, x.ndim, x.size, x.dtype)) == ((), 0, 1, np.float64)
    with pytest.raises(TypeError, match="len"):
        while_traced(1.5, len)


def test_lists_of_elements():
    """`tolist` gives traced numbers, with derivatives of every order."""
    x = np.array([[1.0, 2.0], [3.0, 4.0]])

    def product(x):
        (a, _), (_, d) = x.tolist()
        return a * d**2

    assert grad(product)(x).tolist() == [[16.0, 0.0], [0.0, 8.0]]
    assert jvp(lambda x: x.tolist(), (x,), (2.0 * x,)) == (x.tolist(), (2.0 * x).tolist())
    assert hessian(product)(x)[0, 0, 1, 1] == hessian(product)(x)[1, 1, 0, 0] == 8.0
    assert grad(lambda x: x.tolist() ** 2)(np.array(3.0)) == grad(lambda x: x.tolist() ** 2)(3.0) == 6.0


def test_attributes_of_arrays_without_a_counterpart():
    """What arrays have and traced values have not is named, with the way out."""
    with pytest.raises(AttributeError, match=r"`x\.ctypes` of a traced value.*primal_of\(x\)\.ctypes"):
        while_traced(normal(2), lambda x: x.ctypes)
    with pytest.raises(AttributeError, match="has no attribute 'shpae'"):
        while_traced(normal(2), lambda x: x.shpae)


class Spline:
    """An object with fields, methods and a call, that is made as a whole."""

    def __init__(self, knots, degree):
        self.knots, self.degree = knots, degree

    def __call__(self, x):
        """The value at `x`."""
        return np.sum(self.knots) * x

    def first(self):
        """The first of the knots."""
        return self.knots[0]

    @property
    def mean(self):
        """Something that arrays have as a method."""
        return self.degree


@primitive
def spline(knots):
    """Make one."""
    return Spline(knots, 3)


@frule.dispatch
def spline_frule(tangents, f: typeof_(spline), knots: np.ndarray):
    """Move the field."""
    return spline(knots), Tangent[Spline](knots=tangents[1])


@rrule.dispatch
def spline_rrule(f: typeof_(spline), knots: np.ndarray):
    """Pull back from the field."""
    return spline(knots), lambda y_bar: (NoTangent(), y_bar.knots)


@frule.dispatch
def spline_call_frule(tangents, f: Spline, x: float):
    """Move the knots and the place."""
    return f(x), np.sum(unthunk(tangents[0]).knots) * x + np.sum(f.knots) * unthunk(tangents[1])


@rrule.dispatch
def spline_call_rrule(f: Spline, x: float):
    """Have a cotangent for the object."""

    def spline_call_pullback(y_bar):
        return Tangent[Spline](knots=np.full_like(f.knots, x * y_bar)), np.sum(f.knots) * y_bar

    return f(x), spline_call_pullback


def gradients(f, *args):
    """The gradient by the first argument, backwards and forwards."""
    return grad(f)(*args), jacobian(f, mode="forward")(*args)


def test_objects_that_are_traced_as_a_whole():
    """Their fields are found, and they are called by the rule of their class; what is no number is plain."""
    knots = normal(3)

    for gradient in gradients(lambda knots: np.sum(spline(knots).knots ** 2), knots):
        np.testing.assert_allclose(gradient, 2 * knots)
    for gradient in gradients(lambda knots: spline(knots)(2.0), knots):
        np.testing.assert_allclose(gradient, np.full(3, 2.0))
    for gradient in gradients(lambda knots: call(spline(knots), knots[0]), knots):
        np.testing.assert_allclose(gradient, knots[0] + np.sum(knots) * np.array([1.0, 0.0, 0.0]))
    assert while_traced(knots, lambda knots: spline(knots).degree) == 3


def test_objects_in_nested_differentiations():
    """They are called by the rule of their class, and their fields are found, at every level."""
    knots, ones = normal(3), np.ones((3, 3))

    def value(knots):
        return spline(knots)(2.0) ** 2 + np.sum(spline(knots).knots) ** 2

    for mode in ("forward", "reverse"):
        np.testing.assert_allclose(jacobian(grad(value), mode=mode)(knots), 10 * ones)
        np.testing.assert_allclose(jacobian(jacobian(value, mode="forward"), mode=mode)(knots), 10 * ones)


def test_attributes_of_objects_that_arrays_have_as_methods():
    """An attribute of a traced object is the object's own, also if arrays have a method of that name."""
    with pytest.raises(RuleNotFoundError, match=r"getattr"):
        while_traced(normal(3), lambda knots: spline(knots).mean)
    with pytest.raises(AttributeError, match="has no attribute 'copy'"):
        while_traced(normal(3), lambda knots: spline(knots).copy)


def test_what_objects_do_not_have():
    """A method without a rule, an attribute that is not there, a value that cannot be called."""
    with pytest.raises(RuleNotFoundError, match=r"Spline\.first"):
        while_traced(normal(3), lambda knots: spline(knots).first())
    with pytest.raises(AttributeError, match="a traced Spline has no attribute 'knot'"):
        while_traced(normal(3), lambda knots: spline(knots).knot)
    with pytest.raises(TypeError, match="not callable"):
        while_traced(1.5, lambda x: x(2.0))
    assert not while_traced(1.5, callable)
    assert while_traced(normal(3), lambda knots: callable(spline(knots)))


def test_view():
    """It shares the elements, and does not read them as others."""

    def f(x):
        y, z = x.copy(), np.zeros(3)
        same, other = y.view(), z.view(np.ndarray)
        same[0] = x[1] ** 2
        y.view(np.float64)[1:] *= 2.0
        z.view(type=np.ndarray)[1] = x[0]
        other[0] = x[2]
        return np.sum(y**2) + np.sum(z**3)

    x = positive(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)
    for refused in (lambda x: x.view(complex), lambda x: x.view(np.matrix), lambda x: x.view(type=np.memmap)):
        with pytest.raises(TypeError, match=r"Write `x\.astype\(dtype\)`"):
            grad(lambda x, view=refused: np.sum(view(x)))(np.ones(2))


@pytest.mark.parametrize("name", ["shape", "ndim", "size"])
def test_the_short_way(name):
    """A plain array is asked itself."""
    x, _ = traced(normal(2), ReverseTrace(), input_node)
    assert name not in functions_run_by(lambda: getattr(x, name))
