"""Arrays that belong to somebody: results to the caller, arguments to whoever passed them."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import (
    ADConfig,
    call,
    checkpoint,
    grad,
    hessian,
    jacobian,
    jvp,
    linearize,
    stop_gradient,
    vjp,
)
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced
from chainrules.ad.writing.ownership import call_without_writing, check_arguments_stayed, take_copies
from chainrules_core import NoTangent, Tangent, frule_via_ad, rrule_via_ad
from tests.chainrules.ad.writing.programs import X


def doubled_in_place(v):
    """A function that writes into its argument."""
    v *= 2.0
    return v


@pytest.mark.parametrize("derive", [vjp, linearize])
def test_results_may_be_written_into(derive):
    """The pullback and the pushforward keep what they need."""
    y, linear = derive(lambda x: {"a": [np.exp(x)], "b": x}, X)
    y["a"][0] -= 5.0
    y["b"] *= 0.0

    (ones,) = ({"a": [np.ones(3)], "b": np.zeros(3)},)
    found = linear(ones)[0] if derive is vjp else linear(np.ones(3))["a"][0]
    np.testing.assert_array_equal(found, np.exp(X))
    assert X[0] == 0.3


@pytest.mark.parametrize("f", [lambda x: x, lambda x: x[1:], lambda x: [x]])
def test_tangents_are_the_callers(f):
    """`jvp` does not return the tangent that it was given, nor a view of it."""
    x_dot = np.ones(3)
    _, y_dot = jvp(f, (X,), (x_dot,))

    assert not np.shares_memory(y_dot, x_dot)
    np.testing.assert_array_equal(np.ravel(y_dot), np.ones(np.size(y_dot)))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(checkpoint(doubled_in_place)(x)),
        lambda x: sum(map_in_rows(doubled_in_place, [x, x]))[0],
    ],
)
@pytest.mark.parametrize("derive", [grad, hessian, lambda f: lambda x: jvp(f, (x,), (x,))])
def test_functions_called_by_rules_may_not_write_into_their_arguments(f, derive):
    """Their caller would not see it, and the arrays are kept for derivatives: it is an error."""
    x = X.copy()
    with pytest.raises((TypeError, ValueError), match=r"wrote into its argument|read-only"):
        derive(f)(x)
    np.testing.assert_array_equal(x, X)


def test_captured_arrays_may_not_be_written_into_either():
    """The function is called again for its derivative."""

    def f(x):
        y = np.sin(x)

        def block(z):
            y[0] = 2.0
            return np.sum(y * z)

        return checkpoint(block)(x) + np.sum(y)

    for derive in (grad, hessian, lambda f: lambda x: jvp(f, (x,), (x,))):
        with pytest.raises((TypeError, ValueError), match=r"wrote into its argument|read-only"):
            derive(f)(X)


def map_in_rows(f, rows):
    """A call of `map`, by its rule."""
    return call(map, f, rows)


def test_functions_called_by_rules_may_write_into_copies():
    """And into arrays of their own."""

    def f(v):
        v = v.copy()
        v *= v
        return v

    np.testing.assert_array_equal(grad(lambda x: np.sum(checkpoint(f)(x)))(X), 2 * X)


def test_what_is_not_differentiated_may_be_written_into():
    """The result of `stop_gradient` shares no memory with what rules keep."""

    def f(x):
        y = np.exp(x)
        stopped, (row,), inside = stop_gradient(y), stop_gradient((y[1:],)), stop_gradient(lambda: y[:1])
        for z in (stopped, row, inside):
            z[:] = 0.0
        return np.sum(y) + np.sum(stopped)

    np.testing.assert_array_equal(grad(f)(X), np.exp(X))
    np.testing.assert_allclose(jacobian(grad(f))(X), np.diag(np.exp(X)))
    assert jvp(f, (X,), (np.ones(3),))[1] == np.sum(np.exp(X))


def test_copies_of_arguments():
    """Of arrays that can be written into, in containers too; the argument itself stays."""
    trace = ReverseTrace()
    own, frozen = X.copy(), X.copy()
    frozen.flags.writeable = False
    given = {"own": [traced(own, trace, input_node)[0]], "frozen": traced(frozen, trace, input_node)[0]}

    take_copies(given)

    assert given["own"][0]._value is not own
    np.testing.assert_array_equal(given["own"][0]._value, own)
    assert given["frozen"]._value is frozen


# --- Values of every kind that holds arrays --------------------------------------------------------------


@dataclass
class Data:
    """A dataclass."""

    a: object


class Model:
    """An instance of an ordinary class."""

    def __init__(self, a):
        self.a = a


def array_in(x):
    """The array that a value of any kind holds."""
    while not isinstance(x, np.ndarray) and not hasattr(x, "_value"):
        x = (
            x()
            if callable(x)
            else x.a
            if isinstance(x, Data | Model)
            else next(iter(dict(enumerate(x)).values()))
        )
    return x


HOLDERS = {
    "nothing": lambda a: a,
    "a list": lambda a: [a],
    "a tuple in a list": lambda a: [(a, 2)],
    "a dataclass": Data,
    "a closure": lambda a: lambda: a,
}


def run(f):
    """Run a function as it is."""
    return f


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_arrays_that_pullbacks_may_keep(hold):
    """Wherever an array is held, the function that is called cannot write into it, and can read it."""

    def write(x):
        array_in(x)[0] = 3.0

    a = X.copy()
    with pytest.raises(ValueError, match="read-only") as caught:
        call_without_writing(run, write, [hold(a)], {})
    assert "Let it write into a copy, `x.copy()`." in caught.value.__notes__[0]
    with pytest.raises(ValueError, match="read-only"):
        call_without_writing(run, lambda: write(hold(a)), [], {})
    np.testing.assert_array_equal(a, X)
    assert call_without_writing(
        run, lambda x, k: k * np.sum(array_in(x)), [hold(a)], {"k": 2.0}
    ) == 2 * np.sum(X)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.append(1.0),
        lambda x: x.__setitem__(0, 1.0),
        lambda x: x[1].update(b=1.0),
        lambda x: x[1].clear(),
    ],
)
def test_containers_that_would_not_be_seen_to_change(change):
    """A function gets other containers than its caller has, if they hold arrays, and may not change them."""
    with pytest.raises(TypeError, match=r"wrote into its argument.*x\.copy"):
        call_without_writing(run, change, [[X.copy(), {"a": X.copy()}]], {})


def test_lists_that_a_closure_collects_in():
    """They may grow and shrink; the function is called with others, and its caller sees the change."""
    kept, named, first = [X.copy()], {"a": X.copy(), "b": 1.0}, X.copy()
    kept[0], unseen = first, [[X.copy()]]

    def f(x):
        kept.append(x)
        named["c"] = named.pop("b")
        unseen[0].pop()
        return np.sum(x) + len(kept)

    assert call_without_writing(run, f, [X], {}) == np.sum(X) + 2
    assert kept[0] is first
    assert len(kept) == 2
    assert list(named) == ["a", "c"]
    assert named["c"] == 1.0
    assert unseen == [[]]


@pytest.mark.parametrize("start", [[], [1.0], [X.copy()]])
@pytest.mark.parametrize(
    "derive",
    [
        lambda f: rrule_via_ad(ADConfig(), f, X)[1](1.0)[1],
        lambda f: frule_via_ad(ADConfig(), (_tangent_of(f), np.ones(3)), f, X)[1],
        lambda f: grad(lambda x: np.sum(list(map_in_rows(f, [x]))))(X),
    ],
)
def test_functions_called_by_rules_collect(start, derive):
    """Numbers in a list are replaced for the call by traced ones; the caller's list grows."""
    seen = list(start)

    def f(x):
        seen.append("here")
        return np.sum(x * W)

    W = np.arange(3.0)
    derivative = derive(f)
    assert np.array_equal(derivative, W) or derivative == 3.0
    assert seen[-1] == "here"
    assert len(seen) == len(start) + 1
    assert all(kept is was for was, kept in zip(start, seen, strict=False))


