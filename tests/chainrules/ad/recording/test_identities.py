"""Operations that return an operand, and operands that are broadcast."""

import numpy as np
import pytest

from chainrules.ad import jacobian
from chainrules.ad.recording.identities import rows_scaled, without_identity
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([[0.5, -2.0], [3.0, np.inf]])


def lines(f, *args):
    """The lines of a generated program, without comments."""
    return [line.strip() for line in make_variant(f, args, {}).source.splitlines() if "#" not in line]


def same_bits(f, *args):
    """The program computes the same to the bit, for the arguments that it was recorded for."""
    y, plain = make_variant(f, args, {}).run(list(args)), f(*args)
    assert y is not MISS
    for part in (np.real, np.imag):
        np.testing.assert_array_equal(np.signbit(part(y)), np.signbit(part(plain)))
    np.testing.assert_array_equal(y, plain, strict=True)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * 1.0 + 2.0,
        lambda x: 1 * x + 2.0,
        lambda x: x * np.ones((2, 2)) + 2.0,
        lambda x: np.ones(2) * x + 2.0,
        lambda x: x.reshape(2, 2) + 2.0,
        lambda x: np.broadcast_to(x, (2, 2)) + 2.0,
        lambda x: np.multiply(x, np.float64(1.0)) + 2.0,
        lambda x: np.copy(x) + 2.0,
        lambda x: x.copy() + 2.0,
    ],
)
def test_an_operand_is_the_result(f):
    """The operation is left out."""
    assert lines(f, X)[1:] == ["v1 = x + 2.0", "return v1"]
    same_bits(f, X)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: x * True + 0.0, X),
        (lambda x: x * np.ones((3, 2, 2)), X),
        (lambda x: x * np.ones((2, 2)), np.float32([1.0, 2.0])),
        (lambda x: x * np.float64(1.0), np.float32([1.0, 2.0])),
        (lambda x: x * 1.0, np.array([complex(np.inf, 0.0), 1j])),
        (lambda x: x * np.ones(2), np.array([complex(np.inf, 0.0), 1j])),
        (lambda x: x * 1.0, complex(np.inf, 0.0)),
        (lambda x: x * 1.0, np.complex64(complex(np.inf, 0.0))),
        (lambda x: x * 1, -0.0),
        (lambda x: x.ravel() * 1.0, X.T),
        (lambda x: np.reshape(x, (4,)), X),
        (lambda x: x + 0.0, -0.0 * np.ones(2)),
        (lambda x: np.copy(x, "C") * 2.0, X.T),
        (lambda x: (x.copy(), x.copy())[0], X),
    ],
)
def test_other_classes_shapes_and_numbers(f, x):
    """What differs in class, dtype, shape, sign or in a part stays."""
    with np.errstate(invalid="ignore"):
        same_bits(f, x)


def test_results_are_still_the_callers():
    """An operation that is left out made an array, and somebody may write into it."""

    def f(x):
        y = x * 1.0
        z = x * 1.0
        z[0] = 7.0
        return y, z, y.reshape(2, 2)

    x = np.zeros((2, 2))
    variant = make_variant(f, (x,), {})
    for _ in range(2):
        for y, plain in zip(variant.run([x]), f(x), strict=True):
            np.testing.assert_array_equal(y, plain)
            np.add(y, 1.0, out=y)
    assert not x.any()


def test_operands_are_broadcast_by_numpy():
    """Neither `broadcast_to` nor a constant of equal elements takes memory."""
    f = lambda x, y: np.broadcast_to(y, (2, 2)) * x + np.full((2, 2), 3.0)  # noqa: E731 - as users write them
    text = "\n".join(lines(f, X, X[0].copy()))
    assert "broadcast_to" not in text
    same_bits(f, X, X[0].copy())
    same_bits(lambda x, y: np.broadcast_to(y, (2, 2)) ** x, abs(X), np.array([2.0, 0.5]))
    same_bits(lambda x: np.broadcast_to(x, (2, 2)) * np.ones((2, 1)), np.array(3.0))
    same_bits(lambda x: x * np.full((2, 2), 0.1), X.astype(np.float32))


