"""What NumPy tells about itself and its memory."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_declared, check_quickly, normal


@pytest.mark.parametrize(
    "call",
    [(np.get_include,), (np.show_config, "dicts"), (np.show_runtime,), (np.info, np.sin)],
    ids=lambda call: call[0].__name__,
)
def test_installation(call):
    """Text and printing have no derivative."""
    check_declared(*call)


@pytest.mark.parametrize("f", [np.shares_memory, np.may_share_memory], ids=lambda f: f.__name__)
def test_shared_memory(f):
    """Whether memory is shared is a truth value, without a derivative."""
    check_quickly(f, normal(3), normal(3))


def test_buffers():
    """Their size is read, and set as it was."""
    check_declared(np.getbufsize)
    check_declared(np.setbufsize, np.getbufsize())
