"""One test for all operators of an expression of numbers."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from tests.chainrules.ad.syntax.test_guards import rewritten


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a * a - 2 * a + 1", "_type(a) in _plain"),
        ("-a ** 2 < b", "_type(a) in _plain and _type(b) in _plain"),
        ("a.b * 2", "_type(a) in _to_read_again_b and _type(a.b) in _plain"),
        ("a[0] * 2", "_type(a) in _indexed_or_dict and _type((v1 := a[0])) in _plain"),
        (
            "a[i + 1] * 2",
            "_type(i) in _plain and _type(a) in _indexed and (_type((v1 := a[i + 1])) in _plain)",
        ),
        (
            "a[0][i] * 2",
            """\
_type(a) in _indexed_or_dict and _type((v1 := a[0])) in _indexed and \
(_type((v2 := v1[(v1 := None) or i])) in _plain)""",
        ),
        (
            "a.b[0] * 2",
            """\
_type(a) in _to_read_again_b and _type((v1 := a.b)) in _indexed and \
(_type((v2 := v1[(v1 := None) or 0])) in _plain)""",
        ),
        ("a[f()] * 2", "_type((v1 := (a[_call(f)()] if _type(a) in _indexed"),
        (
            "a[0][f()] * 2",
            """\
_type((v2 := (v1[(v1 := None) or _call(f)()] if _type((v1 := (a[0] if _type(a) in _indexed_or_dict""",
        ),
        (
            "f()[0] * 2",
            "_type((v2 := (v1[(v1 := None) or 0] if _type((v1 := _call(f)())) in _indexed_or_dict",
        ),
        (
            "f().b[0] * 2",
            """_type((v2 := (v1[(v1 := None) or 0] if \
_type((v1 := _attribute(_call(f)(), 'b'))) in _indexed_or_dict""",
        ),
        ("f() * 2", "_type((v1 := _call(f)())) in _plain"),
        ("f() * a", "_type((v1 := _call(f)())) in _plain and _type(a) in _plain"),
        ("2 * f()", "_type((v1 := _call(f)())) in _plain"),
        ("-f()", ""),
        ("[a + f() for b in (1, 2)]", ""),
    ],
)
def test_tests(expression, expected):
    """Each variable is asked once, and so is what is read of one."""
    assert rewritten(expression).partition(" if ")[2].partition(" else ")[0] == expected


def test_long_expressions():
    """So many variables are asked at once, and no more."""
    letters = "abcdefghijk"
    assert rewritten(" + ".join(letters[:10])).startswith("a + b")
    assert rewritten(" + ".join(letters)).startswith("v1 + k if ")


def test_two_operands():
    """More than names: both are evaluated before they are asked, and cleared if the hook computes."""
    text = rewritten("f() + g()")
    assert text.startswith("v1 + v2 if _type((v1 := _call(f)())) is _type((v2 := _call(g)())) in _plain or ")
    assert text.endswith("else _add(v1, v2, (v2 := (v1 := None)))")


def test_rows():
    """What has items may be an item or an attribute itself; it is not kept."""

    class Table:
        """Rows of numbers."""

        def __init__(self, rows):
            self.rows = rows

    def program(x):
        table = Table([[1.0, 2.0], [x, 3.0], np.array([4.0, 5.0])])
        total = 0.0
        for i in range(3):
            for j in range(2):
                total += table.rows[i][j] * table.rows[i - 1][j - 1] + table.rows[i][j]
        return total

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)


def test_errors():
    """They are Python's own."""

    def program(a, b):
        return a[0] / b[1] - a[2]

    for values in (([1.0], [0.0, 0.0]), ([1.0, 2.0, 3.0], [1.0, 0.0]), (["a"], [1.0, 2.0])):
        with pytest.raises((IndexError, ZeroDivisionError, TypeError)) as expected:
            program(*values)
        with pytest.raises((IndexError, ZeroDivisionError, TypeError)) as caught:
            intercepted(program)(*values)
        assert caught.type in {expected.type, IndexError}  # what is read is read before anything is computed
