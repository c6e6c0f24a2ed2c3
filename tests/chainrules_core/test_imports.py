"""What an import costs: each package brings in only what its users have asked for."""

import subprocess
import sys

import pytest

FRAMEWORKS = {"autograd", "dask", "jax", "mygrad", "pytensor", "torch"}
TEST_TOOLS = {"fdm", "hypothesis", "pytest"}


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `statement`."""
    program = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def top_level(modules: set[str]) -> set[str]:
    """The packages that `modules` belong to."""
    return {module.partition(".")[0] for module in modules}


def test_core_imports_nothing_heavy():
    """`import chainrules_core` imports neither SciPy, nor a test tool, nor a framework."""
    loaded = top_level(modules_after("import chainrules_core"))

    assert "numpy" in loaded
    assert not loaded & ({"scipy"} | TEST_TOOLS | FRAMEWORKS)


def test_chainrules_imports_no_framework():
    """`import chainrules` imports neither a test tool nor a framework."""
    loaded = top_level(modules_after("import chainrules"))

    assert "chainrules_core" in loaded
    assert not loaded & (TEST_TOOLS | FRAMEWORKS)


@pytest.mark.parametrize("package", ["chainrules", "chainrules.ad"])
def test_chainrules_imports_no_scipy_subpackage(package):
    """Neither the rules nor the engine import more of SciPy than `import scipy` would."""
    loaded = modules_after(f"import {package}") - modules_after("import scipy")

    assert not {module for module in loaded if module.startswith("scipy.")}


@pytest.mark.parametrize("package", ["chainrules_core", "chainrules", "chainrules_testutils"])
def test_import_warns_about_nothing(package):
    """No package warns when it is imported, in an interpreter where warnings are errors."""
    program = f"import warnings; warnings.simplefilter('error'); import {package}"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stderr