def _tangent_of(f):
    """One that moves all that `f` captures by zero, in containers that are replaced for the call."""
    _W, seen = (cell.cell_contents for cell in f.__closure__)
    return Tangent[type(f)](W=np.zeros(3), seen=[np.zeros_like(part) for part in seen] or NoTangent())


def test_lists_that_a_closure_changes_elsewhere():
    """Its caller would not see that."""
    kept = [X.copy(), 1.0]
    for change in (lambda: kept.insert(0, 1.0), lambda: kept.pop(0), lambda: kept.__setitem__(1, "a")):
        with pytest.raises(TypeError, match=r"wrote into its argument"):
            call_without_writing(run, change, [], {})
    assert len(kept) == 2


def test_instances_are_the_callers():
    """What a function assigns to their attributes is seen."""
    model = Model(X.copy())

    def assign(model):
        model.a, model.b = 2.0, 3.0

    call_without_writing(run, assign, [model], {})
    assert (model.a, model.b) == (2.0, 3.0)


@pytest.mark.parametrize("hold", [*HOLDERS.values(), Model], ids=[*HOLDERS, "an instance"])
def test_values_of_every_kind_are_read_by_rules_that_call_back(hold):
    """`rrule_via_ad` and `frule_via_ad` take them as arguments and as the function."""

    def f(x):
        return np.sum(np.sin(array_in(x)))

    y, pullback = rrule_via_ad(ADConfig(), f, hold(X))
    x_bar = pullback(1.0)[1]
    assert y == np.sum(np.sin(X))
    assert frule_via_ad(ADConfig(), (NoTangent(), x_bar), f, hold(X))[1] == pytest.approx(
        np.sum(np.cos(X) ** 2)
    )


