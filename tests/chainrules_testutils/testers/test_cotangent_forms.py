"""A pullback gets cotangents in every form in which AD systems pass them."""

# ruff: noqa: D103 - a rule's name says whose rule it is

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, rrule, typeof_
from chainrules_core.structured import SymTridiagonal
from chainrules_testutils import RuleTestError, rand_tangent, test_rrule
from chainrules_testutils.testers.cotangent_forms import form_advice, natural, other_form, with_zero_fields
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO

SYMMETRIC = SymTridiagonal(np.ones(3), np.ones(2))


@dataclass
class Point:
    """A value of a vector space, which is its own tangent space."""

    x: float
    y: float

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def polar(r, phi):
    """A function with a vector as its result."""
    return Point(r * np.cos(phi), r * np.sin(phi))


@rrule.dispatch
def polar_rrule(f: typeof_(polar), r: float, phi: float):
    def polar_pullback(p_bar):
        c, s = np.cos(phi), np.sin(phi)
        return NoTangent(), c * p_bar.x + s * p_bar.y, r * (c * p_bar.y - s * p_bar.x)

    return polar(r, phi), polar_pullback


def test_all_forms_are_checked():
    """A rule that reads fields by name takes structural and natural cotangents, and zeros in fields."""
    wheres = [check.where for check in test_rrule(polar, 2.0, 0.5).checks]

    for form in ("ZeroTangent() for field x", "ZeroTangent() for field y", "a natural cotangent"):
        assert f"pulling back {form}, cotangent for input 2" in wheres


def test_natural_cotangents_are_needed():
    """A rule that insists on structural cotangents of a vector is rejected."""

    def insists(config, f, r, phi):
        y, pullback = polar_rrule(f, r, phi)

        def insisting_pullback(p_bar):
            if not isinstance(p_bar, Tangent):
                raise TypeError("no tangent")
            return pullback(p_bar)

        return y, insisting_pullback

    with pytest.raises(
        RuleTestError, match="- pulling back a natural cotangent: raised TypeError: no tangent"
    ):
        test_rrule(polar, 2.0, 0.5, rrule_f=insists)


def test_zeros_in_fields_are_needed():
    """A rule that computes what zeros cannot do is rejected."""

    def floats(config, f, x):
        y, pullback = rules.sine_and_cosine_rrule(f, x)
        return y, lambda y_bar: pullback(Tangent[tuple](*map(abs, y_bar)))

    says = r"- pulling back ZeroTangent\(\) for item 0: raised .*\n  A part of the cotangent may be"
    with pytest.raises(RuleTestError, match=says):
        test_rrule(rules.sine_and_cosine, 0.7, rrule_f=floats, output_tangent=Tangent[tuple](1.0, 2.0))


@pytest.mark.parametrize(
    ("y_bar", "part"),
    [
        (
            Tangent[tuple](1.0, 2.0),
            "the cotangent of a result with parts: take these, `y_bar[0]`.",
        ),
        (Tangent[dict]({"a": 1.0}), "`y_bar['a']`."),
        (Tangent[Point](y=4.0), "`y_bar.y`."),
        (1.0, ""),
    ],
)
def test_advice_for_cotangents_with_parts(y_bar, part):
    """A pullback that takes one for something else is told how to take the parts."""
    assert form_advice(y_bar).endswith(part)


def test_zero_fields():
    """One pair for each field that is not zero anyhow; the explicit zeros are of the field's kind."""
    y_bar = Tangent[rules.Foo](A=np.ones((3, 3)), c=ZeroTangent())
    ((name, explicit, implicit),) = with_zero_fields(FOO, y_bar)

    assert name == "field A"
    assert np.array_equal(explicit.A, np.zeros((3, 3)))
    assert isinstance(implicit.A, ZeroTangent)
    assert list(with_zero_fields(1.0, 2.0)) == []
    assert list(with_zero_fields(FOO, FOO)) == []
    assert list(with_zero_fields(SYMMETRIC, Tangent[SymTridiagonal](dv=np.ones(3)))) == []


def test_natural_form():
    """Only values that can be added have it, of which containers are none."""
    point = Point(1.0, 2.0)

    assert natural(point, Tangent[Point](x=3.0, y=4.0)) == Point(3.0, 4.0)

    for y in (SYMMETRIC, FOO, (1.0, 2.0), [1.0], {"a": 1.0}, 1.0, np.ones(2)):
        assert natural(y, rand_tangent(y)) is None


def test_other_form():
    """Natural of a structural cotangent, structural of a natural one, with what the check is called."""
    where, structural = other_form(SYMMETRIC, SYMMETRIC)
    assert where == "pulling back a structural cotangent"
    assert np.array_equal(structural.ev, 2 * SYMMETRIC.ev)
    where, like_output = other_form(Point(1.0, 2.0), Tangent[Point](x=3.0, y=4.0))
    assert where == "pulling back a natural cotangent"
    assert like_output == Point(3.0, 4.0)
    assert other_form(1.0, 2.0)[1] is other_form(FOO, FOO)[1] is None


def test_vectors_are_told_by_their_class():
    """An instance that happens to hold a function of that name cannot be added."""
    pair = rules.Multiplier(2.0)
    pair.__add__ = abs

    assert natural(pair, rand_tangent(pair)) is None
