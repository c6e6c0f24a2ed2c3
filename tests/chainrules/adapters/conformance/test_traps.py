"""What is silently wrong in bridges that are written by hand: here it is right, or an error."""

import numpy as np
import pytest

import chainrules.adapters
from chainrules_core import NoTangent, rrule, typeof_

X = np.array([1.0, 2.0])
POWERS = np.sum(X**3.0 * np.log(X))  # the derivative of the sum of powers by the exponent 3


def power_sum(x, exponent=2.0):
    """Numbers to a power that may be given by keyword."""
    return np.sum(x**exponent)


def passed_on(x):
    """A function that is the identity."""
    return x


@rrule.dispatch
def passed_on_rrule(f: typeof_(passed_on), x: np.ndarray):
    """Its pullback returns the very cotangent that it is given."""
    return x, lambda y_bar: (NoTangent(), y_bar)


def square(x):
    """A function whose pullback keeps its argument."""
    return x * x


def test_keyword_of_torch():
    """A gradient by a keyword is not `None`."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    exponent = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    to_torch(power_sum)(torch.tensor(X), exponent=exponent).backward()
    assert exponent.grad.item() == pytest.approx(POWERS)


def test_keyword_of_jax():
    """A gradient by a keyword is not 0."""
    jax = pytest.importorskip("jax")
    from chainrules.adapters import to_jax  # noqa: PLC0415 - it needs the framework

    with jax.enable_x64(True):
        gradient = jax.grad(lambda exponent: to_jax(power_sum)(X, exponent=exponent))(3.0)
    assert float(gradient) == pytest.approx(POWERS)


def test_keyword_of_autograd():
    """A gradient by a keyword is not 0."""
    autograd = pytest.importorskip("autograd")
    from chainrules.adapters import to_autograd  # noqa: PLC0415 - it needs the framework

    gradient = autograd.grad(lambda exponent: to_autograd(power_sum)(X, exponent=exponent))(3.0)
    assert gradient == pytest.approx(POWERS)


def test_keyword_of_pytensor():
    """A gradient by a keyword is not 0."""
    pytensor = pytest.importorskip("pytensor")
    from chainrules.adapters import to_pytensor  # noqa: PLC0415 - it needs the framework

    exponent = pytensor.tensor.dscalar()
    gradient = pytensor.grad(to_pytensor(power_sum)(X, exponent=exponent), exponent)
    computed = pytensor.function([exponent], gradient, mode="FAST_COMPILE")(3.0)
    assert float(computed) == pytest.approx(POWERS)


def test_keyword_of_mygrad():
    """A gradient by a keyword is not `None`."""
    mygrad = pytest.importorskip("mygrad")
    from chainrules.adapters import to_mygrad  # noqa: PLC0415 - it needs the framework

    exponent = mygrad.tensor(3.0)
    to_mygrad(power_sum)(mygrad.tensor(X), exponent=exponent).backward()
    assert exponent.grad == pytest.approx(POWERS)


# PyTorch uses its own deprecated function when it first compiles something.
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
def test_tangent_of_an_operator_of_torch():
    """Operators of PyTorch's dispatcher have no forward mode: compiled programs refuse tangents."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    f = torch.compile(to_torch(square), backend="eager", fullgraph=True)
    # The compiler raises an error of its own, which quotes ours.
    with torch.autograd.forward_ad.dual_level():
        x = torch.autograd.forward_ad.make_dual(torch.tensor(X), torch.tensor(X))
        with pytest.raises(Exception, match=r"AdapterError.* no forward mode inside `torch\.compile`"):
            f(x)
    with pytest.raises(Exception, match=r"AdapterError.* cannot be transformed by `torch\.func`"):
        torch.func.jvp(f, (torch.tensor(X),), (torch.tensor(X),))