def test_values_that_are_put_in_the_place_of_others():
    """A value of another kind in a container is seen; within a differentiation instances may change."""
    for change in (lambda x: x.__setitem__(0, "text"), lambda x: x.__setitem__(0, (2.0,))):
        with pytest.raises(TypeError, match="wrote into its argument"):
            call_without_writing(run, change, [[X.copy(), 1.0]], {})

    def stayed(x, given, trace):
        check_arguments_stayed((run, x), (run, given), trace)

    trace = ReverseTrace()
    with pytest.raises(TypeError, match="wrote into its argument"):
        stayed([1.0, X], [2.0, X], trace)
    with pytest.raises(TypeError, match="wrote into its argument"):
        stayed(Model(1.0), Model(2.0), None)
    stayed(Model(1.0), Model(2.0), trace)
    stayed(Model(X), Model(X), None)


@pytest.mark.parametrize("form", [np.asarray, lambda y: y[1:], lambda y: y[np.newaxis]])
@pytest.mark.parametrize(
    "derive",
    [
        lambda f, t, y: rrule_via_ad(ADConfig(), f, t, y)[0],
        lambda f, t, y: frule_via_ad(ADConfig(), (NoTangent(), t, y), f, t, y)[1] / 3.0,
        lambda f, t, y: rrule_via_ad(ADConfig(), lambda z: f(z[0], z[1]), [t, y])[0],
    ],
)
def test_arrays_that_the_program_made(derive, form):
    """They are given as they are, and a write into them is seen."""

    def program(f):
        return lambda t: derive(f, t, form(np.ones(3)))

    def write(t, y):
        y[0] = t
        return np.sum(y)

    number = form(np.ones(3)).size
    assert grad(program(lambda t, y: t * np.sum(y * y)))(2.0) == pytest.approx(number)
    with pytest.raises(TypeError, match="wrote into its argument"):
        grad(program(write))(2.0)
