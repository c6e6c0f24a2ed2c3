"""Python as ``python -m pytest`` starts it, but forked from a process that has imported what the tests need.

It has none of what the process of the tests itself has imported and registered. A start takes a tenth of a
second, where an interpreter of its own imports for a whole one.
"""

import atexit
import json
import os
import runpy
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def _forking():
    """The process that forks, until this one ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", __file__]  # beside this file are folders with the names of our packages
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.communicate)
    return process


def run_module(name, *arguments, folder, **environment):
    """What ``python -m name arguments`` is when it has finished, run in a folder.

    Parameters
    ----------
    name, *arguments
        The module, and what it finds in `sys.argv`.
    folder
        Where it runs, and what it finds first in `sys.path`.
    **environment
        Variables, beside those that this process has.
    """
    process = _forking()
    with tempfile.TemporaryDirectory() as output:
        request = {
            "arguments": [name, *map(str, arguments)],
            "folder": str(folder),
            "environment": {**os.environ, **environment},
            "outputs": [f"{output}/stdout", f"{output}/stderr"],
        }
        print(json.dumps(request), file=process.stdin, flush=True)
        status = int(process.stdout.readline())
        outputs = [Path(path).read_text("utf-8") for path in request["outputs"]]
    return subprocess.CompletedProcess(request["arguments"], status, *outputs)


def _main():
    """Fork for each request, and answer with the exit status."""
    import pytest  # noqa: F401, PLC0415 - likewise

    import chainrules_testutils  # noqa: F401, PLC0415 - forks need not import it

    for line in sys.stdin:
        process = os.fork()
        if not process:
            _become(**json.loads(line))
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(arguments, folder, environment, outputs):
    """Run a module to its end, which ends this process."""
    for descriptor, path in enumerate([os.devnull, *outputs]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [folder, *paths, *(path for path in sys.path if path not in paths)]
    sys.argv[1:] = arguments[1:]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    _main()
