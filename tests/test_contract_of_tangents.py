"""The law that rules are given tangents which are computed and not all zero, whoever calls them."""

import dataclasses
import importlib.util
import re
import statistics

import numpy as np
import pytest
import scipy.linalg

from chainrules.ad import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from chainrules_core import NoTangent, Tangent, Thunk, ZeroTangent, frule, rrule, thunk, typeof_
from tests.chainrules.ad.interception.programs import PROGRAMS
from tests.chainrules.ad.interception.programs_that_hand_objects_on import PROGRAMS_THAT_HAND_OBJECTS_ON
from tests.chainrules.ad.interception.programs_with_classes import PROGRAMS_WITH_CLASSES
from tests.chainrules.ad.interception.programs_with_libraries import PROGRAMS_WITH_LIBRARIES
from tests.chainrules.ad.writing.programs import X, check_program
from tests.chainrules.ad.writing.programs_that_write import PROGRAMS_THAT_WRITE
from tests.contract_of_tangents import watched

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])


@dataclasses.dataclass
class Pair:
    """A value with two fields."""

    a: np.ndarray
    b: np.ndarray


def pair(x):
    """A function with an object as its result."""
    return Pair(x, 2.0 * x)


def total(p):
    """A function of the object."""
    return np.sum(p.a * p.b)


def sine_and_cosine(x):
    """A function with two results."""
    return np.sin(x), np.cos(x)


@frule.dispatch
def sine_and_cosine_frule(tangents, f: typeof_(sine_and_cosine), x: np.ndarray):
    """A rule whose tangents are computed late."""
    y = s, c = sine_and_cosine(x)
    return y, Tangent[tuple](thunk(lambda: c * tangents[1]), thunk(lambda: -s * tangents[1]))


@rrule.dispatch
def pair_rrule(f: typeof_(pair), x: np.ndarray):
    """A rule that is given a tangent with fields."""

    def pair_pullback(p_bar):
        return NoTangent(), p_bar.a + 2.0 * p_bar.b

    return pair(x), pair_pullback


@rrule.dispatch
def total_rrule(f: typeof_(total), p: Pair):
    """A rule whose cotangent has thunks, of one and of two layers, in its fields."""

    def total_pullback(y_bar):
        b_bar = Thunk(lambda: thunk(lambda: y_bar * p.a))
        return NoTangent(), Tangent[Pair](a=thunk(lambda: y_bar * p.b), b=b_bar)

    return total(p), total_pullback


def of_objects(x):
    """Cotangents with thunks in fields."""
    return total(pair(np.sin(x)))


def of_late_results(x):
    """Results whose tangents are thunks, taken apart."""
    s, c = sine_and_cosine(x)
    return np.sum(s * s * c)


def of_decompositions(x):
    """Results of which some are not used."""
    M = A + np.outer(x, x)
    w, V = np.linalg.eigh(M)
    Q, R = np.linalg.qr(M)
    U, s, _ = np.linalg.svd(M)
    P, L, _ = scipy.linalg.lu(M)
    sign, logdet = np.linalg.slogdet(M)
    of_factors = np.sum(np.linalg.cholesky(M)) + np.sum(R**2) + np.sum((P @ L) ** 2) + sign * logdet
    return of_factors + w[0] * np.sum(V[:, 0] ** 2) + s[0] + np.sum(U[:, 0] ** 2) + np.sum(Q[:, 0] ** 2)


def of_constants(x):
    """Functions without derivative, and parts that do not move."""
    y = np.zeros(3)
    y[0] = x[0]
    z = np.where(np.sign(x) > 0, x, 0.0) * np.floor(x + 10.0)
    return np.sum(y[1:] * y[:-1]) + np.sum(np.sort(z)) + statistics.fmean(list(x)) + np.max(np.round(x) * x)


OWN = [of_objects, of_late_results, of_decompositions, of_constants]


@pytest.fixture(scope="module")
def watch():
    """All rules, watched while these programs run."""
    with watched() as watch:
        yield watch


def check_keeps(watch, *calls):
    """Assert that rules are called, and that no call breaks the contract."""
    watch.breaches.clear()
    before = watch.number
    for call in calls:
        call()
    assert watch.number > before
    assert watch.breaches == []


# A rule that rounds is called by the watch, which is taken for a line of the program.
@pytest.mark.filterwarnings("ignore:A traced value is rounded")
@pytest.mark.parametrize("f", [*PROGRAMS, *PROGRAMS_WITH_CLASSES, *PROGRAMS_WITH_LIBRARIES])
def test_programs_of_a_number(watch, f):
    """Backwards, forwards, and forwards over backwards."""
    check_keeps(
        watch,
        lambda: value_and_grad(f)(0.7),
        lambda: jvp(f, (0.7,), (1.0,)),
        lambda: hvp(f, 0.7, 1.0),
        lambda: jacobian(grad(f), mode="forward")(0.7),
    )