def test_equal_operations_in_another_order():
    """Products of real numbers commute; an operation that may warn is not taken from where it is silent."""

    def f(x):
        with np.errstate(all="ignore"):
            a = np.exp(x) * x
        return a, x * np.exp(x)

    text = "\n".join(lines(lambda x: (np.sin(x) * x) + (x * np.sin(x)), X[:1]))
    assert text.count("*") == 1
    assert "\n".join(lines(f, X[:1])).count("*") == 2
    assert "\n".join(lines(lambda x: x * (x + 1j) + (x + 1j) * x, X[:1])).count("*") == 2


def copied_and_written(x):
    """A copy that is written into, while the array that it is of stays as it is."""
    y = x * 2.0
    z = y.copy()
    z[0] = 5.0
    return y + z


def test_copies():
    """They stay where somebody writes into one of both, and results are the caller's."""
    x = np.ones(3)
    same_bits(copied_and_written, x)
    a, b, c = make_variant(lambda x: (x.copy(), np.copy(x * 2.0), x.copy()), (x,), {}).run([x])
    assert not any(np.shares_memory(*pair) for pair in ((a, x), (a, b), (a, c), (c, x)))


MATRIX = np.arange(6.0).reshape(3, 2) - 1.5


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "is_shorter"),
    [
        (lambda x: (x * np.eye(3)) @ MATRIX.copy(), True),
        (lambda x: (np.eye(3) * x) @ (x[:, None] * np.ones(2)), True),
        (lambda x: (np.eye(3) * x[:, None]) @ MATRIX.copy(), False),
        (lambda x: (2.0 * np.eye(3) * x) @ MATRIX.copy(), False),
        (lambda x: (np.eye(3) * x) @ np.asfortranarray(MATRIX), False),
        (lambda x: (np.eye(3) * x) @ x, False),
        (lambda x: (np.eye(3) + x) @ MATRIX.copy(), False),
        (lambda x: np.eye(3) @ (x[:, None] * x), False),
        (lambda x: np.dot(x * np.eye(3), 2.0), False),
        (lambda x: np.dot(x * np.eye(3), np.array(2.0)), False),
    ],
)
def test_products_with_an_identity(f, is_shorter):
    """They scale rows, with a result that is laid out alike; whatever is no such product stays as it is."""
    steps = record_program(f, (np.array([0.5, -2.0, 3.0]),), {}).tape.steps

    def made_by(x):
        return steps[x._slot.at] if is_recorded(x) and x._slot.kind == "step" else None

    product = [step for step in steps if step.kind == "operation"][-1]
    other = without_identity(product, made_by)
    assert (other.f is rows_scaled) == (other is not product) == is_shorter
    if is_shorter:
        y = rows_scaled(*[getattr(x, "_plain", x) for x in other.args])
        np.testing.assert_array_equal(y, product.value, strict=True)
        assert y.strides == product.value.strides


def test_jacobians():
    """One begins with an identity; infinite numbers, for which products have a NaN elsewhere, are its own."""
    x, A = np.linspace(-1.0, 2.0, 40), np.linspace(-1.0, 1.0, 1200).reshape(30, 40)
    f = jacobian(lambda x: np.tanh(A @ x))
    assert any("rows_scaled" in line for line in lines(f, x))
    agrees(f, [(x,), (x * 1e3,), (np.full(40, np.inf),), (x * np.nan,)])


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: x + -y,
        lambda x, y: -x + y,
        lambda x, y: -x + -y,
        lambda x, y: np.add(x, np.negative(y)) * x,
        lambda x, y: (x[0] + -y[0]) * y,
    ],
)
def test_sums_of_negated_terms(f):
    """They are differences, to the bit, where nobody sees a warning."""
    a, b = np.array([0.0, -0.0, 0.0, 1.5, np.inf]), np.array([0.0, 0.0, -0.0, 2.5, 1.0])
    with np.errstate(all="ignore"):
        same_bits(f, a, b)
        same_bits(f, b, a)
        assert any(" - " in line or "-=" in line or "subtract" in line for line in lines(f, a, b))
    assert not any(" - " in line or "-=" in line or "subtract" in line for line in lines(f, a, b))


def test_negated_terms_that_are_written_into():
    """What was negated is another array by the time that the sum is computed."""

    def f(x):
        y = np.zeros(3)
        y[0] = x[0]
        z = -y
        y[0] = 5.0 * x[1]
        return z + x, y + z

    with np.errstate(all="ignore"):
        agrees(f, [(np.array([1.0, 2.0, 3.0]),), (np.array([-1.0, 0.5, 3.0]),)])
