"""Programs that read attributes of objects, each in its way, while all attributes change."""

import copy
import dataclasses
import functools
import operator
import warnings

import numpy as np
import pytest

from chainrules.ad import grad, jvp, vjp
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.instances import Instances, is_read_by_names
from chainrules.ad.recording.refused import CompilationError

X = np.linspace(0.5, 1.5, 4)
read, FORM = getattr, "{0.rate}"


class Base:
    """A class with an attribute for its instances."""

    rate = 2.0


class Model(Base):
    """An object that is fitted, and keeps what it learns beside what its loss reads."""

    __match_args__ = ("rate",)

    def __init__(self):
        self.data = np.linspace(-1.0, 1.0, 4)
        self.rate = 3.0
        self.shape = (2,)
        self.inner = Inner()
        self.losses, self.steps, self.weights = [], 0, X

    def loss(self, w):
        """Reads the data and the rate."""
        return np.mean((w * self.data - 1.0) ** 2) * self.rate

    @property
    def double(self):
        """Reads the rate."""
        return 2.0 * self.rate

    def __call__(self, x):
        """As the loss."""
        return np.sum(x * x) * self.rate


class Inner:
    """An object of an object."""

    def __init__(self):
        self.rate = 1.5


@dataclasses.dataclass
class Settings:
    """An object whose functions are made of text."""

    rate: float = 1.0
    other: float = 2.0


def fit(model, gradient, steps):
    """Changes attributes that the loss does not read."""
    for _ in range(steps):
        model.weights = model.weights - 0.1 * gradient(model.weights)
        model.steps += 1
        model.losses.append(model.steps)
        model.new = model.steps
    return model.weights


def test_a_model_that_is_fitted():
    """It is recorded once, though it holds what it is given."""
    model, other = Model(), Model()
    gradient = compiled(grad(model.loss), strict=True)
    np.testing.assert_array_equal(fit(model, gradient, 50), fit(other, grad(other.loss), 50))
    assert [variant.calls for variant in gradient.variants] == [49]
    model.rate = 7.0
    np.testing.assert_array_equal(gradient(X), grad(model.loss)(X))


def matched(model):
    """By a pattern that names the class alone."""
    match model:
        case Model(rate):
            return rate


def matched_by_name(model):
    """By a pattern that names the attribute."""
    match model:
        case Model(rate=rate):
            return rate


def called(model, name):
    """By a name that is a value."""
    return getattr(model, name)


READING = {
    "its name": lambda m: m.rate,
    "the name in another object": lambda m: m.inner.rate,
    "a property": lambda m: m.double,
    "getattr": lambda m: called(m, "rate"),
    "getattr that is handed on": lambda m: next(map(getattr, [m], ["rate"])),
    "getattr by a reduction": lambda m: functools.reduce(getattr, ["inner", "rate"], m),
    "getattr by another name, and a reduction": lambda m: functools.reduce(read, ["inner", "rate"], m),
    "getattr by another name": lambda m: next(map(read, [m], ["rate"])),
    "hasattr": lambda m: 2.0 if hasattr(m, "rate") and m.rate > 2.5 else 1.0,
    "attrgetter": lambda m: operator.attrgetter("rate")(m),
    "attrgetter of several": lambda m: sum(operator.attrgetter("rate", "inner.rate")(m)),
    "methodcaller": lambda m: operator.methodcaller("loss", X)(m),
    "a pattern": matched,
    "a pattern with names": matched_by_name,
    "text": lambda m: float(f"{m.rate}"),
    "text by a method": lambda m: float(FORM.format(m)),
    "a copy": lambda m: copy.copy(m).rate,
    "a deep copy": lambda m: copy.deepcopy(m).rate,
    "NumPy": lambda m: np.shape(m)[0] * m.rate,
    "a call": lambda m: m(X),
    "its gradient": lambda m: np.sum(grad(m)(X)),
    "a pullback": lambda m: np.sum(vjp(m, X)[1](1.0)[0]),
    "tangents": lambda m: jvp(m.loss, (X,), (X,))[1],
    "an argument of its own": lambda m: grad(lambda model, x: np.sum(x) * model.rate, argnums=1)(m, X)[0],
    "a partial application": lambda m: functools.partial(called, m)("rate"),
    "a method": lambda m: m.loss(X),
    "an error": lambda m: m.rate if "missing" not in dir_of(m) else 0.0,
}


