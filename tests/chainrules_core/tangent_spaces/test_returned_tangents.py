"""What rules return to AD systems has the shapes of the arguments, and of the result."""

import dataclasses
import re

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules_core import (
    DimensionMismatchError,
    HasForwardsMode,
    HasReverseMode,
    InplaceableThunk,
    NoTangent,
    RuleConfig,
    Tangent,
    TangentStructureError,
    Thunk,
    ZeroTangent,
    frule,
    non_differentiable,
    not_implemented,
    rrule,
    typeof_,
    unthunk_fully,
)
from chainrules_core.structured import Diagonal

NO = NoTangent()
X = np.array([1.0, 2.0])
SQUARE = np.ones((2, 2))


class Engine(RuleConfig[HasReverseMode, HasForwardsMode]):
    """An AD system."""


@dataclasses.dataclass
class Layer:
    """A value with fields."""

    A: np.ndarray
    bias: float = 0.0


def with_rules(x_bar=None, y=1.0, y_dot=None):
    """A function of one argument, whose rules return what they are told."""

    def f(x): ...

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: object):
        def f_pullback(y_bar):
            return NO, x_bar

        return y, f_pullback

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: object):
        return y, y_dot

    return f


def pulled(x, x_bar):
    """The cotangent of an argument that an AD system gets."""
    _, pullback = rrule(Engine(), with_rules(x_bar), x)
    for _ in range(2):
        f_bar, looked_at = pullback(1.0)
    assert f_bar is NO
    return looked_at


def pushed(y, y_dot):
    """The tangent of a result that an AD system gets."""
    f = with_rules(y=y, y_dot=y_dot)
    for _ in range(2):
        answer = frule(Engine(), (NO, 1.0), f, 1.0)
    assert answer[0] is y
    return answer[1]


# Pairs of a primal, and a tangent that is handed on as it is.
FITTING = {
    "array": (X, X + 1),
    "number": (1.0, 2.0),
    "a number of NumPy": (1.0, np.float64(2.0)),
    "an array without axes for a number": (1.0, np.array(2.0)),
    "a number for an array without axes": (np.array(1.0), 2.0),
    "another precision": (X, X.astype(np.float32)),
    "integers": (X, np.array([1, 2])),
    "of an integer": (3, 2.0),
    "none of an integer": (3, NO),
    "none of text": ("text", NO),
    "what nobody looks for": ("text", None),
    "zero": (X, ZeroTangent()),
    "missing": (X, not_implemented("why not")),
    "complex": (X + 1j, X + 2j),
    "real for complex": (X + 1j, X),
    "structured": (Diagonal(X), Diagonal(X)),
    "natural": (Diagonal(X), SQUARE),
    "structural": (Diagonal(X), Tangent[Diagonal](diag=X)),
    "sparse": (sp.csr_array(SQUARE), sp.csr_array(SQUARE)),
    "dense of sparse": (sp.csr_array(SQUARE), SQUARE),
    "fields": (Layer(SQUARE), Tangent[Layer](A=SQUARE)),
    "instance": (Layer(SQUARE), Layer(X)),
    "items": ((X, 1.0), Tangent[tuple](X, 1.0)),
    "items in a list": ([X, 1.0], [X, 1.0]),
    "fewer keys": ({"a": X, "b": 1.0}, Tangent[dict]({"a": X})),
    "unknown parts": (len, Tangent[Layer](A=X)),
}


@pytest.mark.parametrize("pair", FITTING.values(), ids=FITTING)
def test_what_fits_is_handed_on(pair):
    """It is the same object, in both modes."""
    primal, tangent = pair

    assert pulled(primal, tangent) is tangent
    assert pushed(primal, tangent) is tangent


