"""Saved programs: modules that need NumPy and nothing of ours."""

import importlib.util
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.running import difference_between

X = np.array([0.3, -1.2, 2.1, 0.7])
MATRIX = np.random.default_rng(0).normal(size=(8, 4))
CUBE = np.moveaxis(np.arange(24.0).reshape(2, 3, 4), 0, 1).copy("K")


def loaded(path):
    """The function of a saved module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, path.stem)


def saved(f, folder, *args, **kwargs):
    """The function that is saved and loaded again."""
    path = folder / "program_of_test.py"
    compiled(f).save(path, *args, **kwargs)
    return loaded(path)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.mean((x - 1.0) ** 2),
        lambda x: np.sum(np.tanh(MATRIX @ x)),
        lambda x: np.sum(CUBE @ x),
        lambda x: np.sum(erf(x)) + np.fft.fft(x).real[0],
        lambda x: np.trace(np.linalg.inv(np.diag(x) + 9.0 * np.eye(4))),
        lambda x: np.real(np.sum(np.exp(1j * x) * x)) * np.float32(0.1),
        lambda x: np.linalg.svd(np.outer(x, x) + MATRIX[:4])[1][0],
        lambda x: np.sum(x[x > -5.0]) if x.all() else 0.0,
    ],
    ids=range(8),
)
def test_gradients(f, tmp_path):
    """The same as those of the function, at other points."""
    gradient = saved(value_and_grad(f), tmp_path, X)
    for x in (X, X[::-1], X * 0.5, np.repeat(X, 2)[::2]):
        assert difference_between(gradient(x), value_and_grad(f)(x)) is None


def test_arguments_of_all_kinds(tmp_path):
    """Containers, flags, keywords, numbers, arrays in the order of Fortran; others are refused."""

    def loss(p, power, x, *rest, scale=1.0, name="w", **more):
        return (
            np.sum(p[name][0] ** power @ x) * scale + p["s"][1] * rest[0] + np.sum(rest[1]) + more["c"].real
        )

    args = {"w": [np.eye(4) * X, X], "s": (np.float32(2.0), 3.0)}, 2, np.asfortranarray(np.eye(4)), 1.5, X
    f = saved(loss, tmp_path, *args, scale=2.0, c=1.0 + 2.0j)
    assert f(*args, scale=3.0, c=2.0j) == loss(*args, scale=3.0, c=2.0j)
    p, power, x, *rest = args
    others = [
        ((p, 3, x, *rest), {}), ((p, 2.0, x, *rest), {}), ((p, 2, x[:3], *rest), {}),
        (({**p, "t": 1}, 2, x, *rest), {}), (({**p, "s": [*p["s"]]}, 2, x, *rest), {}),
        ((p, power, x.astype(np.float32), *rest), {}), ((p, power, x, 1.5, [*X]), {}),
        ((p, power, x, 1, X), {}), ((p, power, x, 1.5, p["w"][1].view()), {"scale": 1}),
        ((dict(reversed(p.items())), power, x, *rest), {}),
    ]  # fmt: skip
    for other, keywords in others:
        with pytest.raises(TypeError, match=r"recorded for \(p: \{'w': \[float64\[4, 4\], float64\[4\]\]"):
            f(*other, **{"scale": 2.0, "c": 1j, **keywords})
    with pytest.raises(TypeError, match="positional"):
        f(*args, 2.0, 1j)


def test_flags_in_keys(tmp_path):
    """They are equal to whole numbers, and are told from them."""
    f = lambda x: sum([v * (1.0 if isinstance(key[0], bool) else 2.0) for key, v in x.items()])  # noqa: E731 - as users write them
    program = saved(f, tmp_path, {(1,): 2.0})
    assert program({(1,): 3.0}) == 6.0
    with pytest.raises(TypeError, match="recorded for"):
        program({(True,): 3.0})


def test_an_array_that_is_given_twice(tmp_path):
    """Programs ask whether two arrays are one, so that each kind of call is saved for itself."""
    f = lambda x, y: np.sum(x * x) if x is y else np.sum(x * y)  # noqa: E731 - as users write them
    one, two = saved(f, tmp_path, X, X), saved(f, tmp_path, X, X.copy())
    assert one(*[2 * X] * 2) == f(*[2 * X] * 2)
    assert two(X, 2 * X) == f(X, 2 * X)
    for g, args in ((one, (X, 2 * X)), (two, (X, X))):
        with pytest.raises(TypeError, match="given twice"):
            g(*args)
    number = 1.0  # one object, but two numbers
    assert saved(lambda a, b: a * b, tmp_path, number, number)(2.0, 3.0) == 6.0


def test_decisions(tmp_path):
    """A value for which the function decides otherwise is an error."""
    f = saved(grad(lambda x: np.sum(x * x) if x[0] > 0 else np.sum(x)), tmp_path, X)
    np.testing.assert_array_equal(f(2 * X), 4 * X)
    with pytest.raises(ValueError, match=r"program_of_test was recorded for \(x: float64\[4\]\) with values"):
        f(-X)


def test_results_belong_to_the_caller(tmp_path):
    """Constants are not given away, neither those in the text nor those beside it."""
    f = saved(lambda x: (X, MATRIX, x), tmp_path, X)
    x = X.copy()
    for _ in range(2):
        y = f(x)
        for part, is_now in zip(y, (X, MATRIX, X), strict=True):
            np.testing.assert_array_equal(part, is_now)
            part.__iadd__(1.0)


def test_in_a_process_without_us(tmp_path):
    """It needs NumPy alone, and reads its constants relative to itself when it is first called."""
    gradient = compiled(grad(lambda x: np.sum(np.logaddexp(0.0, MATRIX @ x))))
    gradient.save(tmp_path / "gradient.py", X)
    folder = tmp_path / "moved"
    folder.mkdir()
    for name in ("gradient.py", "gradient.npz"):
        (tmp_path / name).rename(folder / name)
    (folder / "x").write_bytes(pickle.dumps(X * 2))
    code = (
        "import sys, pickle; sys.modules.update(chainrules=None, chainrules_core=None)\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        f"from gradient import gradient\nx = pickle.load(open({str(folder / 'x')!r}, 'rb'))\n"
        "print(gradient(x).tolist())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/"
    )
    np.testing.assert_array_equal(eval(printed.stdout), gradient(2 * X))


def test_files_that_do_not_belong_together(tmp_path):
    """Constants of another program are refused, and those of the same name are replaced."""
    for matrix in (MATRIX, 2 * MATRIX):
        compiled(lambda x, m=matrix: np.sum(m @ x)).save(tmp_path / "one.py", X)
        assert loaded(tmp_path / "one.py")(X) == np.sum(matrix @ X)
    compiled(lambda x: np.sum(MATRIX @ x)).save(tmp_path / "other.py", X)
    (tmp_path / "other.npz").replace(tmp_path / "one.npz")
    with pytest.raises(ValueError, match=r"one\.npz and one\.py were not saved together"):
        loaded(tmp_path / "one.py")(X)
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["one.npz", "one.py", "other.py"]


def test_what_cannot_be_saved(tmp_path):
    """Programs that are not recorded, and names that are taken."""
    with pytest.raises(CompilationError, match="it calls `print`"):
        compiled(lambda x: print(x)).save(tmp_path / "printed.py", X)
    with pytest.raises(CompilationError, match="`erf`"):
        compiled(lambda x: erf(x)).save(tmp_path / "erf.py", X)
    with pytest.raises(CompilationError, match="clongdouble"):
        compiled(lambda x: x * np.clongdouble(1j)).save(tmp_path / "long.py", X)
    for name in ("gradient.txt", "class.py", "a-b.py"):
        with pytest.raises(ValueError, match=r"is called `name\.py`"):
            compiled(np.sum).save(tmp_path / name, X)
    assert list(tmp_path.iterdir()) == []


def test_searches(tmp_path):
    """They call functions of the user's, of which a saved program has no text."""
    f = compiled(lambda p: quad(lambda t: p * t, 0.0, 1.0)[0])
    with pytest.raises(CompilationError, match=r"a search, `quad.*which calls functions"):
        f.save(tmp_path / "f.py", 0.7)
