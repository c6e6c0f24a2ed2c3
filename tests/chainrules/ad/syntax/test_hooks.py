"""Hooks are known by their placeholders, and stand where an expression stands."""

import ast

import chainrules.ad  # noqa: F401 - it has all hooks
from chainrules.ad.syntax.hooks import HOOKS, hook, hooked, placeholder, registered
from chainrules.ad.syntax.operators import BINARY, COMPARISONS, MEMBERSHIP, UNARY


def test_every_hook_that_is_spoken_of_is_there():
    """Rewritten code would call text otherwise."""
    names = {"call", "attribute", "getitem", "slice", "iter", "with", "truth", "is", "is instance", "out"}
    names |= {"text", "as text", "evaluated", "unpack", "set of"}
    for table in (BINARY, UNARY, COMPARISONS, MEMBERSHIP):
        names.update(table.values())
    names |= {f"new {name}" for name in ("call", "getitem", *BINARY.values(), *UNARY.values())}
    kinds = ("", " item", " attribute")
    names |= {"set item", "set attribute"} | {f"i{name}{kind}" for name in BINARY.values() for kind in kinds}

    assert {placeholder(name) for name in names} == set(HOOKS)


def test_registering():
    """The function is returned as it is."""
    try:
        f = hook("of this test")(len)
        assert f is len
        assert registered("of this test") is len
    finally:
        del HOOKS[placeholder("of this test")]


def test_places():
    """That of the first argument, or another."""
    total = ast.parse("a + b", mode="eval").body

    assert hooked("call", total.left, total.right).col_offset == 0
    assert hooked("call", total.left, total.right, at=total.right).func.col_offset == 4
