"""A program that is known is the one that would be generated anew."""

import itertools
import re

import numpy as np
import pytest
import scipy.sparse.linalg

from chainrules.ad import compiled, grad
from chainrules.ad.recording import generated, variant, written
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.tape import NotRecordableError
from chainrules.ad.recording.variant import make_variant
from chainrules.ad.recording.written import Programs, written_down
from tests.chainrules.ad.recording.writing_programs import PROGRAMS_OF_ARRAYS, WRITING

X = np.array([0.5, -2.0, 3.0])
OUTSIDE = np.array([1.5])


def chain(x, flag=None):
    """A loss, of which a gradient needs neither all values nor all looks."""
    return np.sum(np.sin(np.exp(x) * x) * OUTSIDE) / np.sum(x * x)


def decides(x, flag=None):
    """One of two ways, in the silence of a block."""
    with np.errstate(all="ignore"):
        return np.sum(np.log(x)) if np.sum(x) > 0.0 else np.sum(x * x)


def solves(x, flag=None):
    """A matrix, views and writes."""
    A = np.outer(x, x) + np.eye(len(x))
    A[0] += 1.0
    return np.linalg.slogdet(A)[1] + np.sum(np.linalg.solve(A, x)[::-1] * OUTSIDE[0])


def text_of(f, *args, programs=None):
    """The text for arguments, of known programs or of none."""
    try:
        with np.errstate(all="ignore"):
            return make_variant(f, args, {}, programs=programs).source
    except NotRecordableError:
        return None


def is_known(f, g, *args):
    """Whether the second of two functions is known by what was written down of the first."""
    programs = Programs()
    make_variant(f, args, {}, programs=programs)
    return programs.same(written_down(record_program(g, args, {}), ["x"]), record_program(g, args, {}), "")


POINTS = [
    X, -X, 20.0 * X, 1e3 * X, 1e20 * X, 1e28 * X, 1e200 * X, 0.0 * X, X * np.nan, X * np.inf, np.abs(X),
    X.astype(np.float32), np.r_[X, X], np.r_[X, X][::2], np.r_[X, np.inf, np.nan], X,
]  # fmt: skip


@pytest.mark.parametrize("f", [chain, decides, solves])
def test_known_programs_are_those_that_would_be_generated(f):
    """Whatever the numbers, kinds and layouts are: bounds, looks and decisions depend on them."""
    programs = Programs()
    for x in itertools.chain(POINTS, reversed(POINTS)):
        for g in (f, grad(f)):
            assert text_of(g, x, programs=programs) == text_of(g, x)


# That one goes through a set of objects, in the order of their addresses.
ALIKE = {name: f for name, f in PROGRAMS_OF_ARRAYS.items() if name != "reverse_mode_by_hand"}


@pytest.mark.parametrize("f", ALIKE.values(), ids=ALIKE)
def test_known_programs_of_those_that_write(f, monkeypatch):
    """A second recording of the same program needs no second text, unless layouts depend on values."""
    f, programs, x = grad(f), Programs(), np.array([1.0, 2.0, 3.0])
    try:
        first = make_variant(f, (x,), {}, programs=programs)
    except NotRecordableError:
        pytest.skip("it is not recorded")
    if programs._known:
        monkeypatch.setattr(variant, "Needed", None)
    second = make_variant(f, (x,), {}, programs=programs)
    assert second.source == first.source
    assert second.program is not first.program
    assert second.program.__code__.co_filename != first.program.__code__.co_filename
    np.testing.assert_array_equal(second.run([1.1 * x]), first.run([1.1 * x]))


@pytest.mark.parametrize("f", WRITING, ids=range(len(WRITING)))
def test_known_programs_are_generated_for_other_numbers(f):
    """Decisions and arrays that others hold."""
    programs, d = Programs(), np.array([0.5, -1.0, 2.0])
    for w in (X, 1e3 * X, X, -X, 0.0 * X, X):
        for g in (f, grad(f)):
            assert text_of(g, w, d, programs=programs) == text_of(g, w, d)


def test_flags_and_what_is_around_change(monkeypatch):
    """Neither asks for another text."""

    class Model:
        count = 0

        def loss(self, x, flag):
            self.count  # noqa: B018 - it is read
            return np.sum(np.sin(x) * x)

    model = Model()
    gradient = compiled(grad(model.loss), strict=True)
    expected = gradient(X, "a")
    monkeypatch.setattr(variant, "Needed", None)
    np.testing.assert_array_equal(gradient(X, "b"), expected)
    model.count = 1
    np.testing.assert_array_equal(gradient(X, "b"), expected)
    assert len(gradient.variants) == 2


