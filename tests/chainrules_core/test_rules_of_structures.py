"""The structures that ChainRules' own documents teach with: each example takes several modules together."""

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import (
    AbstractArray,
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    ProjectTo,
    RuleDefinitionError,
    Tangent,
    Thunk,
    ZeroTangent,
    add_inplace,
    opt_out,
    opted_out,
    primitive,
    rrule,
    thunk,
    typeof_,
    unthunk,
    unthunking,
)
from chainrules_core.tangent_spaces.projection import Projector
from chainrules_testutils import test_approx, test_rrule

T = TypeVar("T")


@pytest.fixture
def rng():
    """A seeded generator."""
    return np.random.default_rng(0)


# --- A matrix in a structure: `foo_mul` ----------------------------------------------------------------


@dataclass(frozen=True)
class Foo(Generic[T]):
    """A matrix, and a number that `foo_mul` does not use."""

    A: np.ndarray
    c: float


def foo_mul(foo, b):
    """The product of the matrix and `b`."""
    return foo.A @ b


products = []


@rrule.dispatch
def foo_mul_rrule(f: typeof_(foo_mul), foo: Foo, b: np.ndarray):
    """The rule of the tutorial, with the cotangent of `b` put off and projected."""
    project_b = ProjectTo(b)

    def foo_mul_pullback(y_bar):
        y_bar = unthunk(y_bar)

        @thunk
        def b_bar():
            products.append("b_bar")
            return project_b(foo.A.T @ y_bar)

        return NoTangent(), Tangent[Foo](A=y_bar @ b.T, c=ZeroTangent()), b_bar

    return foo_mul(foo, b), foo_mul_pullback


def test_foo_mul(rng):
    """The rule gives three cotangents: of the function, of the structure field by field, and a thunk."""
    foo, b, y_bar = Foo(rng.normal(size=(3, 3)), 3.0), *rng.normal(size=(2, 3, 3))
    y, pullback = rrule(foo_mul, foo, b)
    f_bar, foo_bar, b_bar = pullback(y_bar)

    assert np.array_equal(y, foo.A @ b)
    assert rrule.unchecked(foo_mul, foo, b)[1].__name__ == "foo_mul_pullback"
    assert f_bar is NoTangent()
    assert foo_bar == Tangent[Foo](A=y_bar @ b.T, c=ZeroTangent())
    assert isinstance(b_bar, Thunk)
    assert np.array_equal(unthunk(b_bar), foo.A.T @ y_bar)


def test_foo_mul_agrees_with_finite_differences(rng):
    """One call checks the rule, and says what it was called with."""
    report = test_rrule(foo_mul, Foo(rng.normal(size=(3, 3)), 3.0), rng.normal(size=(3, 3)))

    assert report.failed == report.broken == 0
    assert report.title.endswith("foo_mul on Foo, ndarray[float64, 2]")


def test_foo_mul_is_for_its_types():
    """A call with other arguments has no rule."""
    assert rrule(foo_mul, Foo(np.eye(2), 1.0), 2.0) is None
    assert rrule(foo_mul, np.eye(2), np.eye(2)) is None


def test_fields_that_are_not_given_are_zero():
    """A tangent without the field `c` is the one where it is zero; a parametrised class is the class."""
    without, with_zero = Tangent[Foo](A=1.0), Tangent[Foo](A=1.0, c=ZeroTangent())

    assert without == with_zero
    assert hash(without) == hash(with_zero)
    assert without.c is ZeroTangent()
    assert Tangent[Foo[float]] is Tangent[Foo]


def test_what_is_not_used_is_not_computed():
    """The thunk of `foo_mul` runs when it is asked for, and once."""
    products.clear()
    _, _, b_bar = rrule(foo_mul, Foo(np.eye(2), 1.0), np.ones((2, 2)))[1](np.ones((2, 2)))

    assert products == []
    assert ZeroTangent() * b_bar is ZeroTangent()
    assert products == []
    assert np.array_equal(b_bar + b_bar, 2 * np.ones((2, 2)))
    assert products == ["b_bar"]