# Triples of a primal, a tangent that does not fit, and what is said of that, after "of argument 1, `x".
MISFITS = {
    "a Jacobian": (
        X,
        SQUARE,
        "`, has shape (2, 2), the {} (2,). Sum over axes that were broadcast, or return",
    ),
    "longer": (X, np.ones(3), "`, has shape (3,), the {} (2,)."),
    "a column": (X, np.ones((2, 1)), "`, has shape (2, 1), the {} (2,). Sum"),
    "an array for a number": (1.0, X, "`, has shape (2,), the {} ()"),
    "an array for an integer": (3, X, "`, has shape (2,), the {} ()"),
    "a number for an array": (X, 1.0, "`, has shape (), the {} (2,). Write `np.full((2,), c)` if"),
    "a list": (X, [1.0, 2.0], "`, is a list, the {} a number or an array. Return an array"),
    "a tuple": (1.0, (1.0,), "`, is a tuple, the {} a number"),
    "a function": (X, lambda: X, "`, is a function, the {} a number or an array. Return an array"),
    "None": (X, None, "`, is `None`, the {} a number or an array. Return an array, `ZeroTangent()`"),
    "in a field": (Layer(SQUARE), Tangent[Layer](A=X), ".A`, has shape (2,), the {} (2, 2)."),
    "in an item": ([1.0, X], Tangent[list](1.0, 1.0), "[1]`, has shape (), the {} (2,)"),
    "in an item of a list": ([1.0, X], [1.0, SQUARE], "[1]`, has shape (2, 2), the {} (2,)"),
    "more items": ([1.0, X], [1.0, X, 1.0], "`, has 3 items, the {} 2."),
    "fewer items": ([1.0, X], Tangent[list](1.0), "`, has 1 items, the {} 2."),
    "other keys": ({"a": X}, {"a": X, "b": X}, "`, has the keys ['a', 'b'], the {} ['a']."),
    "under a key": ({"a": X}, Tangent[dict]({"a": SQUARE}), ".a`, has shape (2, 2), the {} (2,)"),
    "structured": (Diagonal(X), Diagonal(np.ones(3)), "`, has shape (3, 3), the {} (2, 2)."),
    "a vector for a diagonal matrix": (
        Diagonal(X),
        X,
        "`, has shape (2,), the {} (2, 2). Write `Diagonal(x_bar)` for",
    ),
}


def parts(tangent):
    """All parts of a tangent, computed."""
    tangent = unthunk_fully(tangent)
    if isinstance(tangent, Tangent[dict]):
        return [tangent["a"]]
    return [*map(parts, tangent)] if isinstance(tangent, Tangent | list) else tangent


@pytest.mark.parametrize("case", MISFITS.values(), ids=MISFITS)
@pytest.mark.parametrize("as_thunk", [False, True])
def test_what_does_not_fit(case, as_thunk):
    """The error names the rule, its place and the argument, when somebody needs the cotangent."""
    primal, tangent, said = case
    has_parts = isinstance(tangent, Tangent) or isinstance(primal, list | dict)
    given = Thunk(lambda: tangent) if as_thunk and not has_parts else tangent
    place = r"\(tests/chainrules_core/tangent_spaces/test_returned_tangents\.py:\d+\): the "
    text = re.escape(said.format("argument"))
    with pytest.raises(
        (DimensionMismatchError, TangentStructureError),
        match=f"^f_rrule {place}cotangent of argument 1, `x{text}",
    ):
        parts(pulled(primal, given))
    if ", has shape" not in said and ", is " not in said:  # items of results are traced one by one
        return
    text = re.escape(said.format("result").partition("`, ")[2])
    with pytest.raises(
        (DimensionMismatchError, TangentStructureError),
        match=f"^f_frule {place}tangent of .*the result {text}",
    ):
        parts(pushed(primal, given))


def test_what_nobody_needs_is_no_error():
    """A wrong cotangent of a constant stays unseen, and a thunk is not computed to be looked at."""
    computed = []

    def x_bar():
        computed.append(1)
        return X

    pulled(X, SQUARE)
    looked_at = pulled(X, Thunk(x_bar))
    assert computed == []
    assert unthunk_fully(looked_at) is unthunk_fully(looked_at)
    assert computed == [1]