def test_argument_that_is_changed_before_the_way_back():
    """PyTorch notices; the gradient is not that of the new numbers."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    x = torch.tensor(X, requires_grad=True)
    inner = x * 1.0
    y = to_torch(square)(inner).sum()
    with torch.no_grad():
        inner += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_result_that_is_changed_before_the_way_back():
    """The pullback of `exp` keeps its result, and another array than the tensor's."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    x = torch.tensor(X, requires_grad=True)
    y = to_torch(np.exp)(x)
    with torch.no_grad():
        y.zero_()
    y.sum().backward()
    assert np.allclose(x.grad, np.exp(X))


def test_cotangent_that_is_passed_on():
    """To add to a gradient does not change the cotangent that it came from, nor another gradient."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    x = torch.tensor(X, requires_grad=True)
    y_bar = torch.ones(2, dtype=torch.float64)
    y = to_torch(passed_on)(x)
    y.backward(y_bar, retain_graph=True)
    y.backward(y_bar)
    assert np.array_equal(x.grad, [2.0, 2.0])
    assert np.array_equal(y_bar, [1.0, 1.0])
    with torch.no_grad():
        y += 5.0  # a result is no argument either
    assert np.array_equal(x.detach(), X)


def test_array_that_is_changed_after_a_call_by_jax():
    """A constant array of a call is as it was when the call was made."""
    jax = pytest.importorskip("jax")
    from chainrules.adapters import to_jax  # noqa: PLC0415 - it needs the framework

    weights = X.copy()
    with jax.enable_x64(True):
        y, pullback = jax.vjp(lambda x: to_jax(np.multiply)(x, weights), jax.numpy.asarray(X))
        weights[:] = 100.0
        (x_bar,) = pullback(jax.numpy.ones(2))
    assert np.array_equal(y, X * X)
    assert np.array_equal(x_bar, X)


def sum_in_a_loop(adapt, x):
    """Functions that close over the variable of the loop that makes them: in all, 6 times the cube of `x`."""
    total = 0.0
    for factor in (1.0, 2.0, 3.0):
        total = total + adapt(lambda x: factor * x**3)(x)  # noqa: B023 - that it is late is what is tested
    return total


def test_closures_of_a_loop_of_torch():
    """The second derivative calls them again, with the variables that they saw."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(sum_in_a_loop(to_torch, x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item()) == (72.0, 72.0)


def test_closures_of_a_loop_of_jax():
    """A compiled program calls them later, and so does a derivative, with the variables that they saw."""
    jax = pytest.importorskip("jax")
    from chainrules.adapters import to_jax  # noqa: PLC0415 - it needs the framework

    def f(x):
        return sum_in_a_loop(to_jax, x)

    assert float(jax.jit(f)(2.0)) == 48.0
    assert float(jax.grad(f)(2.0)) == 72.0
    assert float(jax.jit(jax.grad(jax.grad(f)))(2.0)) == 72.0


def test_closures_of_a_loop_of_autograd():
    """The second derivative calls them again, with the variables that they saw."""
    autograd = pytest.importorskip("autograd")
    from chainrules.adapters import to_autograd  # noqa: PLC0415 - it needs the framework

    first = autograd.grad(lambda x: sum_in_a_loop(to_autograd, x))
    assert (first(2.0), autograd.grad(first)(2.0)) == (72.0, 72.0)


def test_closures_of_a_loop_of_pytensor():
    """A compiled function calls them later, with the variables that they saw."""
    pytensor = pytest.importorskip("pytensor")
    from chainrules.adapters import to_pytensor  # noqa: PLC0415 - it needs the framework

    x = pytensor.tensor.dscalar()
    y = sum_in_a_loop(to_pytensor, x)
    computed = pytensor.function([x], [y, pytensor.grad(y, x)], mode="FAST_COMPILE")(2.0)
    assert [float(each) for each in computed] == [48.0, 72.0]


def test_closure_that_pytensor_calls_twice():
    """Calls of one function are not equal where a variable was assigned to in between."""
    pytensor = pytest.importorskip("pytensor")
    from chainrules.adapters import to_pytensor  # noqa: PLC0415 - it needs the framework

    x = pytensor.tensor.dscalar()
    factor = 2.0
    f = to_pytensor(lambda x: factor * x)
    ys = [f(x)]
    factor = 5.0
    ys.append(f(x))
    computed = pytensor.function([x], ys, mode="FAST_COMPILE")(1.0)
    assert [float(each) for each in computed] == [2.0, 5.0]


