"""Which rule, or which body: what becomes of a call in code that is differentiated."""

import functools
import math
import operator
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg
import scipy.optimize
import scipy.sparse

from chainrules.ad import ADConfig, call, grad, interception, jvp, vjp
from chainrules.ad.interception.choosing import choosing as hook
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import calls_shown_to
from chainrules.ad.values import memory as memory_module
from chainrules_core import HasReverseMode, NoTangent, RuleConfig, Tangent, frule, opt_out, rrule, typeof_
from tests.chainrules.ad.interception.kinds_of_callables import KINDS, Made, answer_of
from tests.chainrules.ad.interception.ruled_callables import (
    Clip,
    Inheriting,
    Model,
    OnlyForwards,
    Overriding,
    cube,
    only_forwards,
)
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by


def through(f):
    """A function that calls `f`, and has no rule itself."""
    return lambda x: 2.0 * f(x)


# --- Rules --------------------------------------------------------------------------------------------


def test_a_rule_is_used_wherever_the_function_is_called():
    """Directly, in a helper, in a comprehension, given to C, bound to an argument; in both modes."""
    assert grad(cube)(2.0) == 1200.0
    assert grad(through(cube))(2.0) == 2400.0
    assert grad(lambda x: sum([cube(v) for v in [x, x]]))(2.0) == 2400.0
    assert grad(lambda x: sum(map(cube, [x, x])))(2.0) == 2400.0
    assert grad(functools.partial(cube))(2.0) == 1200.0
    assert jvp(through(cube), (2.0,), (1.0,)) == (16.0, 2400.0)
    assert vjp(cube, 2.0)[1](1.0) == (1200.0,)
    assert grad(lambda x: grad(cube)(x))(2.0) == 1200.0  # the derivative of 300 x^2


def test_a_rule_is_for_the_types_that_it_names():
    """A call without a rule enters the body."""
    np.testing.assert_allclose(grad(lambda x: np.sum(cube(x)))(normal(3)), 3.0 * normal(3) ** 2)


def test_an_untraced_call_runs_the_body():
    """Whatever a rule would say."""

    def loud(x):
        return x

    @rrule.dispatch
    def loud_rrule(f: typeof_(loud), x: float):
        raise AssertionError("nothing is traced")

    assert grad(lambda x: loud(2.0) * x)(3.0) == 2.0


def test_opted_out_calls_run_the_body():
    """As in Julia, where `@opt_out` stands for a rule that is not there."""

    def total(x):
        return np.sum(cube(x[0]) * x)

    @rrule.dispatch
    def total_rrule(f: typeof_(total), x: object):
        raise AssertionError("the general rule")

    opt_out(rrule, typeof_(total), np.ndarray)

    np.testing.assert_allclose(grad(lambda x: total(x))(np.array([2.0])), [8.0 + 2.0 * 1200.0])


def test_a_rule_with_a_configuration():
    """It gets the engine's, and may call back."""
    seen = []

    def f(x):
        return x

    @rrule.dispatch
    def f_rrule(config: RuleConfig[HasReverseMode], f: typeof_(f), x: float):
        seen.append(type(config))
        return x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    assert grad(lambda x: f(x))(1.0) == 2.0
    assert seen == [ADConfig]


def test_a_rule_that_declines():
    """The body is entered where a rule returns `None`."""

    def f(x):
        return math.sin(x)

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return None

    assert grad(lambda x: f(x))(1.0) == math.cos(1.0)


def test_a_rule_that_comes_later():
    """What is remembered of a function is forgotten when there is a rule for it."""

    def f(x):
        return x

    def g(x):
        return f(x)

    assert grad(g)(1.0) == 1.0

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    assert grad(g)(1.0) == 2.0


# --- Callable objects -----------------------------------------------------------------------------------


def test_a_functor():
    """`f: Clip` serves the calls of instances."""
    clip = Clip(1.0)

    assert grad(lambda x: np.sum(clip(x)))(np.array([0.5, 2.0])).tolist() == [10.0, 10.0]
    assert vjp(clip, np.array([2.0]))[1](np.ones(1))[0].tolist() == [10.0]
    assert grad(lambda x: clip(x))(0.5) == 1.0  # no array: the body


def test_a_rule_for_a_method():
    """It serves bound calls, and subclasses that do not override the method."""
    assert grad(lambda x: Model(3.0).predict(x))(1.0) == 30.0
    assert grad(Model(3.0).predict)(1.0) == 30.0
    assert grad(lambda x: Model(3.0).score(x))(1.0) == 30.0
    assert grad(lambda x: Inheriting(3.0).predict(x))(1.0) == 30.0
    assert grad(lambda x: Overriding(3.0).predict(x))(1.0) == 60.0 + math.cos(1.0)


