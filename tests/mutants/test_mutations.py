"""Which mistakes are made in a file."""

import ast

import pytest

from tests.mutants.__main__ import all_mutants, equivalent
from tests.mutants.mutations import mutants
from tests.test_layout import ROOT


def mistakes(source):
    """What a file becomes by each mistake."""
    return [mutant.mutated.decode() for mutant in mutants("module.py", source.encode())]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a + b", ["a - b"]),
        ("(a) * (b + c)", ["(a) / (b + c)", "(a) * (b - c)"]),
        ("x += y", ["x -= y"]),
        ("x |= y", ["x &= y"]),
        ("isinstance(x, int | str)", ["isinstance(x, int )"]),
        ("A @ B", ["A * B"]),
        ("a < b", ["a <= b"]),
        ("a < b != c", ["a <= b != c", "a < b == c"]),
        ("a is  not b", ["a is b"]),
        ("a not in b", ["a in b"]),
        ("a and b and c", ["a or b and c", "a and b or c"]),
        ("not a", ["(a)"]),
        ("-a", ["(a)"]),
        ("+a", []),
        ("project_x(y)", ["(y)"]),
        ("self._project(y)", ["(y)"]),
        ("ProjectTo(x)(y)", ["(y)"]),
        ("ProjectTo(x)", []),
        ("project(x, y)", []),
        ("np.conj(y)", ["(y)"]),
        ("conjugate(y)", ["(y)"]),
        ("y.conj()", ["(y)"]),
        ("f(True)", ["f(False)"]),
        ("x.reshape(2, -1)", ["x.reshape(3, -1)", "x.reshape(2, (1))"]),
        ("np.reshape(x[-a], (-1,))", ["np.reshape(x[(a)], (-1,))", "np.reshape(x[-a], ((1),))"]),
        ("f(1, 0.5)", ["f(2, 0.5)", "f(1, 1.5)"]),
        ("dispatch(precedence=1)", ["dispatch(precedence=0)"]),
        ("dispatch(precedence=-1)", ["dispatch(precedence=(1))"]),
        ("precedence = 1", ["precedence = 2"]),
        ("'text' % None", ["'text' * None"]),
        ("(a  # this or that\n or b)", ["(a  # this or that\n and b)"]),
        ("(a  # \u00e9t\u00e9\n + b)", ["(a  # \u00e9t\u00e9\n - b)"]),
        ("x + 0j", ["x + (1+0j)"]),
        ("x - 0j", ["x + 0j", "x - (1+0j)"]),
        ("np.where(a, b + c, np.where(a, 1, x))", ["np.where(a, b - c, np.where(a, 1, x))"]),
        ("np.where(a, np.log(np.where(a, x + y, 1)), z)", ["np.where(a, np.log(np.where(a, x - y, 1)), z)"]),
        ("np.where(a, np.where(a, 1, x), y)", ["np.where(a, np.where(a, 2, x), y)"]),
        ("np.where(a, y, np.where(b, 1, x))", ["np.where(a, y, np.where(b, 2, x))"]),
        ("np.where(a, y, np.sum(np.where(a, 1, x)))", ["np.where(a, y, np.sum(np.where(a, 2, x)))"]),
        ("X = A | B\nisinstance(x, X)", ["X = A \nisinstance(x, X)"]),
        ("X = A | B\n@f\ndef g(x: X): ...", ["X = A \n@f\ndef g(x: X): ..."]),
        ("X = A | B", ["X = A "]),
        ("def f(x, n=1):\n    return n", ["def f(x, n=2):\n    return n"]),
        ("class A:\n    n: int = 1", ["class A:\n    n: int = 2"]),
        ("class _A:\n    n: int = 1\na.n", ["class _A:\n    n: int = 2\na.n"]),
    ],
)
def test_mistakes(right, wrong):
    """Each operator, comparison, sign, constant, `not`, and call that can be dropped, makes one."""
    assert mistakes(right) == wrong


