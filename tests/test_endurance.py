"""Much of everything: of gradients, threads, processes, operations in a row, and containers in containers."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from chainrules.ad import grad, jvp, value_and_grad, vjp
from chainrules.ad.values import memory
from chainrules_core import NoTangent, frule, primitive, rrule, typeof_
from chainrules_core.dispatch import answers

X = np.linspace(0.1, 1.0, 3)

# How many operations the longest program has; `make endurance` asks for a million, which take 600 MB.
OPERATIONS = int(os.environ.get("OPERATIONS", "200_000"))

# --- Memory ------------------------------------------------------------------------------------------------


gradient_of_sines = grad(lambda x: np.sum(np.sin(x) * x))


def gradient(i):
    """One function, again and again."""
    gradient_of_sines(X)


def closure(i):
    """A function made anew each time."""
    grad(lambda x: np.sum(np.sin(x) * i))(X)


def pulled_back(i):
    """A pullback that is kept for a while."""
    vjp(lambda x: {"a": [np.sin(x) * i, 1.0]}, X)[1]({"a": [X, 0.0]})


def pushed(i):
    """Forwards."""
    jvp(lambda x: np.sin(x) * i, (X,), (X,))


def second(i):
    """A derivative of a derivative."""
    grad(lambda x: np.sum(grad(lambda y: np.sum(y**3 * i))(x)))(X)


def new_primitive(i):
    """A primitive made anew each time, which no rule takes."""

    @primitive
    def step(x):
        return x * i

    assert rrule(step, 2.0) is None


def bound_method(i):
    """A class and an instance made anew each time, whose method is differentiated."""

    class Model:
        def scaled(self, x):
            return x * self.factor

    model = Model()
    model.factor = 2.0
    assert grad(model.scaled)(3.0) == 2.0


def new_argument_types(i):
    """Rules looked up for classes made anew each time: of arrays, and of what no rule takes."""
    cls = type("Array", (np.ndarray,), {})
    rrule(np.sin, X.view(cls))
    frule((NoTangent(), X), np.sin, X.view(cls))
    assert rrule(np.sin, type("Other", (), {})()) is None


def failing(i):
    """A program that raises, whose traceback holds its values."""
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: np.sum(np.sin(x)) * (i // 0))(X)


@pytest.mark.parametrize(
    ("once", "number"),
    [
        (gradient, 100_000),
        (closure, 5_000),
        (pulled_back, 2_000),
        (pushed, 2_000),
        (second, 1_000),
        (new_primitive, 2_000),
        (bound_method, 2_000),
        (new_argument_types, 3_000),
        (failing, 1_000),
    ],
)
def test_memory_is_flat(once, number, monkeypatch):
    """However often something is differentiated, nothing stays: not one object in ten times."""
    monkeypatch.setattr(answers, "MOST", 10)
    monkeypatch.setattr(memory, "MOST", 10)

    def blocks_after(times):
        for i in range(times):
            once(i)
        gc.collect()
        return sys.getallocatedblocks()

    before = blocks_after(200)
    assert blocks_after(number) - before < number / 10


# --- Threads and processes ---------------------------------------------------------------------------------


def give_rules(f, cls, factor):
    """Give a function rules for a class, which say that it multiplies by a factor."""

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: cls):
        return f(x), factor * tangents[1]

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: cls):
        return f(x), lambda y_bar: (NoTangent(), factor * y_bar)


def test_threads_differentiate_and_register_at_once():
    """Eight threads do both, with functions of their own and with one that all give rules to."""
    barrier, errors = threading.Barrier(8), []

    @primitive
    def shared(x):
        return x

    def work(number):
        try:
            barrier.wait()
            for i in range(25):

                @primitive
                def own(x):
                    return x * 1.0

                kind = type(f"Array{number}", (np.ndarray,), {})
                give_rules(shared, kind, number)
                give_rules(own, np.ndarray, i)
                np.testing.assert_allclose(grad(lambda x: np.sum(np.sin(own(x))))(X), i * np.cos(X))
                np.testing.assert_allclose(jvp(lambda x: own(x) * x, (X,), (X,))[1], (i + 1) * X**2)
                assert rrule(shared, X.view(kind))[1](np.ones(3))[1].tolist() == [number] * 3
        except BaseException as error:  # noqa: BLE001 - reported below
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []


PROGRAM = """
import multiprocessing
import sys

import numpy as np

from chainrules.ad import grad
from chainrules_core import NoTangent, primitive, rrule, typeof_


@primitive
def step(x):
    return 2.0 * x


@rrule.dispatch
def step_rrule(f: typeof_(step), x: np.ndarray):
    return f(x), lambda y_bar: (NoTangent(), 5.0 * y_bar)


def f(x):
    return np.sum(step(x) * x)


if __name__ == "__main__":
    xs = [np.arange(3.0) + i for i in range(8)]
    expected = [5.0 * x + 2.0 * x for x in xs]
    if sys.argv[2] == "after":
        assert all(np.array_equal(grad(f)(x), y) for x, y in zip(xs, expected))
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        actual = pool.map(grad(f), xs)
    assert all(np.array_equal(x_bar, y) for x_bar, y in zip(actual, expected)), actual
    print("right")
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_workers(method, when, tmp_path):
    """Processes of both kinds differentiate, before and after the process that starts them has done so."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    finished = subprocess.run(
        [sys.executable, program, method, when], capture_output=True, text=True, check=False, timeout=120
    )

    assert (finished.stdout, finished.returncode) == ("right\n", 0), finished.stderr


# --- Length and depth --------------------------------------------------------------------------------------


@pytest.mark.at_length
def test_many_operations():
    """In a row, in both modes: nothing recurs, backwards, forwards or when the record is thrown away."""
    n, factor = OPERATIONS, 1.000001

    def f(x):
        for _ in range(n):
            x = x * factor
        return x

    value, slope = value_and_grad(f)(1.0)
    assert value == slope == pytest.approx(factor**n)
    assert jvp(f, (1.0,), (1.0,)) == (value, pytest.approx(slope))


def nested(x, depth):
    """`x` in a list in a list."""
    for _ in range(depth):
        x = [x]
    return x


def innermost(x):
    """What is in the list in the list."""
    while isinstance(x, list):
        (x,) = x
    return x


def gradient_beside(c):
    """The gradient of a closure over a container."""
    return grad(lambda x: x * innermost(c))(1.0)


DEEP = {
    "argument": lambda depth: innermost(grad(lambda x: innermost(x) * 2.0)(nested(1.0, depth))),
    "constant": lambda depth: grad(lambda x, c: x * innermost(c))(1.0, nested(2.0, depth)),
    "result": lambda depth: vjp(lambda x: nested(2.0 * x, depth), 1.0)[1](nested(1.0, depth)),
    "result forwards": lambda depth: innermost(jvp(lambda x: nested(2.0 * x, depth), (1.0,), (1.0,))[1]),
    "closure": lambda depth: gradient_beside(nested(2.0, depth)),
}


@pytest.mark.parametrize("place", DEEP)
def test_deep_containers(place):
    """Lists in lists, a hundred deep, are differentiated by, into, and beside."""
    assert DEEP[place](100) in (2.0, (2.0,))


@pytest.mark.parametrize("place", DEEP)
def test_containers_that_are_too_deep(place):
    """Where they cannot be differentiated, the error says what is too deep; where they can, that is right."""
    if place in {"constant", "closure"}:
        assert DEEP[place](3000) == 2.0
    else:
        with pytest.raises(RecursionError, match="A list is nested in more than 200 others"):
            DEEP[place](3000)