def test_a_rule_for_one_bound_method():
    """`typeof_(model.score)` is for the method of that object."""
    model, other = Model(2.0), Model(2.0)

    @rrule.dispatch
    def score_rrule(f: typeof_(model.score), x: float):
        return f(x), lambda y_bar: (NoTangent(), 100.0 * y_bar)

    for _ in range(2):  # found, and remembered
        assert grad(lambda x: other.score(x))(1.0) == 20.0
        assert grad(lambda x: model.score(x))(1.0) == 100.0


# --- What is called as it is ----------------------------------------------------------------------------


def test_functions_of_other_packages_are_entered():
    """Where something traced is given to them."""
    x = normal(4)

    assert grad(lambda x: scipy.optimize.rosen(x))(x).tolist() == pytest.approx(
        scipy.optimize.rosen_der(x).tolist()
    )


def test_methods_in_c():
    """A method of an array is called by its rule, where an argument is traced."""
    a = normal(3)

    assert grad(lambda x: a.dot(x))(np.ones(3)).tolist() == a.tolist()
    assert grad(lambda x: np.ndarray.dot(a, x))(np.ones(3)).tolist() == a.tolist()
    assert while_traced(1.0, lambda x: [x].index(x)) == 0
    assert while_traced(1.0, lambda x: "{:.1f}".format(x)) == "1.0"  # noqa: UP032 - what is tested


def test_what_is_handed_out():
    """Neither the engine's own functions nor what there is nothing to do for are replaced."""
    for f in (grad(cube), ADConfig, id, [].append, "".split, choose, Tangent, operator.iconcat):
        assert choose(f) is f
    assert isinstance(choose(normal), types.FunctionType)


@pytest.mark.parametrize("place", range(len(KINDS)))
def test_each_kind_of_callable(place):
    """What is called in its place; whoever watches is told once."""
    f, kind = KINDS[place]
    told = []
    with calls_shown_to(lambda f, chosen: told.append(f) or chosen):
        choose(f)
    assert told == [f]
    assert answer_of(f) == kind


@pytest.mark.parametrize(
    "f",
    [cube, normal, np.sin, np.sum, math.sin, dict, [].append, Model, Made().method],
)
def test_what_is_known_is_not_looked_at_again(f):
    """One look into a table is enough."""
    assert set(functions_run_by(lambda: choose(f))) <= {"choose", "MethodType"}


def test_methods_of_arrays_that_write():
    """They are told before they are called; others are not."""
    a = np.ones(2)
    assert "written_into" in functions_run_by(lambda: choose(a.fill)(1.0))
    assert "written_into" not in functions_run_by(lambda: choose(a.sum)())
    assert "written_into" not in functions_run_by(lambda: choose(np.random.default_rng(0).random)())


def test_what_is_remembered_of_a_method():
    """It stays the same until its code or its defaults are assigned to."""

    class Scaling:
        def __call__(self, x, by=2.0):
            return x * by

        scale = __call__

    scaling = Scaling()

    def slopes():
        return [grad(lambda x, f=f: f(x))(1.0) for f in (scaling, scaling.scale, scaling.scale)]

    assert slopes() == [2.0] * 3
    Scaling.scale.__defaults__ = (3.0,)
    assert slopes() == [3.0] * 3
    Scaling.scale.__code__ = (lambda self, x, by: math.sin(x) * by).__code__
    assert slopes() == [3.0 * math.cos(1.0)] * 3


def test_rules_of_one_mode():
    """A function may have a rule forwards and none backwards, which enters the body, and the reverse."""

    def forwards(x):
        return math.sin(x)

    @frule.dispatch
    def forwards_frule(tangents, f: typeof_(forwards), x: float):
        return f(x), 100.0 * tangents[1]

    for f in (forwards, only_forwards, OnlyForwards(1.0), OnlyForwards(1.0).scaled):
        assert jvp(lambda x, f=f: f(x), (1.0,), (1.0,))[1] == 100.0
        assert grad(lambda x, f=f: f(x))(1.0) == math.cos(1.0)


def test_interception_may_be_off():
    """Inside a block calls are made as they are, also in code that is running."""

    def f(x):
        with interception(False):
            y = cube(x)
        return y + cube(x)

    assert grad(f)(2.0) == 12.0 + 1200.0
    with interception(False):
        assert grad(f)(2.0) == 24.0
    with interception(False), interception(True):
        assert grad(f)(2.0) == 1212.0


def test_explicit_calls():
    """`call` enters what has a body and no rule."""
    assert grad(lambda x: call(math.sin, x))(1.0) == math.cos(1.0)
    assert grad(lambda x: call(lambda y: math.sin(y), x))(1.0) == math.cos(1.0)


def test_tangents_of_captured_values():
    """A closure over a traced value is entered; what it captures has its derivative."""

    def outer(w):
        def inner(x):
            return math.sin(w * x)

        return inner(2.0) + sum(map(inner, [1.0]))

    assert grad(outer)(1.0) == pytest.approx(2.0 * math.cos(2.0) + math.cos(1.0))