def scaled_in_place(x, weights):
    """A function that writes into its second argument."""
    weights *= 2.0
    return np.sum(x * weights)


def test_argument_that_a_function_of_torch_writes_into():
    """PyTorch does not notice, and the gradient would be that of the second call: it is an error."""
    torch = pytest.importorskip("torch")
    from chainrules.adapters import to_torch  # noqa: PLC0415 - it needs the framework

    x, weights = torch.tensor(X, requires_grad=True), torch.ones(2, dtype=torch.float64)
    for each in (x, x.detach()):
        with pytest.raises(ValueError, match="read-only") as caught:
            to_torch(scaled_in_place)(each, weights)
        assert any("Copy it before, `x = x.copy()`" in note for note in caught.value.__notes__)
    assert np.array_equal(weights, [1.0, 1.0])


def test_variable_of_a_function_of_jax():
    """The value is compiled once for all; so the gradient, which is compiled later, is that of this value."""
    pytest.importorskip("jax")
    from chainrules.ad import grad  # noqa: PLC0415 - as the next one
    from chainrules.adapters import from_jax  # noqa: PLC0415 - it needs the framework

    factor = 2.0
    f = from_jax(lambda x: factor * x)
    assert f(1.0) == 2.0
    factor = 5.0
    assert (f(1.0), grad(f)(1.0)) == (2.0, 2.0)


class NotOurAffairError(Exception):
    """An error of a user's own."""


def failing(x):
    """A function whose rule fails on its way back."""
    return np.sum(x)


@rrule.dispatch
def failing_rrule(f: typeof_(failing), x: np.ndarray):
    """Its pullback raises."""

    def failing_pullback(y_bar):
        raise NotOurAffairError("the rule says why")

    return np.sum(x), failing_pullback


def backward_by_torch(f, x):
    """A gradient by PyTorch."""
    torch = pytest.importorskip("torch")
    f(torch.tensor(x, requires_grad=True)).backward()


def backward_by_jax(f, x):
    """A compiled gradient by JAX."""
    jax = pytest.importorskip("jax")
    jax.block_until_ready(jax.jit(jax.grad(f))(x))


def backward_by_autograd(f, x):
    """A gradient by autograd."""
    pytest.importorskip("autograd").grad(f)(x)


def backward_by_pytensor(f, x):
    """A gradient by PyTensor."""
    pytensor = pytest.importorskip("pytensor")
    v = pytensor.tensor.dvector()
    pytensor.function([v], pytensor.grad(f(v), v), mode="FAST_COMPILE")(x)


def backward_by_mygrad(f, x):
    """A gradient by mygrad."""
    f(pytest.importorskip("mygrad").tensor(x)).backward()


GRADIENTS = {
    "torch": (backward_by_torch, NotOurAffairError),
    "jax": (backward_by_jax, Exception),  # JAX raises an error of its own, with our text
    "autograd": (backward_by_autograd, NotOurAffairError),
    "pytensor": (backward_by_pytensor, NotOurAffairError),
    "mygrad": (backward_by_mygrad, NotOurAffairError),
}


@pytest.mark.parametrize("framework", GRADIENTS)
def test_error_in_a_rule_reaches_the_user(framework):
    """In its class, or where the framework cannot do that with its text."""
    pytest.importorskip(framework)
    backward, expected = GRADIENTS[framework]
    with pytest.raises(expected, match="the rule says why"):
        backward(getattr(chainrules.adapters, f"to_{framework}")(failing), X)


@pytest.mark.parametrize("framework", GRADIENTS)
def test_adapted_function_keeps_its_name(framework):
    """And its documentation."""
    pytest.importorskip(framework)
    adapted = getattr(chainrules.adapters, f"to_{framework}")(failing)
    assert (adapted.__name__, adapted.__doc__) == ("failing", failing.__doc__)
