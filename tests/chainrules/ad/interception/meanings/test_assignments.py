# ruff: noqa: D103 - programs say by their names what they do
"""Methods that assignments and conditions call are entered."""

import array
import math
import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules.ad.interception.meanings import assignments as storing
from chainrules.ad.syntax.classes_of_values import classes_to_read
from chainrules.ad.syntax.hooks import HOOKS, placeholder
from chainrules.ad.traced.trace import UNUSED_BY_RULES
from chainrules.ad.values import memory
from tests.chainrules.ad.interception.programs_with_implicit_calls import PROGRAMS_WITH_IMPLICIT_CALLS
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.ad.writing.programs import check_program
from tests.python_calls import functions_run_by


@pytest.mark.parametrize("program", PROGRAMS_WITH_IMPLICIT_CALLS, ids=lambda f: f.__name__)
def test_programs(program):
    """They compute as they would, and their functions have rules."""
    check_program(lambda x, _: program(x), np.array([0.7, 1.3, 2.1]))


class Angle:
    """A property whose setter computes what it keeps."""

    @property
    def sine(self):
        """What was kept."""
        return self.kept

    @sine.setter
    def sine(self, angle):
        self.kept = math.sin(float(angle))


class Noting(Angle):
    """A class that sees what is set, and leaves it to the one above."""

    def __setattr__(self, name, value):
        super().__setattr__("names", [*self.__dict__.get("names", []), name])
        super().__setattr__(name, value)


class Explicit(Angle):
    """The same, as frozen classes write it."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


@pytest.mark.parametrize("cls", [Angle, Noting, Explicit])
def test_attributes_that_are_set_by_functions(cls):
    """`setattr`, and methods that have the same name in a class above, enter setters as a statement does."""

    def program(x, _):
        p = cls()
        p.sine = x[0]
        first = p.sine
        setattr(p, "sine", x[1] * first)  # noqa: B010 - the law is about this function
        second = p.sine
        object.__setattr__(p, "sine", x[2] * second)
        for name, value in {"scale": x[0], "sine": x[1] * p.sine}.items():
            setattr(p, name, value)
        return p.sine * p.scale

    check_program(program, np.array([0.7, 1.3, 2.1]))


class Fixed:
    """An object with a property that nobody sets, and no operators."""

    @property
    def value(self):
        """One."""
        return 1.0


def assign(x):
    """Set what is not set."""
    Fixed().value = x


def add(x):
    """Add what has no addition."""
    fixed = Fixed()
    fixed += x


def truth_of_many(x):
    """Ask for a truth that there is not."""
    return x if np.array([x, x]) else 0.0


def too_many(x):
    """Unpack."""
    _a, _b = np.array([x, x, x])


def no_iterator(x):
    """Unpack an object."""
    _a, _b = Fixed()


def no_items(x):
    """Set an item."""
    Fixed()[0] = x


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (assign, AttributeError, "property 'value' of 'Fixed' object has no setter"),
        (add, TypeError, "unsupported operand"),
        (truth_of_many, ValueError, "truth value of an array"),
        (too_many, ValueError, "too many values to unpack"),
        (no_iterator, TypeError, "cannot unpack non-iterable Fixed object"),
        (no_items, TypeError, "'Fixed' object does not support item assignment"),
    ],
)
def test_errors(f, error, message):
    """They are Python's own."""
    with pytest.raises(error, match=message):
        f(1.0)
    with pytest.raises(error, match=message):
        grad(f)(1.0)


def test_forgetting():
    """Classes may be made again and again."""

    def many(x):
        total = 0.0
        for _ in range(10_010):
            cls = type("Made", (), {})
            made = cls()
            made.value = x
            total = total + made.value
        return total

    assert grad(many)(1.0) == 10_010.0


class Plain:
    """An object that holds a buffer in all ways."""

    def __init__(self, buffer=None):
        self.array, self.list, self.dict, self.number = buffer, [buffer], {0: buffer}, 1.0


def set_item(plain):
    plain.array[0] = 2.0


def update(plain):
    array = plain.array
    array += 1.0


def update_item(plain):
    plain.array[0] += 1.0


def update_attribute(plain):
    plain.array += 1.0


def update_attribute_of_an_item(plain):
    [plain][0].array += 1.0


def update_array_in_list(plain):
    plain.list[0] += 1.0


def update_array_in_dict(plain):
    plain.dict[0] += 1.0


def update_item_of_array_in_list(plain):
    plain.list[0][0] += 1.0


@pytest.mark.parametrize(
    "write",
    [
        set_item,
        update,
        update_item,
        update_attribute,
        update_attribute_of_an_item,
        update_array_in_list,
        update_array_in_dict,
        update_item_of_array_in_list,
    ],
    ids=lambda f: f.__name__,
)
def test_arrays_that_rules_keep(write):
    """To write into one is an error; before a rule was given it, it is none."""

    def after(x):
        plain = Plain(buffer)
        y = np.sum(x * plain.array)
        write(plain)
        return y

    def before(x):
        write(Plain(buffer))
        return np.sum(x * buffer)

    buffer = np.ones(2)
    with pytest.raises(MutatedInputError, match="written into"):
        grad(after)(np.ones(2))
    assert grad(before)(np.ones(2)).tolist() == buffer.tolist() != [1.0, 1.0]


class Reflected:
    """An object that numbers are added to."""

    def __init__(self, x):
        self.x = x

    def __radd__(self, other):
        return other * math.sin(self.x)

    __iadd__ = __radd__


