# ruff: noqa: D101, D102, D103 - stand-ins have nothing to document
"""What the signature of a rule says, and what is refused when it is defined."""

import functools
import typing

import cloudpickle
import numpy as np
import pytest

from chainrules_core import HasReverseMode, RuleConfig, RuleDefinitionError, frule, rrule, typeof_
from chainrules_core.dispatch.callees import TypeOf
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.dispatch.rule_reading import is_config_annotation, read_rule

RRULE, FRULE = Mode("rrule"), Mode("frule", leading=("tangents",))


class Foo:
    def __call__(self, x): ...


def foo(x): ...


def no_parameters(): ...
def of_self(self, x): ...
def not_annotated(f, x): ...
def annotated_object(f: object, x): ...
def annotated_type(f: type, x): ...
def annotated_function(f: foo, x): ...
def unknown_name(f: "typeof_(no_such_name)", x): ...  # noqa: F821 - the point
def unknown_argument(f: typeof_(foo), x: "NoSuchClass"): ...  # noqa: F821 - the point
def value_for_hint(f: typeof_(foo), x: 3): ...
def list_for_hint(f: typeof_(foo), x: [int]): ...
def value_for_varargs(f: typeof_(foo), *xs: np.sin): ...
def unhashable_hint(f: typeof_(foo), x: typing.Annotated[int, []]): ...
def config_second(f: typeof_(foo), config: RuleConfig[HasReverseMode], x): ...
def config_alone(config: RuleConfig[HasReverseMode]): ...


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (no_parameters, r"no parameter for the callee. Write `def foo_rrule\(f: typeof_\(foo\), x\)`"),
        (config_alone, "no parameter for the callee"),
        (not_annotated, r"`f` does not say which callee.*Annotate it: `f: typeof_\(foo\)`"),
        (annotated_object, "matches everything"),
        (annotated_type, "matches everything"),
        (annotated_function, r"names no callee.*`f: typeof_\(foo\)`"),
        (
            unknown_name,
            r"'typeof_\(no_such_name\)' is a string that cannot be evaluated.*no_such_name.*TYPE_CHECKING",
        ),
        (unknown_argument, "'NoSuchClass' is a string that cannot be evaluated"),
        (value_for_hint, "`x` is annotated 3, which is neither a class nor a type hint"),
        (list_for_hint, "`x` is annotated .*neither a class nor a type hint"),
        (value_for_varargs, "is annotated <ufunc 'sin'>, which is neither"),
        (unhashable_hint, "`x` is annotated .*neither a class nor a type hint"),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_definition_errors_name_function_place_and_mend(rule, message):
    """A rule that could never be found is refused at once, by name, file and line, and registers nothing."""
    before = (rrule.methods(), rrule.callees())
    with pytest.raises(RuleDefinitionError, match=message) as caught:
        rrule.dispatch(rule)

    place = rf"test_rule_reading.py:{rule.__code__.co_firstlineno}"
    assert caught.match(rf"The rrule `{rule.__name__}` \(.*{place}\) is not registered: ")
    assert (rrule.methods(), rrule.callees()) == before


def test_rules_in_the_body_of_a_class():
    """There the class does not exist yet; a rule anywhere else may call its argument as it likes."""
    with pytest.raises(
        RuleDefinitionError, match=r"body of a class.*foo_rrule\(f: typeof_\(Model.call\), self: "
    ):

        class Model:
            @rrule.dispatch
            def call_rrule(self, x): ...

    with pytest.raises(RuleDefinitionError, match="`self` does not say which callee"):
        rrule.dispatch(of_self)
    with pytest.raises(RuleDefinitionError, match="`f` does not say which callee"):

        class Other:
            @rrule.dispatch
            def call_rrule(f, x): ...


def frule_without_tangents(f: typeof_(foo), x: float): ...
def frule_of_no_arguments(f: typeof_(foo)): ...
def frule_with_a_list(tangents: list, f: typeof_(foo), x: float): ...
def frule_without_callee(tangents): ...
def config_after_tangents(tangents, config: RuleConfig[HasReverseMode], f: typeof_(foo), x): ...


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (frule_without_tangents, r"`f` stands where `tangents` belongs. Write `def foo_frule\(tangents, f: "),
        (frule_of_no_arguments, "`f` stands where `tangents` belongs"),
        (frule_with_a_list, "`tangents` stands where `tangents` belongs"),
        (frule_without_callee, "no parameter for the callee"),
        (
            config_after_tangents,
            "a configuration stands where the callee belongs. Its place is before all other",
        ),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_frules_have_tangents(rule, message):
    """An `frule` without its tangents in front, or with something else there, is refused."""
    before = frule.methods()
    with pytest.raises(RuleDefinitionError, match=message):
        frule.dispatch(rule)
    assert frule.methods() == before