def test_others_go_on_from_each_by_itself():
    """The way of one signature is not that of another."""

    def f(x, flag):
        y = np.exp(np.sin(x) * np.cos(x)) * np.tanh(x)
        if y > 0.0:
            return y
        return -y if flag else 2.0 * y

    c = compiled(f, strict=True, compare=False)
    for flag in (True, False, True, False):
        for x in (0.5, -0.5, 0.7, -0.7):
            assert c(x, flag) == f(x, flag)
    assert len(c.variants) == 4
    sources = [made.source for made in c._all_variants()]
    assert len(set(sources)) == 3


OTHERS = {
    "a sign of zero": (lambda x: x + 0.0, lambda x: x + -0.0),
    "a class": (lambda x: x * 1, lambda x: x * 1.0),
    "a flag": (lambda x: np.sum(x, keepdims=True), lambda x: np.sum(x, keepdims=1)),
    "an operation": (lambda x: x + 1.0, lambda x: x - 1.0),
    "a method of a ufunc": (lambda x: np.add.reduce(x), lambda x: np.multiply.reduce(x)),
    "an operand": (lambda x: (x + x) * x, lambda x: (x + x) * (x + x)),
    "elements": (lambda x: x * np.array([1.0, 2.0, 3.0]), lambda x: x * np.array([1.0, 2.0, 4.0])),
    "a dtype": (lambda x: x.astype(np.float32), lambda x: x.astype(np.float64)),
    "a result": (lambda x: (x, x + 1.0), lambda x: (x + 1.0, x)),
    "a container": (lambda x: [x + 1.0], lambda x: (x + 1.0,)),
    "an index": (lambda x: x[0:2], lambda x: x[0:3]),
    "a decision": (lambda x: x if x[0] > 0.0 else -x, lambda x: x if x[0] > 0.1 else -x),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs_are_not_known(name):
    """What differs, in as little as it may be."""
    f, g = OTHERS[name]
    assert is_known(f, f, X) is not None
    assert is_known(f, g, X) is None


def test_long_programs_are_not_kept(monkeypatch):
    """Nor are those whose arrays lie in memory as values decide."""
    recording = record_program(lambda x: x + 1.0 + 2.0, (X,), {})
    assert written_down(recording, ["x"]) is not None
    recording.tape.lies_otherwise = True
    assert written_down(recording, ["x"]) is None
    recording.tape.lies_otherwise = False
    monkeypatch.setattr(written, "_MOST_STEPS", 1)
    assert written_down(recording, ["x"]) is None


def test_few_are_kept():
    """The latest ones, by their use."""
    programs = Programs()
    for n in (2, 3, 4, 5, 2, 6):
        make_variant(lambda x, n=n: x * float(n), (X,), {}, programs=programs)
    numbers = [re.findall(r"x \* (\d)", known.text.source) for known in programs._known]
    assert numbers == [["6"], ["2"], ["5"], ["4"]]


def test_the_same_text_is_compiled_once(monkeypatch):
    """Also where it was generated anew, for another shape."""
    compilations, programs = [], Programs()

    def counted(source, name, mode):
        compilations.append(name)
        return compile(source, name, mode)

    monkeypatch.setattr(generated, "compile", counted, raising=False)
    for x in (X, X[:2], np.r_[X, X]):
        make_variant(lambda x: np.sin(x) * 2.0, (x,), {}, programs=programs)
    assert len([name for name in compilations if name.startswith("<compiled ")]) == 1
    assert len(programs._known) == 3


def test_sparse_constants():
    """The same elements in the same places; what was factored is the same object, or another one."""
    A, B = (scipy.sparse.csr_array(np.diag([1.0, 2.0, x])) for x in (3.0, 4.0))
    matrices = {"A": A, "B": B}

    def product(name):
        return grad(lambda x: np.sum((matrices[name] @ x) ** 2))

    assert is_known(product("A"), product("A"), X) is not None
    assert is_known(product("A"), product("B"), X) is None
    factors = [written._Object(scipy.sparse.linalg.splu(A.tocsc())) for _ in range(2)]
    assert factors[0] == factors[0]
    assert factors[0] != factors[1]
    assert written._Object(range(3)) == written._Object(range(3))
    assert written._Object(np.float64(0.0)) != written._Object(np.float64(-0.0))


def test_arrays_from_outside():
    """Those are the same which are the same object, whatever their elements are."""
    data = {"a": OUTSIDE.copy(), "b": OUTSIDE.copy()}

    def reads(name):
        y = data[name]
        return lambda x: x * y

    first, again, other = reads("a"), reads("a"), reads("b")
    data["a"][0] = 7.0
    assert is_known(first, again, X) is not None
    assert is_known(first, other, X) is None
