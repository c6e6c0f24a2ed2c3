"""What importing costs, in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import Row

_SAMPLES = 9
_PROGRAM = """
import time
{before}
start = time.perf_counter()
{timed}
print(time.perf_counter() - start)
"""


def seconds(before: str, timed: str) -> float:
    """The time of one import statement in a fresh process, after others."""
    program = _PROGRAM.format(before=before, timed=timed)
    # What is installed has its bytecode beside it. A working tree has it after the first import, if that
    # may write it.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    finished = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return float(finished.stdout)


def rows() -> Iterator[Row]:
    """Importing the packages, beyond what they depend on."""
    numpy, core, rules = (
        min(seconds(before, timed) for _ in range(_SAMPLES))
        for before, timed in (
            ("", "import numpy"),
            ("import numpy, plum", "import chainrules_core"),
            ("import numpy, plum", "import chainrules"),
        )
    )
    yield Row("import chainrules_core, beyond numpy and plum", "import numpy", core / numpy, 0.8)
    yield Row("import chainrules, beyond numpy and plum", "import numpy", rules / numpy, 1.6)
