"""The cost of importing, and of the first gradient, in processes of their own."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import Row, samples

_IMPORTS = """
import {numpy} as np
from {engine} import grad
"""
_ARGUMENTS = "A, x = np.ones((3, 3)), np.arange(3.0)"
_GRADIENT = "grad(lambda x: np.sum(np.tanh(A @ x) * np.exp(-x)) + np.linalg.norm(x))(x)"
# Modules that rulesets are for, or that SciPy's later rulesets will be for.
_ALL_TARGETS = (
    "cmath, random, statistics, numpy.fft, numpy.polynomial, numpy.random, scipy.sparse.linalg, "
    "scipy.special, scipy.linalg, scipy.stats, chainrules_core.structured"
)
_WITHIN = 0.1
_PROGRAM = """
import time
{before}
start = time.process_time()
{timed}
print(time.process_time() - start)
"""


def seconds(before: str, timed: str) -> float:
    """The time of the processor that one import statement takes in a fresh process, after others."""
    program = _PROGRAM.format(before=before, timed=timed)
    # Installed packages have their bytecode beside them. A working tree has it after the first import, if
    # that may write it.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    finished = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return float(finished.stdout)


def fastest_in_turns(*programs: tuple[str, str]) -> list[float]:
    """The fastest of some samples of each program, taken in turns."""
    taken = [[seconds(*program) for program in programs] for _ in range(samples(9))]
    return [min(times) for times in zip(*taken, strict=True)]


def rows() -> Iterator[Row]:
    """Importing the packages, beyond the packages that they depend on."""
    numpy, core, rules = fastest_in_turns(
        ("", "import numpy"),
        ("import numpy, plum", "import chainrules_core"),
        ("import numpy, plum", "import chainrules"),
    )
    yield Row("import chainrules_core, beyond numpy and plum", "import numpy", core / numpy, 0.8)
    yield Row("import chainrules, beyond numpy and plum", "import numpy", rules / numpy, 1.6)
    yield from _first_gradients()


def _first_gradients() -> Iterator[Row]:
    """The first gradient of five functions, whose rules it imports."""
    imports = _IMPORTS.format(numpy="numpy", engine="chainrules.ad")
    first, with_all_targets = fastest_in_turns(
        (imports + _ARGUMENTS, _GRADIENT), (f"{imports}import {_ALL_TARGETS}\n{_ARGUMENTS}", _GRADIENT)
    )
    yield Row("first gradient, beyond imports", "100 ms", first / _WITHIN, 1.0)
    yield Row("first gradient, all targets imported", "without them", with_all_targets / first, 1.2)
    if importlib.util.find_spec("autograd"):
        theirs = _IMPORTS.format(numpy="autograd.numpy", engine="autograd")
        ours, of_autograd = fastest_in_turns(
            *(
                ("import numpy", f"{all_imports}{_ARGUMENTS}\n{_GRADIENT}")
                for all_imports in (imports, theirs)
            )
        )
        yield Row("first gradient, with imports beyond numpy", "autograd", ours / of_autograd)
