"""The one run of a program that the tests of a module look at."""

import pytest

from tests.examples.programs import is_picture, run_program


@pytest.fixture(scope="module")
def printed(request, tmp_path_factory):
    """What the program of the module prints, which names the picture that it has saved."""
    pytest.importorskip("matplotlib")
    name = request.module.__name__.rpartition(".test_")[2]
    folder = tmp_path_factory.mktemp("output")
    text = run_program(name, folder, *getattr(request.module, "ARGUMENTS", ()))
    assert f"{folder / name}.png" in text
    assert is_picture(folder / f"{name}.png")
    return text
