"""Arguments of the testers in a wrong place are refused, or noted beside the function's own error."""

import operator

import pytest

from chainrules_core import NoTangent, rrule, typeof_
from chainrules_testutils.advice.misplaced_arguments import (
    binds,
    call_text,
    notes,
    refuse_misplaced,
    refuse_unknown,
    rule_note,
)


def product(x, y=1.0, *, by=1.0):
    """A function with parameters of several kinds."""
    return x * y * by


def negative(x):
    """A function with a rule."""
    return -x


@rrule.dispatch
def negative_rrule(f: typeof_(negative), x: float):
    """The rule."""
    return -x, lambda y_bar: (NoTangent(), -y_bar)


def noted(f, *args, **kwargs):
    """The notes for a call, joined."""
    return "\n".join(notes("test_rrule", f, args, kwargs))


def test_unknown_options():
    """An option of another library is translated; any other may be a keyword of the function."""
    refuse_unknown("test_rrule", {})
    with pytest.raises(TypeError, match=r"^test_rrule: `tol` is none of its options: tolerances are `rtol=`"):
        refuse_unknown("test_rrule", {"tol": 1.0})
    with pytest.raises(TypeError, match=r'function, write fkwargs=\{"axis": 1\}\.$'):
        refuse_unknown("test_rrule", {"axis": 1})


def test_what_is_no_function():
    """Neither a result in the place of the function nor pairs in the place of a dict get to the call."""
    refuse_misplaced("test_rrule", abs, {})
    with pytest.raises(
        TypeError, match=r"f is a function, not 8\.0\. Write `test_rrule\(f, x\)` without calling"
    ):
        refuse_misplaced("test_rrule", 8.0, {})
    with pytest.raises(TypeError, match=r"fkwargs is a dict .* not \[1\]\."):
        refuse_misplaced("test_rrule", abs, [1])


def test_notes():
    """A note for each way in which the call does not fit the function; none where it fits."""
    assert noted(product, 2.0) == noted(product, 2.0, by=3.0) == ""
    assert "go into the same call: `test_rrule(" in noted(product)
    assert "Argument 1 is a tuple. To pass its items" in noted(product, (1.0, 2.0))
    assert '`by` is keyword-only: write `test_rrule(..., fkwargs={"by": ...})`.' in noted(
        product, 1.0, 2.0, 3.0
    )
    assert "tolerances are `rtol=`, `atol=`" in noted(product, 1.0, 2.0, 3.0)
    assert "not in a tuple" not in noted(product, 1.0, 2.0, 3.0)
    assert "keyword-only" not in noted(operator.add, 1.0, 2.0, 3.0)
    for items in ((1.0, 2.0), [1.0, 2.0]):
        assert "The arguments are not in a tuple: write `test_rrule(_operator.add, *args)`." in noted(
            operator.add, items
        ).replace("`test_rrule(operator", "`test_rrule(_operator")


def test_rules_in_the_place_of_functions():
    """A rule is known by its function, with its place; the note stands alone."""
    note = rule_note("test_rrule", negative_rrule)

    assert note.startswith("negative_rrule (tests/chainrules_testutils/advice/test_misplaced_arguments.py:")
    assert note.endswith("is itself a rule: give the function that it is for, `test_rrule(f, x)`.")
    assert noted(negative_rrule, 2.0) == note
    assert rule_note("test_rrule", negative) is None


def test_binding():
    """A signature decides; where there is none, any call may fit."""
    assert binds(product, (1.0, 2.0), {"by": 1.0})
    assert not binds(product, (), {})
    assert not binds(product, (1.0,), {"axis": 1})
    assert binds(type, (), {})


def test_texts_of_calls():
    """A call reads as one writes it, as far as the names of parameters are known."""
    assert call_text(product, 1) == "product(x)"
    assert call_text(product, 2) == "product(x, y)"
    assert call_text(lambda x, y: x, 2) == "<lambda>(x, y)"
    assert call_text(lambda *xs: xs, 2) == "<lambda>(...)"
    assert call_text(dict.fromkeys, 9) == "fromkeys(...)"
    assert call_text(type, 1) == "type(...)"


def test_what_is_no_tuple_is_not_taken_for_the_arguments():
    """Neither a dict nor a text, though these have items as well."""
    for x in ({"a": 1.0, "b": 2.0}, "ab", 1.0):
        assert "not in a tuple" not in noted(operator.add, x)