def dir_of(model):
    """The names that it has, as far as they are asked for."""
    try:
        model.missing  # noqa: B018 - it is asked for
    except AttributeError:
        return ()
    return ("missing",)


CHANGES = {
    "another value": lambda m: setattr(m, "rate", 5.0),
    "in the inner one": lambda m: setattr(m.inner, "rate", 4.0),
    "another object": lambda m: setattr(m, "inner", Inner()),
    "deleted": lambda m: delattr(m, "rate"),
    "set again": lambda m: setattr(m, "rate", 6.0),
    "an array": lambda m: setattr(m, "rate", np.array(2.0)),
    "in place": lambda m: m.rate.fill(8.0),
    "of the class": lambda m: setattr(Base, "rate", 11.0),
    "the shape": lambda m: setattr(m, "shape", (5,)),
    "the data": lambda m: m.data.fill(0.5),
    "one that was missing": lambda m: setattr(m, "missing", 1),
    "what nobody reads": lambda m: setattr(m, "unread", object()),
}


@pytest.mark.parametrize("way", READING)
def test_ways_of_reading(way, monkeypatch):
    """Whatever reads an attribute, its changes are met."""
    monkeypatch.setattr(Base, "rate", 2.0)
    model, reading = Model(), READING[way]

    def f(x):
        return np.sum(x * x) * reading(model)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are not recorded
        c = compiled(f, compare=False)
        for change in (lambda m: None, *CHANGES.values()):
            change(model)
            for x in (X.copy(), 2.0 * X):  # another one than the model holds
                assert c(x) == f(x), change


def test_what_is_read_of_dataclasses():
    """All of their fields, since their functions name none in the program."""
    settings, other = Settings(), Settings()

    def f(x):
        return np.sum(x) * (2.0 if settings == other else dataclasses.astuple(settings)[1])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        c = compiled(f, compare=False)
        for name, value in (("rate", 1.0), ("rate", 3.0), ("other", 4.0), ("other", 5.0)):
            setattr(settings, name, value)
            assert c(X) == f(X)
    assert not is_read_by_names(Settings)
    assert is_read_by_names(Model)


def test_what_a_program_changes():
    """It is refused, named in the program or not, and put back."""
    model = Model()

    def counting(x):
        model.steps += 1
        return np.sum(x)

    def hiding(x):
        for name in ("st" + "eps", "be" + "st"):
            setattr(model, name, 9)
        return np.sum(x)

    for f in (counting, hiding):
        before = dict(vars(model))
        with pytest.raises(CompilationError, match="changes its surroundings"):
            compiled(f, strict=True)(X)
        assert vars(model) == before


def test_what_is_noted():
    """The values of names, once, and all of them where that is said."""
    noted = []
    containers = []
    instances = Instances(lambda x, name: noted.append((name, x)), containers)
    held = {"a": 1, "b": 2, "T": 3}
    instances.note(held)
    instances.note_names({"a", "c"})
    instances.note_names({"a"})
    assert noted == [("T", 3), ("a", 1)]
    assert instances.difference() is None
    [(keys, absent)] = instances.absent
    assert keys == held.keys()
    assert "c" in absent
    held["b"] = 5
    assert instances.is_changed()
    assert instances.difference() is None
    held["c"] = 1
    assert instances.difference() == "an object was given the attribute `c`"
    del held["a"]
    assert instances.difference() == "the attribute `a` of an object has another value"
    instances.restore()
    assert held == {"a": 1, "b": 2, "T": 3}
    instances.note_whole()
    instances.note({"d": 4})
    assert {("b", 2), ("d", 4)} <= {*noted}
    assert containers == [(held, held), ({"d": 4}, {"d": 4})]