def test_unhashable_callables():
    """They are known by their class."""

    class Functor:
        __hash__ = None

        def __call__(self, x):
            return math.sin(x)

    f = Functor()
    assert grad(lambda x: f(x))(1.0) == math.cos(1.0)
    assert grad(f)(1.0) == math.cos(1.0)
    assert isinstance(choose(f), types.MethodType)  # its body, and no search for rules


def test_what_is_remembered_of_a_function():
    """What is called in its place stays the same until its code or its defaults are assigned to."""

    def f(x, by=2.0):
        return x * by

    assert choose(f) is choose(f)
    assert grad(f)(1.0) == 2.0
    f.__defaults__ = (3.0,)
    assert grad(lambda x: f(x))(1.0) == 3.0
    f.__code__ = (lambda x, by: math.sin(x) * by).__code__
    assert grad(lambda x: f(x))(1.0) == 3.0 * math.cos(1.0)


def test_what_is_remembered_of_a_function_that_is_made_again(monkeypatch):
    """Nobody looks at the code of a closure twice; but one of several closures may have a rule of its own."""

    def scaling(scale):
        return lambda x: scale * x

    assert choose(scaling(1.0))(3.0) == 3.0
    with monkeypatch.context() as patch:
        patch.setattr(hook, "_function", lambda *_: pytest.fail("it was looked at again"))
        assert choose(scaling(2.0))(3.0) == 6.0

    special = scaling(2.0)

    @rrule.dispatch
    def special_rrule(f: typeof_(special), x: float):
        return f(x), lambda y_bar: (NoTangent(), 200.0 * y_bar)

    assert grad(lambda x: scaling(3.0)(x) + special(x))(1.0) == 203.0


def test_closures_are_not_kept():
    """They come and go, with what they hold; functions without one are remembered."""

    def closure():
        return test_closures_are_not_kept, closure

    def function(x):
        return x

    assert closure.__closure__
    for f, is_kept in ((closure, False), (function, True), (normal, True)):
        choose(f)
        assert (f in hook._functions) is is_kept


@pytest.mark.parametrize(
    ("memory", "callables"),
    [
        ("_functions", [eval(f"lambda x: {n}") for n in range(4)]),
        ("_plans", [lambda: "a", lambda: "b", lambda: "c", lambda: "d"]),
        ("_known", [np.frompyfunc(abs, 1, 1) for _ in range(4)]),
        ("_methods_in_c", ["".split, [].append, {}.get, np.ones(2).sum]),
    ],
)
def test_answers_are_forgotten(monkeypatch, memory, callables):
    """So many are remembered, and the others found anew."""
    kept = getattr(hook, memory)
    monkeypatch.setattr(memory_module, "MOST", 1)
    kept.clear()
    sizes = []
    for f in callables:
        choose(f)
        sizes.append(len(kept))

    assert sizes == [1, 1, 1, 1]


def test_class_methods_in_c_of_an_instance():
    """They do not depend on the instance, and are called as they are."""
    assert grad(lambda x: x * (1.0).fromhex("0x1p1"))(3.0) == 2.0


def test_rules_for_all_functions():
    """A rule for the class of functions serves local functions too, which are made again and again."""
    program = Path(__file__).parent.parent / "rule_for_all_functions.py"
    subprocess.run([sys.executable, program], check=True)


def test_programs_that_ask_for_an_array():
    """``x.__array__()`` is ``np.asarray(x)``, as statsmodels writes it; nothing is lost where only NumPy asks."""

    def f(x):
        y = x.__array__() * x[0].__array__()
        return np.sum(y.__array__(np.dtype(float)) ** 2)

    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(grad(f)(x), [4 * x[0] ** 3 + 2 * x[0] * x[1] ** 2, 2 * x[0] ** 2 * x[1]])
    assert while_traced(x, lambda x: np.shape(x.__array__(copy=True))) == (2,)
    with interception(False), pytest.raises(TypeError, match="about to become an array"):
        grad(f)(x)


class ComparedByParts(scipy.interpolate.interp1d):
    """An interpolant that has no hash, since it says when two are equal."""

    def __eq__(self, other):
        return np.array_equal(self.y, other.y)


def test_interpolants_without_a_hash():
    """Whether others have rules for one is asked each time."""
    t, given = np.linspace(0.0, 1.0, 5), ComparedByParts(np.linspace(0.0, 1.0, 5), np.arange(5.0) ** 2)
    np.testing.assert_allclose(grad(lambda x: given(x))(0.3), 12.0)
    np.testing.assert_allclose(jvp(lambda x: given(x), (0.3,), (1.0,))[1], 12.0)
    slopes = grad(lambda y: ComparedByParts(t, y)(0.3) + given(0.3))(np.arange(5.0))
    np.testing.assert_allclose(slopes, [0.0, 0.8, 0.2, 0.0, 0.0], atol=1e-15)
