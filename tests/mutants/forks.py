"""Runs tests over and over, each time in a fork of a process that has come as far as it can without a module.

``python forks.py MODULE TESTS ...`` starts pytest with these tests, and waits where `MODULE` is about to be
imported, or else where the first test is about to begin. For each line that it reads there, it forks. In the
fork pytest goes on, with whatever the file of the module holds by then; its exit status is printed. So what
comes before the module is done once: Python, pytest, NumPy, plum, other modules, often the test file. Nothing
that the module could change is done beforehand.

A line that is read says for how many seconds tests are waited for, or ``inf``. A fork that takes longer is
ended: its status is a negative number, that of a signal.

Frameworks cannot be forked. Where one was imported already, or a thread runs, the process itself goes on with
the first line that it reads, and answers by its own exit status.
"""

import contextlib
import os
import signal
import sys
import threading
from importlib.machinery import FileFinder

import fdm  # noqa: F401 - what most tests need is imported once, though their modules import it later
import numpy as np  # noqa: F401 - likewise
import plum  # noqa: F401 - likewise
import pytest

# Imported, these start threads, or warn where the process forks.
NOT_FORKED = {"dask", "distributed", "jax", "numba", "pytensor", "torch"}


class Crossroads:
    """The place where forks go their own ways: a plugin of pytest, which hears of imports too.

    Parameters
    ----------
    module
        Before its import, forks part.
    requests, answers
        Open files: the lines that are read, and those that answer.
    """

    def __init__(self, module, requests, answers):
        self.module = module
        self.requests = requests
        self.answers = answers
        self.passed = False

    def reach(self, module):
        """Wait, if this module is the one, which is about to be imported."""
        if module == self.module and not self.passed:
            self.wait()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Wait, if the module was not imported until now; the tests are left to pytest."""
        if not self.passed:
            assert self.module not in sys.modules, f"{self.module} was imported unseen"
            self.wait()

    def wait(self):
        """Return in a fork for each line; in this process, only if it cannot fork."""
        self.passed = True
        alone = NOT_FORKED & sys.modules.keys() or threading.active_count() > 1
        for line in self.requests:
            process = 0 if alone else os.fork()
            if process == 0:
                self.set_out(float(line), alone)
                return
            _, status = os.waitpid(process, 0)
            end_group(process)
            print(os.waitstatus_to_exitcode(status), file=self.answers, flush=True)
        os._exit(0)

    def set_out(self, seconds, alone):
        """Make this the process in which the tests run."""
        self.requests.close()
        self.answers.close()
        if not alone:
            os.setsid()
        if seconds < float("inf"):
            signal.setitimer(signal.ITIMER_REAL, seconds)


def end_group(process):
    """End the processes that a process has started, and itself."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def hear_of_imports(reach):
    """Call a function with the name of each module that is looked for in a folder, before it is found."""
    original = FileFinder.find_spec

    # No finder on `sys.meta_path`: that of pytest comes before it, and rewrites what it imports.
    def find_spec(finder, name, *target):
        reach(name)
        return original(finder, name, *target)

    FileFinder.find_spec = find_spec


def main():
    """Run the tests, as this process or as a fork of it."""
    module, *tests = sys.argv[1:]
    crossroads = Crossroads(module, os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    hear_of_imports(crossroads.reach)
    os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], plugins=[crossroads]))


if __name__ == "__main__":
    main()