@pytest.mark.parametrize("hint", [typing.Any, object, tuple, tuple[typing.Any, int, float], typing.Tuple])  # noqa: UP006 - users write it
def test_tangents_may_be_annotated(hint):
    """The tangents are a tuple, and may be annotated as one."""

    def rule(tangents, f: typeof_(foo), x, y): ...

    rule.__annotations__["tangents"] = hint
    assert read_rule(FRULE, rule, {}).hints[0] in (hint, tuple)


def test_parts_of_a_signature():
    """Configuration, callee, hints and varargs are read; keyword parameters are not."""

    def rule(
        config: RuleConfig[HasReverseMode], f: typeof_(foo), /, x, y: float = 1.0, *ys: int, n: int, **kw: str
    ): ...

    method = read_rule(RRULE, rule, {}, opts_out=True, precedence=2)

    assert method.config is RuleConfig[HasReverseMode]
    assert method.callee is typeof_(foo)
    assert method.members == (typeof_(foo),)
    assert method.hints == (RuleConfig[HasReverseMode], typeof_(foo), typing.Any, float)
    assert method.varargs is int
    assert (method.opts_out, method.precedence) == (True, 2)
    plain = read_rule(RRULE, rule, {})
    assert (plain.opts_out, plain.precedence) == (False, 0)


def test_wrapped_functions_are_read_through():
    """A decorated rule has the signature of what it wraps."""

    def rule(f: typeof_(foo), x: float, *xs: int): ...

    @functools.wraps(rule)
    def wrapper(*args): ...

    assert read_rule(RRULE, wrapper, {}).hints == (typeof_(foo), float)
    assert read_rule(RRULE, wrapper, {}).varargs is int


def test_strings_find_global_local_and_captured_names():
    """A string annotation may name what is global, local to the definition, or captured by the rule."""

    class Local: ...

    def local(x): ...

    @rrule.dispatch
    def rule(f: "typeof_(local)", x: "Local", y: "np.ndarray", *zs: "Foo"):
        return "found"

    assert rrule(local, Local(), np.ones(1), Foo()) == "found"
    assert rrule(local, Local(), np.ones(1), 1.0) is None


def test_empty_cells_are_passed_over():
    """A rule that captures a variable which is assigned later can be read."""

    def rule(f: "typeof_(foo)", x: "float"):
        return later

    method = read_rule(RRULE, rule, {"foo": foo})
    later = 1
    assert method.hints == (typeof_(foo), float)
    assert method.function(foo, 1.0) == later


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (RuleConfig, True),
        (RuleConfig[HasReverseMode], True),
        (RuleConfig[HasReverseMode] | RuleConfig, True),
        (float, False),
        (RuleConfig | float, False),
        (type[Foo], False),
        (typing.Any, False),
        (3, False),
    ],
)
def test_configurations_are_told_by_their_annotation(annotation, expected):
    """A parameter takes a configuration if its annotation says nothing else."""
    assert is_config_annotation(annotation) is expected


def test_a_rule_that_comes_from_another_process_is_for_the_same_callee():
    """What it is annotated with is a copy there, made from the members of the class."""
    copy = type(typeof_(np.hypot))("TypeOf[hypot]", (), {"kind": TypeOf, "_type_parameter": np.hypot})

    def rule(f: copy, x: str): ...

    assert read_rule(RRULE, rule, {}).members == (typeof_(np.hypot),)


def test_rules_travel_with_their_annotations():
    """By value, as cloudpickle sends functions to other processes."""

    def rule(f: typeof_(np.hypot), x: str): ...

    travelled = cloudpickle.loads(cloudpickle.dumps(rule))
    assert read_rule(RRULE, travelled, {}).hints == (typeof_(np.hypot), str)


# --- the callee in the decorator


def fresh():
    """A class and one of its instances that nobody has met before."""

    class Fresh:
        def __call__(self, x): ...

    return Fresh, Fresh()


@pytest.mark.parametrize(
    ("annotation", "found"),
    [
        (lambda cls, f: typeof_(f), [True, False, False]),
        (lambda cls, f: typeof_(cls), [False, False, True]),
        (lambda cls, f: type[cls], [False, False, True]),
        (lambda cls, f: cls, [True, True, False]),
        (lambda cls, f: typeof_(f) | type[cls], [True, False, True]),
        (lambda cls, f: typing.Union[typeof_(f), type[cls]], [True, False, True]),  # noqa: UP007 - a spelling
    ],
)
def test_the_callee_may_stand_in_the_decorator(annotation, found):
    """Whatever a callee parameter may be annotated with; the rule is returned unchanged."""
    cls, f = fresh()

    def rule(g: typing.Any, x: float, *, n=0):
        return "found"

    assert rrule.dispatch(annotation(cls, f))(rule) is rule
    assert [rrule(g, 1.0) == "found" for g in (f, cls(), cls)] == found
    assert rrule(f, "x") is None