def test_foo_mul_through_ad():
    """Marked as primitive it serves AD, which gives a gradient for a structure."""
    foo_bar, b_bar = grad(lambda foo, b: np.sum(primitive(foo_mul)(foo, b)), (0, 1))(
        Foo(np.eye(2), 1.0), np.eye(2)
    )

    assert np.array_equal(foo_bar.A, np.ones((2, 2)))
    assert foo_bar.c == 0.0
    assert np.array_equal(b_bar, np.ones((2, 2)))


def test_an_inplaceable_thunk_adds_in_place(rng):
    """The in-place form of a product agrees with its value, and writes into the sum."""

    def matmul(A, x):
        return A @ x

    @rrule.dispatch
    def matmul_rrule(f: typeof_(matmul), A: np.ndarray, x: np.ndarray):
        @unthunking
        def matmul_pullback(y_bar):
            def add_to(x_bar):
                x_bar += A.T @ y_bar
                return x_bar

            return (
                NoTangent(),
                thunk(lambda: np.outer(y_bar, x)),
                InplaceableThunk(add_to, thunk(lambda: A.T @ y_bar)),
            )

        return A @ x, matmul_pullback

    A, x = rng.normal(size=(2, 3)), rng.normal(size=3)
    assert test_rrule(matmul, A, x).failed == 0
    total = np.zeros(3)
    assert add_inplace(total, rrule(matmul, A, x)[1](np.ones(2))[2]) is total
    assert np.array_equal(total, A.T @ np.ones(2))


# --- The subspace of the primal: a diagonal matrix --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Diagonal:
    """A diagonal matrix, stored as its diagonal."""

    diagonal: np.ndarray

    def __matmul__(self, other):
        """The product with a dense matrix."""
        return self.diagonal[:, None] * other

    @property
    def T(self):  # noqa: N802 - NumPy's name
        """The transposed matrix."""
        return self

    @property
    def shape(self):
        """As that of the dense matrix."""
        return self.diagonal.shape * 2


AbstractArray.register(Diagonal)


@dataclass(slots=True, unsafe_hash=True)
class DiagonalProjector(Projector):
    """Onto diagonal matrices: what is off the diagonal is dropped."""

    n: int

    @property
    def primal_type(self):
        """Structural tangents of `Diagonal` fit."""
        return Diagonal

    def project(self, x_bar):
        """The diagonal."""
        if isinstance(x_bar, Diagonal):
            return x_bar
        if x_bar.shape != (self.n, self.n):
            raise DimensionMismatchError(f"{x_bar.shape} for a {self.n} by {self.n} matrix")
        return Diagonal(np.diagonal(x_bar).copy())


@ProjectTo.dispatch
def project_diagonal(x: Diagonal):
    """The projector of a diagonal matrix."""
    return DiagonalProjector(len(x.diagonal))


def test_projection_keeps_a_cotangent_in_its_subspace():
    """A general rule of the product gives a dense matrix for a diagonal one, unless it projects."""

    def times(A, B):
        return A @ B

    @rrule.dispatch
    def times_rrule(f: typeof_(times), A: AbstractArray, B: AbstractArray):
        project_A, project_B = ProjectTo(A), ProjectTo(B)

        def times_pullback(y_bar):
            A_bar = y_bar @ B.T
            return (
                NoTangent(),
                (A_bar, project_A(A_bar), project_A(thunk(lambda: A_bar))),
                project_B(A.T @ y_bar),
            )

        return A @ B, times_pullback

    A, B = Diagonal(np.array([1.0, 2.0])), np.array([[1.0, 2.0], [3.0, 4.0]])
    _, (naive, projected, lazy), _ = rrule(times, A, B)[1](np.ones((2, 2)))

    assert naive[0, 1] != 0
    assert isinstance(projected, Diagonal)
    assert np.array_equal(projected.diagonal, [3.0, 7.0])
    assert isinstance(lazy, Thunk)
    assert np.array_equal(unthunk(lazy).diagonal, [3.0, 7.0])
    with pytest.raises(DimensionMismatchError):
        ProjectTo(A)(np.ones((3, 3)))


