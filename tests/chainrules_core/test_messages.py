"""Mistakes that authors and users of rules make, and what the messages say."""

import warnings

import pytest

PREAMBLE = """
import functools
import typing
import numpy as np
from chainrules_core import *

def cube(x):
    return x**3

def power(x, n=2):
    return x**n

def total(*xs):
    return sum(xs)

class Model:
    def __init__(self, w=1.0):
        self.w = w

    def __call__(self, x):
        return self.w * x

    def scaled(self, scale, x):
        return scale * x

    double = functools.partialmethod(scaled, 2.0)

    @functools.singledispatchmethod
    def of_each(self, x): ...

class Child(Model): ...
"""

# For each mistake a script, and what its message has to contain: what happened, the author's file and line
# (scripts stand in `author.py`) where there is a definition, and the mend.
MISTAKES = {
    "a sum of tangents": (
        "sum([Tangent[Model](w=1.0), Tangent[Model](w=2.0)])",
        ["write `sum(tangents, ZeroTangent())`"],
    ),
    # Rules that could never be found, or return no pair.
    "a configuration behind the callee": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), config: RuleConfig[HasReverseMode], x: float): ...",
        ["author.py:1", "`config` takes a configuration, whose place is before all others"],
    ),
    "tangents in an rrule": (
        "@rrule.dispatch\ndef r(tangents, f: typeof_(cube), x: float): ...",
        ["author.py:1", "its callee, `f`, stands behind `tangents`", "`def foo_rrule(f: typeof_(foo), x)`"],
    ),
    "tangents one by one": (
        "@frule.dispatch\ndef r(f_dot, x_dot, f: typeof_(cube), x: float): ...",
        [
            "author.py:1",
            "its callee, `f`, stands behind `x_dot`",
            "`def foo_frule(tangents, f: typeof_(foo), x)`",
        ],
    ),
    "a generator": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: float):\n    yield x",
        ["author.py:1", "a generator or a coroutine", "`return` in the place of `yield`"],
    ),
    "a coroutine": (
        "@rrule.dispatch\nasync def r(f: typeof_(cube), x: float): ...",
        ["author.py:1", "Write `def` without `async`"],
    ),
    "an array for its type": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: np.zeros(3)): ...",
        ["author.py:1", "Write `x: np.ndarray`"],
    ),
    "two callees": (
        "typeof_(cube, power)",
        ["write `typeof_(cube) | typeof_(power)` for several"],
    ),
    "the type of a callee twice": (
        "non_differentiable(typeof_(cube))",
        ["this is the type of a callee, and not the callee itself"],
    ),
    "a property": (
        "class A:\n    @property\n    def b(self): ...\ntypeof_(A.b)",
        ["this property is not callable", "`typeof_(Foo.name.fget)`"],
    ),
    "one varargs for many": (
        "@rrule.dispatch\ndef r(f: typeof_(total), xs: float): ...\nrrule.require(total, 1.0, 2.0)",
        ["author.py:1", "it takes 1 argument, the call has 2", "any number: write `*xs: float` in the rule"],
    ),
    "a rule for one instance": (
        "m = Model()\n@rrule.dispatch\ndef r(f: typeof_(m), x: float): ...\nrrule.require(Model(), 1.0)",
        ["author.py:2", "is for another Model. Write `f: Model` for all of them"],
    ),
    "a method of one array": (
        "rrule.require(np.ones(3).argsort, kind='no such')",
        ["The function in this bound method, ndarray.argsort, has a rule", "`chainrules.ad` finds"],
    ),
    "a lambda": (
        "rrule.require(lambda x: x, 1.0)",
        ["`f: typeof_(foo)`, after `foo = lambda ...: ...`"],
    ),
    # Callees that are another object whenever they are read.
    **{
        callee: (
            f"@rrule.dispatch\ndef r(f: typeof_({callee}), x: float): ...",
            ["a `partialmethod` makes another object", "`f: typeof_(Model.scaled), self: ...`"],
        )
        for callee in ("Model.double", "Model().double")
    },
    "a method that dispatches": (
        "@rrule.dispatch\ndef r(f: typeof_(Model().of_each), x: float): ...",
        ["a `singledispatchmethod` makes another object", "Write it for each function that is registered"],
    ),
    # Calls that no rule fits, and what does not fit.
    "too many arguments": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: float): ...\nrrule.require(cube, 1.0, 2.0, 3.0)",
        [
            "author.cube, float, float, float) has no rule",
            "author.py:1",
            "it takes 1 argument, the call has 3",
        ],
    ),
    "too few arguments": (
        "@rrule.dispatch\ndef r(f: typeof_(power), x: float, n: int, *, m=1): ...\nrrule.require(power, 1.0)",
        ["author.py:1", "it takes 2 arguments, the call has 1"],
    ),
    "an int for a float": (
        "@rrule.dispatch\ndef cube_rrule(f: typeof_(cube), x: float): ...\nrrule.require(cube, 3)",
        ["author.py:1", "`x` is an int, the rule takes float: write `3.0`"],
    ),
    "a list for an array": (
        "@rrule.dispatch\ndef cube_rrule(f: typeof_(cube), x: np.ndarray): ...\nrrule.require(cube, [1.0])",
        ["author.py:1", "`x` is a list, the rule takes ndarray: write `np.array(...)`"],
    ),
    "a list for an array, by keyword": (
        "@rrule.dispatch\ndef cube_rrule(f: typeof_(cube), x: np.ndarray): ...\nrrule.require(cube, x=[1.0])",
        ["author.cube, x=list) has no rule", "`x` is a list, the rule takes ndarray: write `np.array(...)`"],
    ),
    "an array for a float": (
        "@rrule.dispatch\ndef cube_rrule(f: typeof_(cube), x: float): ...\nrrule.require(cube, np.ones(2))",
        [
            "author.py:1",
            "`x` is an ndarray[float64, 1], the rule takes float: annotate it `float | np.ndarray`",
        ],
    ),
    "float32 for float": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: float): ...\nrrule.require(cube, np.float32(1))",
        ["author.py:1", "`x` is a float32, the rule takes float: annotate it `numbers.Real`"],
    ),
    "a list for a tuple": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: tuple): ...\nrrule.require(cube, [1.0])",
        ["author.py:1", "`x` is a list, the rule takes tuple: write `tuple(...)`"],
    ),
    "items of another type": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: list[float]): ...\nrrule.require(cube, [1])",
        ["author.py:1", "`x` is a list, the rule takes list[float], which looks at its items as well"],
    ),
    "keyword-only": (
        "@rrule.dispatch\ndef r(f: typeof_(power), x: float, *, n=2): ...\nrrule.require(power, 1.0, 3)",
        [
            "author.py:1",
            "it takes 1 argument, the call has 2",
            "`n` can only be given by keyword: write `n=...`",
        ],
    ),
    "names that the function does not have": (
        "@rrule.dispatch\ndef r(f: typeof_(power), x: float, n: int): ...\nrrule.require(power, b=1.0, by=3)",
        ["author.py:1", "`b` and `by` came by keyword: pass them by position"],
    ),
    "varargs annotated as a tuple": (
        "@rrule.dispatch\ndef r(f: typeof_(total), *xs: tuple): ...\nrrule.require(total, 1.0, 2.0)",
        [
            "author.py:1",
            "argument 1 is a float, the rule takes tuple",
            "annotation of `*xs` is the type of each",
        ],
    ),
    "no configuration": (
        (
            "@rrule.dispatch\ndef r(c: RuleConfig[HasReverseMode], f: typeof_(cube), x: float): ...\n"
            "rrule.require(cube, 1.0)"
        ),
        ["author.py:1", "asks for a configuration", "`ADConfig()`"],
    ),
    "another configuration": (
        (
            "class Mine(RuleConfig[HasForwardsMode]): ...\n"
            "@rrule.dispatch\ndef r(c: RuleConfig[HasReverseMode], f: typeof_(cube), x: float): ...\n"
            "rrule.require(Mine(), cube, 1.0)"
        ),
        ["author.py:2", "it asks for RuleConfig[HasReverseMode], and Mine does not have all of it"],
    ),
    "ambiguous": (
        (
            "@rrule.dispatch\ndef r1(f: typeof_(power), x: float, n: object): ...\n"
            "@rrule.dispatch\ndef r2(f: typeof_(power), x: object, n: float): ...\nrrule(power, 1.0, 2.0)"
        ),
        ["is ambiguous", "Add a rule for (float, float)", "`precedence=`"],
    ),
    # Rules for something near.
    "a subclass": (
        "@rrule.dispatch\ndef model_rrule(f: typeof_(Model), w: float): ...\nrrule.require(Child, 1.0)",
        ["author.py:1", "for the constructor of Model itself", "Write `f: type[Model]`"],
    ),
    "an instance": (
        "@rrule.dispatch\ndef model_rrule(f: typeof_(Model), w: float): ...\nrrule.require(Model(), 1.0)",
        ["author.py:1", "for the constructor of Model", "Write `f: Model`"],
    ),
    "another lambda": (
        "@rrule.dispatch\ndef r(f: typeof_(lambda x: x), x: float): ...\nrrule.require(lambda x: x, 1.0)",
        ["author.py:1", "is for another lambda"],
    ),
    "defined again": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: float): ...\ndef cube(x): ...\nrrule.require(cube, 1.0)",
        ["author.py:1", "is for another object of this name", "register the rule again"],
    ),
    "wrapped": (
        (
            "@rrule.dispatch\ndef r(f: typeof_(cube), x: float): ...\n"
            "rrule.require(functools.lru_cache(cube), 1.0)"
        ),
        ["author.py:1", "It wraps author.cube, which has a rule", "call the function that is wrapped"],
    ),
    "a result in the place of the function": (
        "rrule(cube(2.0), 2.0)",
        ["rrule(float, ...): the function is missing", "Write `rrule(f, x)`, and not `rrule(f(x))`"],
    ),
    "the same of frule": (
        "frule((NoTangent(), 1.0), cube(2.0), 2.0)",
        ["the function is missing", "Write `frule(tangents, f, x)`"],
    ),
    "asks for itself": (
        "@rrule.dispatch\ndef asking(f: typeof_(cube), x: float):\n    return rrule(f, x)\nrrule(cube, 1.0)",
        ["`asking` (author.py:1) asks for itself", "Call `cube(x)` there"],
    ),
    # Definitions.
    "bare rrule": (
        "@rrule\ndef cube_rrule(f: typeof_(cube), x: float): ...",
        ["`cube_rrule` (author.py:1) is not registered", "write `@rrule.dispatch` over it, not `@rrule`"],
    ),
    "bare frule": (
        "@frule\ndef cube_frule(tangents, f: typeof_(cube), x: float): ...",
        ["`cube_frule` (author.py:1) is not registered", "write `@frule.dispatch` over it, not `@frule`"],
    ),
    "the feature of a configuration": (
        "@rrule.dispatch\ndef r(config: HasReverseMode, f: typeof_(cube), x: float): ...",
        ["author.py:1", "HasReverseMode is a feature", "Write `config: RuleConfig[HasReverseMode]`"],
    ),
    "in the body of a class": (
        "class M:\n    @rrule.dispatch\n    def predict_rrule(self, x: float): ...",
        ["author.py:2", "in the body of a class", "`def foo_rrule(f: typeof_(M.predict), self: M, ...)`"],
    ),
    "np.array": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: np.array): ...",
        ["author.py:1", "`x` is annotated <built-in function array>", "Write `x: np.ndarray`"],
    ),
    "callable": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: callable): ...",
        ["author.py:1", "Write `x: collections.abc.Callable`"],
    ),
    "a tuple of classes": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: (float, int)): ...",
        ["author.py:1", "Write `x: float | int`"],
    ),
    "a class in brackets": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: [float]): ...",
        ["author.py:1", "Write `x: list[float]`"],
    ),
    "a value for an annotation": (
        "@rrule.dispatch\ndef r(f: typeof_(cube), x: 1.0): ...",
        ["author.py:1", "Write `x: float`"],
    ),
    "a keyword without the default": (
        "@rrule.dispatch\ndef power_rrule(f: typeof_(power), x: float, *, n): ...",
        ["author.py:1", "`n` can only be given by keyword and has no default", "`n=2`"],
    ),
    "a copied rule": (
        (
            "@rrule.dispatch\ndef a_rrule(f: typeof_(cube), x: float): ...\n"
            "@rrule.dispatch\ndef b_rrule(f: typeof_(cube), x: float): ..."
        ),
        ["author.py:3: The rrule `b_rrule` redefines `a_rrule` (author.py:1)", "change its `typeof_`"],
    ),
    "autograd's defvjp": (
        "rrule.dispatch(cube, lambda ans, x: lambda g: g * 3 * x**2)",
        ["takes one function, the rule", "`def foo_rrule(f: typeof_(foo), x)`"],
    ),
    "JAX's defvjp": (
        "def fwd(x): return cube(x), x\ndef bwd(x, g): return (g * 3 * x**2,)\nrrule.dispatch(fwd, bwd)",
        ["takes one function, the rule", "`def foo_rrule(f: typeof_(foo), x)`"],
    ),
    "PyTorch's Function": (
        "@rrule.dispatch\nclass Square:\n    def forward(ctx, x): ...\n    def backward(ctx, g): ...",
        ["`Square`", "a rule is one function, not a class with `forward` and `backward`"],
    ),
    "the function instead of its type": (
        "@rrule.dispatch(cube)\ndef cube_rrule(f, x: float): ...",
        ["`cube`", "write `@rrule.dispatch(typeof_(cube))` over its rule"],
    ),
    "the function's name": (
        '@rrule.dispatch("cube")\ndef cube_rrule(f, x: float): ...',
        ["a rule is a function, not str"],
    ),
    # Helpers.
    "a number as partial derivative": (
        "scalar_rule(cube, 2.0)",
        ["author.py:1", "are a function of the result and the arguments: write `lambda y, x: 2.0`"],
    ),
    "a result for the primal": (
        "scalar_rule(cube(2.0), lambda y, x: 2.0)",
        ["author.py:1", "this float is not a function", "not `scalar_rule(foo(x), ...)`"],
    ),
    "the result is no parameter": (
        "scalar_rule(cube, lambda x: 3 * x**2)",
        ["author.py:1", "takes the result and each argument by position: `lambda Ω, x: ...`"],
    ),
    "too many partial derivatives": (
        "scalar_rule(cube, lambda y, x, z: 3 * x**2)",
        ["author.py:1", "cube(x) has 1 argument, and the partial", "of 2", "`lambda y, x: ...`"],
    ),
    "a name for the result that is free": (
        "def f(y, Ω): ...\nscalar_rule(f, lambda x, y: 1.0)",
        ["f(y, Ω) has 2 arguments", "of the result and of 1", "`lambda result, y, Ω: ...`"],
    ),
    "no return": (
        "@scalar_rule(cube)\ndef _(y, x):\n    3 * x**2\nrrule(cube, 2.0)[1](np.float32(1.0))",
        ["author.py:1", "a NoneType", "Was `return` forgotten?"],
    ),
    "values for types": (
        'non_differentiable(cube, "row", 3)',
        ["non_differentiable(author.cube, ...) at author.py:1", "'row' is a value", "write `str, int`"],
    ),
    "opt_out the other way round": (
        "opt_out(typeof_(cube), rrule)",
        ["expected `rrule` or `frule` first", "`opt_out(rrule, typeof_(foo), float)`"],
    ),
    "opt_out for a value": (
        "opt_out(rrule, typeof_(cube), 3.0)",
        ["opt_out(rrule, ...) at author.py:1", "3.0 is a value", "`typeof_(author.cube), float`"],
    ),
    "opt_out of a function": (
        "opt_out(rrule, cube, float)",
        ["says which callee is meant", "Write `typeof_(cube)`"],
    ),
    "opted_out without its table": (
        "opted_out(cube, 1.0)",
        ["expected `rrule` or `frule` first", "`opted_out(rrule, foo, 1.0)`"],
    ),
    "primitive with parentheses": (
        "@primitive()\ndef foo(x): ...",
        ["write `@primitive`, without parentheses"],
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", MISTAKES)
def test_message(name):
    """The message says what happened, where, and what to write instead."""
    script, expected = MISTAKES[name]
    message = said_by(script)

    assert [part for part in expected if part not in message] == [], message


def said_by(script):
    """What a script says: its error with the notes, or its warnings with their places."""
    names = {"__name__": "author"}
    exec(compile(PREAMBLE, "preamble.py", "exec"), names)  # noqa: S102 - the scripts of this file
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(compile(script, "author.py", "exec"), names)  # noqa: S102 - the scripts of this file
        except Exception as error:  # noqa: BLE001 - whatever it raises is what is judged
            return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return "\n".join(f"{w.filename}:{w.lineno}: {w.message}" for w in warned)


@pytest.mark.parametrize(
    "hint", ["typing.Callable", "typing.Callable[[float], float]", "typing.List[float]", "typing.Dict"]
)
def test_no_essays_on_typing(hint):
    """Aliases of `typing` stand for the classes that they are aliases of, without a warning."""
    assert said_by(f"@rrule.dispatch\ndef r(f: typeof_(cube), x: {hint}): ...\nrrule(cube, 1.0)") == ""
