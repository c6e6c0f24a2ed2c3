"""The table that says which file has the rules of which callees."""

import subprocess
import sys
from pathlib import Path

import pytest

import chainrules
from chainrules.rulesets.contents import CONTENTS

ROOT = Path(chainrules.__file__).parent.parent


def run(program, *options):
    """Run a program in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, *options, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )


LOADING = """
import docs.rule_files, gc, plum, sys
import scipy.sparse.linalg, scipy.spatial, chainrules.ad, chainrules.values.spatial_objects
import chainrules_core.backends as backends
from pathlib import Path
for path in sorted(Path("chainrules/operations").glob("[!_]*.py")):
    __import__(f"chainrules.operations.{path.stem}")

def extended():
    functions = [f for f in gc.get_objects() if type(f) is plum.Function]
    return {f.__name__: len(f.methods) for f in functions}, len(backends._backends_by_name)

before = extended()
sys.argv.append("--check")
differs = docs.rule_files.main()
print(before == extended(), len(before[0]) > 3, file=sys.stderr)
sys.exit(differs)
"""


@pytest.fixture(scope="module")
def loaded():
    """A process that has loaded every file, and compared the table with what they register."""
    return run(LOADING, "-W", "error")


def test_is_what_the_files_register(loaded):
    """Each file loads without a warning, and is named with its callees; `make contents` mends it."""
    assert loaded.returncode == 0, f"run `make contents`\n{loaded.stdout}{loaded.stderr}"


def test_every_file_is_there():
    """Each file of rules stands in the table once, below a module that its folder names."""
    files = [file for files in CONTENTS.values() for file in files]
    rulesets = Path(chainrules.__file__).parent / "rulesets"
    on_disk = {
        ".".join(path.relative_to(rulesets).with_suffix("").parts)
        for path in rulesets.rglob("*.py")
        if path.name not in {"__init__.py", "contents.py"}
    }
    on_disk -= {"dask.array"}  # named beside the table, which is written where Dask need not be
    assert len(files) == len(set(files))
    assert set(files) == on_disk


def test_files_of_rules_hold_nothing_else(loaded):
    """What is imported only when its callees are called must not extend functions that are not looked up."""
    assert loaded.stderr == "True True\n"


PROGRAM = """
import sys
import numpy as np, {modules}
from chainrules.ad import grad
A, x = np.ones((3, 3)), np.ones(3)
grad(lambda x: np.sum(np.tanh(A @ x) * np.exp(-x)) + np.linalg.norm(x))(x)
print(sorted(name for name in sys.modules if name.startswith("chainrules.rulesets.")))
"""


def test_a_program_imports_the_rules_of_what_it_calls():
    """Few files are imported for a program of five functions, and no more where other targets are in use."""
    few = run(PROGRAM.format(modules="sys")).stdout
    others = "scipy.sparse.linalg, chainrules_core.structured, numpy.fft, numpy.polynomial, statistics, cmath"
    assert run(PROGRAM.format(modules=others)).stdout == few
    assert few.count("chainrules.rulesets.") < 25


@pytest.mark.parametrize(
    "call",
    [
        "rrule(np.abs, -1.0)",
        "rrule(np.add.reduce, np.ones(3))",
        "rrule(np.ndarray.sum, np.ones(3))",
        "rrule(ADConfig(), functools.partial(np.vdot, np.ones(3)), np.ones(3))",
        "rrule(operator.itemgetter(1), (1.0, 2.0))",
        "rrule(ADConfig(), np.vectorize(math.sin), np.ones(3))",
        "rrule(np.random.normal, 1.0)",
        "rrule(np.polynomial.Polynomial([1.0, 2.0]), 1.0)",
        "rrule(type('P', (np.polynomial.Polynomial,), {}), [1.0, 2.0])",
        "rrule(ADConfig(), operator.neg, np.polynomial.Polynomial([1.0]))",
        "rrule(statistics.NormalDist, 1.0, 2.0)",
        "rrule(operator.mul, statistics.NormalDist(), 2.0)",
        "rrule(np.sin, Diagonal(np.ones(3)))",
        "rrule(np.sum, type('D', (Diagonal,), {})(np.ones(3)))",
        "rrule(np.sin, scipy.sparse.eye_array(3, format='csr'))",
        "rrule(operator.matmul, scipy.sparse.eye_array(3, format='csr'), np.ones(3))",
        "rrule(scipy.sparse.csr_array.sum, scipy.sparse.eye_array(3, format='csr'))",
        "rrule.find(open, 'x')",
        "rrule.find(help)",
        "frule((NoTangent(), 1.0), math.exp, 1.0)",
        "derivatives_given_output(math.tanh(1.0), np.tanh, 1.0)",
    ],
)
def test_first_lookups(call):
    """The first lookup in a process finds the rule, whatever the callee is and however it is reached."""
    program = f"""
import functools, math, operator, statistics
import numpy as np, numpy.polynomial, scipy.sparse
from chainrules.ad import ADConfig
from chainrules_core import *
from chainrules_core.structured import Diagonal
print({call} is not None)
"""
    finished = run(program, "-W", "error")
    assert (finished.stdout, finished.stderr) == ("True\n", "")


@pytest.mark.at_length
def test_both_orders_know_the_same_rules():
    """All rules are listed, and those of one callee, whether its files were imported alone before or not."""
    program = """
import numpy as np, scipy.sparse.linalg, chainrules_core.structured, chainrules
from chainrules_core import frule, rrule
{first}
print(len(rrule.methods()), len(frule.methods()), len(rrule.callees()))
print(sorted(map(repr, rrule.methods(np.sum))), sorted(map(repr, frule.methods(np.exp))))
"""
    first = "rrule(np.sum, np.ones(2)); rrule(np.exp, 1.0); rrule.methods(np.exp)"
    assert run(program.format(first=first)).stdout == run(program.format(first="")).stdout