def test_what_a_projection_mends():
    """A leading axis of length one is dropped, and the imaginary part of what belongs to a real argument."""
    np.testing.assert_array_equal(unthunk_fully(pulled(X, X[None])), X)
    np.testing.assert_array_equal(unthunk_fully(pulled(X, X + 1j)), X)
    assert unthunk_fully(pulled(1.0, 2.0 + 1j)) == 2.0
    np.testing.assert_array_equal(pushed(X, X[None]), X)
    with pytest.raises(TangentStructureError, match=r"the tangent of the result is complex, the result real"):
        pushed(X, X + 1j)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("kind", [np.asmatrix, sp.csr_matrix])
def test_matrices_become_arrays(kind):
    """``*`` is another product for them than in the rule that takes the cotangent of an array next."""
    x_bar = pulled(SQUARE, kind(SQUARE))
    assert type(unthunk_fully(x_bar)) is np.ndarray
    np.testing.assert_array_equal(unthunk_fully(x_bar), SQUARE)
    A = sp.csr_matrix(SQUARE)
    assert pulled(A, A) is A


def test_thunks_that_can_be_added_in_place():
    """They still can."""
    looked_at = pulled(X, InplaceableThunk(lambda total: total + X, Thunk(lambda: SQUARE)))

    np.testing.assert_array_equal(looked_at.add(X), 2 * X)
    with pytest.raises(DimensionMismatchError):
        unthunk_fully(looked_at)


def test_the_function_itself():
    """What it holds has cotangents too; arguments without a name are named by their number."""
    layer = Layer(SQUARE)

    @rrule.dispatch
    def layer_rrule(f: Layer, *xs: float):
        return 1.0, lambda y_bar: (Tangent[Layer](A=X), *[X for _ in xs])

    f_bar, _, x_bar = rrule(Engine(), layer, 1.0, 2.0)[1](1.0)
    with pytest.raises(
        DimensionMismatchError, match=r"cotangent of `\.A` of the function itself has shape \(2,\)"
    ):
        _ = f_bar.A
    with pytest.raises(DimensionMismatchError, match=r"the cotangent of argument 2 has shape"):
        unthunk_fully(x_bar)


def test_one_of_several_arguments():
    """An array of another shape than its argument's is noticed beside one that fits."""

    def f(*xs): ...

    @rrule.dispatch
    def f_rrule(f: typeof_(f), *xs: np.ndarray):
        return 1.0, lambda y_bar: (NO, X, X)

    _, x_bar, other = rrule(Engine(), f, X, SQUARE)[1](1.0)
    assert x_bar is X
    with pytest.raises(DimensionMismatchError, match=r"the cotangent of argument 2 has shape"):
        unthunk_fully(other)


def test_answers_of_other_kinds_are_handed_on():
    """Whoever asked says what is wrong with them."""
    for answer in (None, 1.0, (1.0,), (1.0, None)):

        def f(x): ...

        @rrule.dispatch
        def f_rrule(f: typeof_(f), x: float, answer=answer):
            return answer

        @frule.dispatch
        def f_frule(tangents, f: typeof_(f), x: float, answer=answer):
            return answer

        assert rrule(Engine(), f, 1.0) is answer
        if answer != (1.0, None):
            assert frule(Engine(), (NO, 1.0), f, 1.0) is answer


def test_who_looks():
    """An AD system does, and no rule of ours is looked at, nor the pullback of a constant."""

    @non_differentiable
    def count(x):
        return 3

    f = with_rules(SQUARE)
    assert rrule(f, X)[1](1.0)[1] is SQUARE
    assert rrule.own_answer(Engine(), f, X)[1](1.0)[1] is SQUARE
    assert isinstance(rrule(Engine(), f, X)[1](1.0)[1], Thunk)
    assert rrule(Engine(), count, X)[1](1.0) == (NO, NO)
    assert rrule.find(Engine(), f, X).looked_at is not rrule.find(Engine(), f, X).function
    for rules, leading in ((rrule, ()), (frule, ((NO, X),))):
        method = rules.find(Engine(), *leading, np.sin, X)
        assert method.looked_at is method.function