@pytest.mark.parametrize(
    "f",
    [
        lambda x: add_to_items([2.0], Reflected(x)),
        lambda x: add_to_items({0: 2.0}, Reflected(x)),
        lambda x: add_to_items([Reflected(x)], 2.0),
        lambda x: add_to_attribute(Plain(), x),
        lambda x: add_to_name(2.0, x),
        lambda x: len(found_by_value({2.5: 1.0}, x)),
        lambda x: len(found_by_value({1.0: 1.0}, x)),
    ],
)
def test_what_is_added_and_found(f):
    """By the method of the other operand; in a dict by the value of a traced number."""
    assert while_traced(2.5, f) == f(2.5)


def add_to_items(items, y):
    items[0] += y
    return items[0]


def add_to_attribute(plain, x):
    plain.number += Reflected(x)
    return plain.number


def add_to_name(y, x):
    y += Reflected(x)
    return y


def found_by_value(table, x):
    table[x] = 3.0
    return table


@pytest.mark.parametrize(
    ("hook", "args"),
    [
        ("set item", (1.0, np.ones(2), 0)),
        ("set item", (1.0, {}, "key")),
        ("set item", (1.0, [2.0], 0)),
        ("iadd", (1.0, 2.0)),
        ("iadd", (np.ones(2), 2.0)),
        ("iadd item", (np.ones(2), 0, 1.0)),
        ("iadd item", ([1.0], 0, 1.0)),
        ("iadd item", ([1], 0, 1)),
        ("truth", (1.0,)),
        ("truth", (True,)),
    ],
)
def test_nothing_is_asked_of_what_is_known(hook, args):
    """Numbers, containers and arrays that were noted down take no more than the hook itself."""
    f = HOOKS[placeholder(hook)]
    UNUSED_BY_RULES.update(id(x) for x in args if isinstance(x, np.ndarray))
    try:
        assert set(functions_run_by(lambda: f(*args))) == {f.__qualname__}
    finally:
        UNUSED_BY_RULES.difference_update(map(id, args))


def test_numbers_in_attributes():
    """They are read, added to and set, and nothing else; the class is remembered for both."""
    plain, readable, assignable = Plain(), classes_to_read("number"), {}
    update = HOOKS[placeholder("iadd attribute")]
    run = functions_run_by(lambda: update(plain, "number", 1.0, readable, assignable))
    assert set(run) == {update.__qualname__, "attribute", "set_attribute", "remember", "_note"}
    assert set(assignable) == {Plain}


def test_how_many_classes_are_remembered(monkeypatch):
    """So many; the classes of traced values always are."""
    monkeypatch.setattr(memory, "MOST", 3)
    monkeypatch.setattr(storing, "_setters", dict.fromkeys(storing.TRACED))
    sizes = []
    for _ in range(5):
        storing.set_attribute(1.0, type("Made", (), {})(), "value")
        sizes.append(len(set(storing._setters) - storing.TRACED))
    assert sizes == [1, 2, 3, 2, 3]
    assert set(storing._setters) >= storing.TRACED


class Units(np.ndarray):
    """A subclass."""


def memory_mapped(path):
    """An array in a file."""
    return np.memmap(path, float, "w+", shape=3)


@pytest.mark.parametrize(
    ("make", "write"),
    [
        (lambda _: np.ones(3).view(Units), lambda x: x.__setitem__(0, 5.0)),
        (lambda _: np.ones(3).view(Units), lambda x: operator.imul(x, 5.0)),
        (memory_mapped, lambda x: x.fill(5.0)),
        (memory_mapped, lambda x: np.add(x, 1.0, out=x)),
        (lambda _: array.array("d", [1.0, 1.0, 1.0]), lambda x: operator.setitem(x, 0, 5.0)),
        (lambda _: bytearray(24), lambda x: operator.setitem(np.frombuffer(x), 0, 5.0)),
    ],
)
def test_memory_that_others_have(make, write, tmp_path):
    """Arrays of a subclass, in a file, and in the memory of an object that is none."""
    owner = make(tmp_path / "x")

    def program(x):
        y = x * np.asarray(np.frombuffer(owner))
        write(owner)
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(3))


@pytest.mark.parametrize("write", [lambda x: operator.setitem(x[1], "a", 5.0), lambda x: x["a"].fill(5.0)])
def test_records(write):
    """One of them, or one field of all."""
    records = np.zeros(3, [("a", float), ("b", float)])

    def program(x):
        y = x * records["a"]
        write(records)
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(np.ones(3))


def test_the_usual_way_of_a_class_without_setters():
    """The attribute is stored."""

    class Plain:
        pass

    def program(x):
        o = Plain()
        object.__setattr__(o, "y", math.sin(x))
        return o.y

    assert grad(program)(0.5) == pytest.approx(math.cos(0.5))


def test_setattr_enters_setters():
    """As an assignment does; a wrong number of arguments is Python's own error."""

    class Settable:
        @property
        def y(self):
            """What was set."""
            return self._y

        @y.setter
        def y(self, value):
            self._y = math.sin(value)

    def program(x):
        o = Settable()
        setattr(o, "y" + "", x)
        return o.y

    assert grad(program)(0.5) == pytest.approx(math.cos(0.5))
    with pytest.raises(TypeError, match="setattr expected 3 arguments, got 2"):
        grad(lambda x: setattr(x, "y"))(0.5)