@pytest.mark.parametrize("f", PROGRAMS_THAT_WRITE)
def test_programs_that_write(watch, f):
    """Arrays that are filled do not move before, in all orders of the modes."""
    check_keeps(watch, lambda: check_program(f, X))


@pytest.mark.parametrize("f", PROGRAMS_THAT_HAND_OBJECTS_ON)
def test_programs_that_hand_objects_on(watch, f):
    """What is in containers and objects may move or not."""
    check_keeps(watch, lambda: check_program(lambda x, _: f(x), np.array([0.7, 1.3, 2.1])))


@pytest.mark.parametrize("f", OWN)
def test_results_of_several_kinds(watch, f):
    """Objects, several results, results that have no derivative; rules that compute late."""
    x = np.array([0.3, 0.7, 1.1])
    modes = [lambda: grad(f)(x), lambda: jvp(f, (x,), (x,))]
    if f is not of_objects:
        modes += [lambda: hvp(f, x, x), lambda: jacobian(grad(f), mode="forward")(x), lambda: hessian(f)(x)]
    check_keeps(watch, *(modes[:1] if f is of_objects else modes))


def test_arguments_that_do_not_move(watch):
    """One of two arguments moves at a time."""
    x = np.array([0.3, 0.7])

    def f(p, q):
        return np.sin(p) * np.cos(q) + np.sum(q * q), [p * 2.0, np.dot(q, q)]

    check_keeps(
        watch,
        lambda: jacobian(f, (0, 1), mode="forward")(x, x),
        lambda: jvp(f, (x, x), (ZeroTangent(), x)),
        lambda: vjp(f, x, x)[1]((x, [ZeroTangent(), 1.0])),
    )


def test_calls_of_rules(watch):
    """Whoever calls `rrule` and `frule` may give thunks and zeros."""
    x = np.array([[2.0, 1.0], [1.0, 3.0]])

    def ask():
        _, pullback = rrule(np.linalg.qr, x)
        pullback(Tangent[tuple](Thunk(lambda: x), ZeroTangent()))
        pullback(ZeroTangent())
        frule((NoTangent(), Thunk(lambda: x)), np.linalg.inv, x)
        frule((NoTangent(), ZeroTangent()), np.linalg.inv, x)
        frule((NoTangent(), NoTangent()), np.cumprod, 3)
        rrule(pair, x)[1](Tangent[Pair](a=Thunk(lambda: x), b=Thunk(lambda: Thunk(lambda: x))))

    check_keeps(watch, ask)


@pytest.mark.parametrize("module", ["jax", "torch"])
def test_bridges(watch, module):
    """Rules that frameworks ask by a bridge."""
    framework = pytest.importorskip(module)
    adapters = importlib.import_module("chainrules.adapters")

    def f(x, y):
        return np.linalg.inv(A + np.outer(x, y)), np.sum(np.sort(x) * y)

    def ask_jax():
        g, x = adapters.to_jax(f), framework.numpy.array([0.3, 0.7, 1.1])
        framework.grad(lambda x: g(x, x)[0].sum() * g(x, x)[1])(x)
        framework.jvp(g, (x, x), (x, x))
        framework.hessian(lambda x: g(x, x)[1])(x)

    def ask_torch():
        x = framework.tensor([0.3, 0.7, 1.1], dtype=framework.float64, requires_grad=True)
        g = adapters.to_torch(f)
        (x_bar,) = framework.autograd.grad(g(x, x)[1], x, create_graph=True)
        x_bar.sum().backward()
        g(x, x)[0].sum().backward()

    check_keeps(watch, ask_jax if module == "jax" else ask_torch)


@pytest.mark.parametrize(
    ("call", "breach"),
    [
        (lambda: rrule.unchecked(np.sin, X)[1](Thunk(lambda: X)), r"was given a thunk$"),
        (lambda: rrule.unchecked(np.sin, X)[1](ZeroTangent()), r"was given zero$"),
        (lambda: frule.unchecked((NoTangent(), Thunk(lambda: X)), np.sin, X), r"was given zero, a thunk$"),
        (lambda: frule.unchecked((NoTangent(), NoTangent()), np.sin, X), r"was given zero, zero$"),
        (
            lambda: rrule.unchecked(pair, X)[1](Tangent[Pair](a=X, b=Thunk(lambda: X))),
            r"pair_rrule .*was given a thunk inside$",
        ),
    ],
)
def test_a_caller_that_breaks_the_contract_is_noticed(watch, call, breach):
    """Thunks, thunks in fields, and tangents that are all zero."""
    watch.breaches.clear()
    call()
    (found,) = watch.breaches
    assert re.search(breach, found)