def test_the_array_dilemma():
    """A rule for all arrays serves a special one by projection, until the special one is opted out."""

    def sum_array(A):
        return np.sum(A.diagonal) if isinstance(A, Diagonal) else np.sum(A)

    @rrule.dispatch
    def sum_array_rrule(f: typeof_(sum_array), A: AbstractArray):
        project_A = ProjectTo(A)

        def sum_array_pullback(y_bar):
            return NoTangent(), project_A(np.full(A.shape, y_bar))

        return sum_array(A), sum_array_pullback

    A = Diagonal(np.array([1.0, 2.0]))
    assert np.array_equal(rrule(sum_array, A)[1](2.0)[1].diagonal, [2.0, 2.0])

    @opt_out(rrule)
    def _(f: typeof_(sum_array), A: Diagonal): ...

    assert rrule(sum_array, A) is None
    assert opted_out(rrule, sum_array, A)
    assert rrule(sum_array, np.eye(2)) is not None
    assert not opted_out(rrule, sum_array, np.eye(2))
    # The AD system goes through the body, where it meets the special computation.
    assert np.array_equal(grad(primitive(sum_array))(A).diagonal, [1.0, 1.0])


# --- Structures: function, constructor, callable instance ----------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A number that is added to what the instance is called with."""

    a: float

    def __call__(self, x, y):
        """The sum of three numbers."""
        return self.a + x + y


class SmallBar(Bar):
    """A subclass without rules of its own."""


@rrule.dispatch
def bar_constructor_rrule(f: typeof_(Bar), a: float):
    """For `Bar` called as a constructor."""

    @unthunking
    def bar_pullback(bar_bar):
        return NoTangent(), bar_bar.a

    return Bar(a), bar_pullback


@rrule.dispatch
def bar_call_rrule(bar: Bar, x: float, y: float):
    """For instances of `Bar` that are called."""

    @unthunking
    def bar_call_pullback(y_bar):
        return Tangent[Bar](a=y_bar), y_bar, y_bar

    return bar(x, y), bar_call_pullback


def test_constructor_and_functor():
    """One class has rules for its constructor and for its instances; they do not meet."""
    assert test_rrule(Bar, 2.0).failed == 0
    assert test_rrule(Bar(1.0), 2.0, 3.0).failed == 0
    assert rrule(Bar(1.0), 2.0, 3.0)[1](1.0) == (Tangent[Bar](a=1.0), 1.0, 1.0)
    assert rrule(Bar, 2.0)[1](Bar(5.0)) == (NoTangent(), 5.0)
    assert rrule(Bar, 2.0)[1](thunk(lambda: Tangent[Bar](a=5.0))) == (NoTangent(), 5.0)


def test_a_constructors_rule_and_subclasses():
    """`typeof_(Bar)` is exactly that class, `type[Bar]` its subclasses too; `type` would be every class."""
    assert rrule(SmallBar, 2.0) is None
    assert rrule(SmallBar(1.0), 2.0, 3.0) is not None

    class Base:
        def __init__(self, a):
            self.a = a

    class Derived(Base):
        pass

    @rrule.dispatch
    def base_rrule(f: type[Base], a: float):
        return f(a), lambda base_bar: (NoTangent(), base_bar.a)

    assert isinstance(rrule(Derived, 2.0)[0], Derived)
    with pytest.raises(RuleDefinitionError, match="type"):
        typeof_(type)


@dataclass(frozen=True)
class Dense:
    """A layer of a neural network."""

    W: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        """``tanh(W x + b)``."""
        return np.tanh(self.W @ x + self.b)


@rrule.dispatch
def dense_rrule(dense: Dense, x: np.ndarray):
    """What a callable instance holds has a cotangent as an argument has one."""
    y = dense(x)

    @unthunking
    def dense_pullback(y_bar):
        b_bar = y_bar * (1 - y**2)
        return Tangent[Dense](W=np.outer(b_bar, x), b=b_bar), dense.W.T @ b_bar

    return y, dense_pullback


def test_what_a_callable_holds_is_an_argument(rng):
    """The cotangent of a layer itself reaches its parameters."""
    dense, x = Dense(rng.normal(size=(3, 2)), rng.normal(size=3)), rng.normal(size=2)
    assert test_rrule(dense, x).failed == 0

    dense_bar = grad(lambda dense: np.sum(call(dense, x)))(dense)
    test_approx(dense_bar, rrule(dense, x)[1](np.ones(3))[0])
