"""The record of the rules that were tested."""

# ruff: noqa: D102, D103 - a rule's name says whose rule it is

from chainrules_core import NoTangent, frule, opt_out, primitive, rrule, typeof_
from chainrules_testutils import exercised_rules, test_frule, test_rrule
from chainrules_testutils.testers.exercised import rule_places


def identity(x):
    """A function of its own, so that nothing else records it."""
    return x


class Shift:
    """A callable, and a class that is called."""

    def __init__(self, b):
        self.b = b

    def __call__(self, x):
        return x


@rrule.dispatch
def identity_rrule(f: typeof_(identity) | Shift, x: float):
    return x, lambda y_bar: (NoTangent(), y_bar)


@frule.dispatch
def identity_frule(tangents, f: typeof_(identity), x: float):
    return x, tangents[1]


def test_record():
    """The mode and the callee that the rule names are recorded once a tester has used the rule."""
    assert not {("rrule", identity), ("frule", identity), ("rrule", Shift)} & exercised_rules()
    test_rrule(identity, 1.0)
    assert ("rrule", identity) in exercised_rules()
    assert ("frule", identity) not in exercised_rules()
    test_frule(identity, 1.0)
    assert ("frule", identity) in exercised_rules()
    test_rrule(Shift("by nothing"), 1.0)
    assert ("rrule", Shift) in exercised_rules()


def test_primitives_are_what_they_stand_for():
    """A function that AD systems intercept has the rules of the function itself."""

    def doubled(x):
        return 2.0 * x

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    test_rrule(primitive(doubled), 1.0)
    assert ("rrule", doubled) in exercised_rules()


def test_other_rules_are_not_recorded():
    """A rule that is given in the place of the registered one does not exercise that."""

    def other(x):
        return x

    @rrule.dispatch
    def other_rrule(f: typeof_(other), x: float):
        raise NotImplementedError

    test_rrule(other, 1.0, rrule_f=lambda _, f, x: identity_rrule(f, x))
    assert ("rrule", other) not in exercised_rules()


def test_places_of_rules():
    """Every rule is listed with its file, and whether a tester asked for it."""
    test_rrule(identity, 1.0)
    listed = {method.function: (file, is_tested) for method, file, is_tested in rule_places()}

    assert listed[identity_rrule] == (__file__, True)


def test_rules_that_opt_out_have_no_place():
    """There is nothing to ask them, nor of rules that do not say where they stand."""

    def opted(x):
        return x

    class Rule:
        def __call__(self, f: typeof_(opted), x: float):
            return x, None

    rrule.dispatch(Rule())
    opt_out(rrule, typeof_(opted), str)
    assert {method.callee for method, _, _ in rule_places()}.isdisjoint({typeof_(opted)})
    assert all(method.function is not None and file for method, file, _ in rule_places())
    assert {method.callee for method, _, _ in rule_places()} >= {typeof_(identity)}