def test_the_callee_in_the_decorator_of_an_frule_with_precedence():
    """It stands in the place of the parameter after the tangents, which needs no annotation."""
    _, f = fresh()

    @frule.dispatch(typeof_(f), precedence=3)
    def fresh_frule(tangents, f, x: float):
        return x, tangents[1]

    assert frule((None, 2.0), f, 1.0) == (1.0, 2.0)
    assert [method.precedence for method in frule.methods(f)] == [3]


def test_the_callee_in_the_decorator_of_a_rule_with_a_configuration():
    """The configuration stays in the signature, before the callee; strings are evaluated."""
    _, f = fresh()

    class Config(RuleConfig[HasReverseMode]): ...

    @rrule.dispatch(typeof_(f))
    def fresh_rrule(config: "RuleConfig[HasReverseMode]", f: "typing.Any", x: "float"):
        return config

    config = Config()
    assert rrule(config, f, 1.0) is config
    assert rrule(f, 1.0) is None


def twice(f: typeof_(foo), x): ...
def twice_by_object(f: object, x): ...
def twice_with_config(config: RuleConfig[HasReverseMode], f: Foo, x): ...


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            twice,
            r"`f` is annotated typeof_\(.*foo\) as well. Write one of the two.*`f: Any`.*`f: typeof_\(foo\)`",
        ),
        (twice_by_object, "`f` is annotated object as well"),
        (twice_with_config, "`f` is annotated Foo as well"),
        (no_parameters, "no parameter for the callee"),
        (config_alone, "no parameter for the callee"),
    ],
)
def test_the_callee_is_said_once(rule, message):
    """In the decorator or in the signature; nothing is registered otherwise."""
    before = rrule.methods()
    with pytest.raises(RuleDefinitionError, match=message):
        rrule.dispatch(typeof_(foo))(rule)
    assert rrule.methods() == before


@pytest.mark.parametrize("annotation", [object, np.ndarray, type[object]])
def test_a_callee_in_the_decorator_is_checked_like_an_annotation(annotation):
    """What names no callee is refused there, too."""
    with pytest.raises(RuleDefinitionError, match=r"The rrule `not_annotated` .* is not registered"):
        rrule.dispatch(annotation)(not_annotated)


def test_strings_may_name_what_a_rule_captures():
    """An annotation that is a string finds the variables of the functions around the rule."""

    class Local:
        pass

    def rule_of_local(f: "typeof_(Foo)", x: "Local"):
        return Local

    assert read_rule(RRULE, rule_of_local, {}).hints[1] is Local


def test_what_stands_before_the_callee_may_have_any_type():
    """Except for tangents, which are a tuple: a mode says itself what it is given."""

    def with_result(y: float, f: typeof_(Foo), x: float): ...

    assert read_rule(Mode("derivatives", leading=("y",)), with_result, {}).callee is not None


def test_none_is_a_type_of_arguments():
    """As in all hints."""

    def rule_of_none(f: typeof_(Foo), x: None): ...

    assert len(read_rule(RRULE, rule_of_none, {}).hints) == 2


def test_keywords_of_primals_without_a_signature():
    """What a builtin function has as defaults cannot be known, so that rules of it may ask for keywords."""

    class Own:
        """An argument of this test alone."""

    @rrule.dispatch
    def max_rrule(f: typeof_(max), x: Own, *, key):
        return key, None

    assert rrule(max, Own(), key=3) == (3, None)


@pytest.mark.parametrize("primal", [lambda x, *, n: x, lambda x: x, max])
def test_keywords_that_the_primal_requires_or_does_not_have(primal):
    """A rule may ask for them; only where the primal has a default the rule needs one."""

    def asking(f: typeof_(primal), x: float, *, n): ...
    def with_default(x, *, n=2): ...
    def lacking(f: typeof_(with_default), x: float, *, n): ...
    def named(f: typeof_(with_default), x: float, **options): ...

    assert read_rule(RRULE, asking, {}).function is asking
    assert read_rule(RRULE, named, {}).function is named
    with pytest.raises(RuleDefinitionError, match="Give it the default of the function: `n=2`"):
        read_rule(RRULE, lacking, {})


def test_classes_with_a_backward_pass():
    """They are refused as PyTorch's; another class, or a function with such an attribute, is not."""

    class Torchlike:
        @staticmethod
        def backward(ctx, y_bar): ...

    def rule(f: typeof_(Foo), x: float): ...

    rule.backward = None
    assert read_rule(RRULE, rule, {}).function is rule
    with pytest.raises(RuleDefinitionError, match="not a class with `forward` and `backward`"):
        read_rule(RRULE, Torchlike, {})
    with pytest.raises(RuleDefinitionError, match="no parameter for the callee"):
        read_rule(RRULE, object, {})


def test_an_frule_without_parameters():
    """The message says how an frule begins."""
    with pytest.raises(RuleDefinitionError, match=r"no parameter for the callee.*`def foo_frule\(tangents"):
        read_rule(FRULE, lambda: None, {})
