"""The classes of numbers and arrays in patterns are asked for in guards."""

import ast

import pytest

from chainrules.ad.syntax.patterns import Patterns


def rewritten(pattern, guard=""):
    """The pattern and the guard of a case."""
    source = f"match x:\n    case {pattern}{guard}:\n        pass"
    text = ast.unparse(Patterns().visit(ast.parse(source))).splitlines()[1].strip()
    text = (
        text.removeprefix("case ").removesuffix(":").replace("'<chainrules.ad: is instance>'(", "isinstance(")
    )
    return text.replace("<chainrules.ad: case ", "<")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("float()", "<0> if isinstance(<0>, float)"),
        ("np.float32()", "<0> if isinstance(<0>, np.float32)"),
        ("numbers.Real()", "<0> if isinstance(<0>, numbers.Real)"),
        ("float(a)", "a as <0> if isinstance(<0>, float)"),
        ("np.ndarray(shape=(n,))", "object(shape=[n]) as <0> if isinstance(<0>, np.ndarray)"),
        ("[float(), np.floating()]", "[<0>, <1>] if isinstance(<0>, float) and isinstance(<1>, np.floating)"),
        ("A(b=float())", "A(b=<0>) if isinstance(<0>, float)"),
        ("{'a': float() as b}", "{'a': <0> as b} if isinstance(<0>, float)"),
        ("int() | float()", "<0> if isinstance(<0>, int) or isinstance(<0>, float)"),
        ("None | float() | 'a'", "<0> if <0> is None or isinstance(<0>, float) or <0> == 'a'"),
    ],
)
def test_rewritten(pattern, expected):
    """The value is captured."""
    assert rewritten(pattern) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "int()",
        "A(b)",
        "[a, *b]",
        "1 | 2",
        "float(a) | [a]",
        "float() | A(1)",
        "float() | A(b=1)",
        "np.ndarray(a)",
        "_",
    ],
)
def test_left_alone(pattern):
    """Other classes, and alternatives that capture."""
    assert rewritten(pattern) == pattern


def test_guards():
    """The program's own guard is asked last."""
    assert rewritten("float()", " if a") == "<0> if isinstance(<0>, float) and a"
