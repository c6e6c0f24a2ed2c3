"""The classes of numbers and arrays in patterns are asked for in guards."""

import pytest

from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


def rewritten(pattern, guard=""):
    """The pattern and the guard of a case."""
    text = rewritten_text(f"match x:\n    case {pattern}{guard}:\n        pass").splitlines()[1].strip()
    return text.removeprefix("case ").removesuffix(":").replace("_is instance(", "isinstance(")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("float()", "<1> if isinstance(<1>, float)"),
        ("np.float32()", "<1> if isinstance(<1>, np.float32)"),
        ("numbers.Real()", "<1> if isinstance(<1>, numbers.Real)"),
        ("float(a)", "a as <1> if isinstance(<1>, float)"),
        ("np.ndarray(shape=(n,))", "object(shape=[n]) as <1> if isinstance(<1>, np.ndarray)"),
        ("[float(), np.floating()]", "[<1>, <2>] if isinstance(<1>, float) and isinstance(<2>, np.floating)"),
        ("A(b=float())", "A(b=<1>) if isinstance(<1>, float)"),
        ("{'a': float() as b}", "{'a': <1> as b} if isinstance(<1>, float)"),
        ("int() | float()", "<1> if isinstance(<1>, int) or isinstance(<1>, float)"),
        ("True | float()", "<1> if _is(<1>, True) or isinstance(<1>, float)"),
        ("None | float() | 'a'", "<1> if <1> is None or isinstance(<1>, float) or <1> == 'a'"),
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
    assert rewritten("float()", " if a") == "<1> if isinstance(<1>, float) and a"
