"""Differentiations number themselves, and use the memory of earlier ones again."""

import os
import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from chainrules.ad import grad

W, x = np.ones((128, 128)) / 128, np.ones((128, 128))

def loss(W):
    return np.sum(np.tanh(np.tanh(np.tanh(x @ W) @ W) @ W))

def faults_of_gradients(number):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(number):
        grad(loss)(W)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults_of_gradients(20)
print(faults_of_gradients(50))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries decide by other measures")
def test_pages_are_not_asked_for_again():
    """Where the C library gives them back, a gradient asks for 32 pages for each array of 128 kB."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}

    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True
    )

    assert int(found.stdout) < 500


IMPORT = """
import chainrules, scipy.sparse, tracemalloc
tracemalloc.start()
import chainrules.ad
current, peak = tracemalloc.get_traced_memory()
assert peak - current < 2**23, peak - current
chainrules.ad.grad(lambda x: x * x)(1.0)
assert tracemalloc.get_traced_memory()[1] > 2**24
"""


@pytest.mark.at_length
def test_only_differentiations_ask_for_memory():
    """Importing the engine leaves the C library alone."""
    subprocess.run([sys.executable, "-c", IMPORT], check=True)