@pytest.mark.parametrize(
    "source",
    [
        "def f(x: int | None) -> int | None: ...",
        "x: int | None",
        'f"{x + 1}"',
        "zip(x, y, strict=True)",
        "@dataclass(frozen=True, slots=True)\nclass A: ...",
        "X = A | B\ndef f(x: X) -> X:\n    y: X = x",
        "X: TypeAlias = A | list[B | C]\ndef f(*x: X): ...",
        "if TYPE_CHECKING:\n    x = 1",
        "@overload\ndef f(x=1): ...",
        "class A(Protocol[P]):\n    def f(self, x=1): ...",
        "if x:  # pragma: no cover - there is no x\n    y = 1",
        "y = 1  # pragma: no cover - there is no y",
        "class A:  # pragma: no cover - nobody has one\n    y = 1",
        "T_co = TypeVar('T_co', covariant=True)",
        "def f(x, flag=False, *, n=-1):\n    return x",
        "is_scipy_since(1, 18)",
        "class _A:\n    x: int\n    n: int = 1",
        '"""1 + 1"""',
    ],
)
def test_nothing_to_mistake(source):
    """Annotations, messages and what no test reaches are left alone."""
    assert mistakes(source) == []


@pytest.mark.parametrize(
    ("source", "elsewhere"),
    [
        ("if is_lazy(x):\n    -a\nelse:\n    -b", ["if is_lazy(x):\n    -a\nelse:\n    (b)"]),
        ("-a if is_untraced_lazy(x) else b", []),
        ("if is_lazy(x) and y:\n    -a", ["if is_lazy(x) or y:\n    -a"]),
        ("def f_rrule(f, x: LazyOperand):\n    return -x", []),
        (
            "def f(x):\n    if not is_lazy(x):\n        return -y\n    return -x",
            [
                "def f(x):\n    if (is_lazy(x)):\n        return -y\n    return -x",
                "def f(x):\n    if not is_lazy(x):\n        return (y)\n    return -x",
            ],
        ),
        ("def _of_lazy(x):\n    return -x", []),
    ],
)
def test_what_needs_dask(source, elsewhere, monkeypatch):
    """What only an array of Dask reaches is left alone where Dask is not installed."""
    monkeypatch.setattr("tests.mutants.spared.DASK_IS_INSTALLED", False)
    assert mistakes(source) == elsewhere

    monkeypatch.setattr("tests.mutants.spared.DASK_IS_INSTALLED", True)
    assert len(mistakes(source)) == len(elsewhere) + 1


@pytest.mark.parametrize("source", ["if is_lazy(x) or y:\n    -a", "def _lazywhere(x):\n    return -x"])
def test_what_does_not_need_dask(source, monkeypatch):
    """What other arrays may reach is not left alone."""
    monkeypatch.setattr("tests.mutants.spared.DASK_IS_INSTALLED", False)
    assert any("-" not in mistake for mistake in mistakes(source))


def test_columns_count_bytes():
    """Letters that are not ASCII do not move what is replaced."""
    assert mistakes("f = lambda Ω, x: 'é' + Ω") == ["f = lambda Ω, x: 'é' - Ω"]


def test_change_and_diff():
    """A mistake is shown by its lines, with and without it."""
    (mutant,) = mutants("module.py", b"x = 2\ndef f(a):\n    return (a\n        + x)\n"[6:])

    assert mutant.change == ("+ x)", "- x)")
    assert mutant.diff == (
        "--- module.py\n+++ module.py\n@@ -2,2 +2,2 @@\n     return (a\n-        + x)\n+        - x)\n"
    )


@pytest.mark.at_length
def test_mistakes_of_the_packages_are_programs():
    """Python can read each file of the packages with any mistake."""
    drawn = all_mutants()[::50]

    assert len(drawn) > 100
    for mutant in drawn:
        assert ast.dump(ast.parse(mutant.mutated)) != ast.dump(ast.parse(mutant.source))


@pytest.mark.parametrize("entry", equivalent(), ids=lambda entry: f"{entry['path']}: {entry['mutant']}")
def test_equivalent_mutants_are_needed(entry):
    """The list of mistakes that change nothing names only mistakes that are made, with a reason."""
    changes = [mutant.change for mutant in mutants(entry["path"], (ROOT / entry["path"]).read_bytes())]

    assert (entry["code"], entry["mutant"]) in changes
    assert len(entry["why"]) > 20
    assert set(entry) == {"path", "code", "mutant", "why"}
