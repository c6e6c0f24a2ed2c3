"""What stands at a place of a program, as messages speak of it."""

import pytest

from chainrules.ad.syntax.program_text import expression_in


@pytest.mark.parametrize(
    ("text", "kind", "name", "parts"),
    [
        ("a", "name", "a", []),
        ("a.b.c", "attribute", "c", ["a.b"]),
        ("a.b[i]", "item", None, ["a.b", "i"]),
        ("f.g(x, [y])", "call", None, ["f.g"]),
        ("'%s' % a", "remainder", None, []),
        ("2.5", "constant", 2.5, []),
        ("a + b", "", None, []),
        ("a[i] += x", "item", None, ["a", "i"]),
    ],
)
def test_expressions(text, kind, name, parts):
    """Its kind, its name and its parts; of an augmented assignment, those of its target."""
    found = expression_in(text)
    assert (found.kind, found.name, [part.text for part in found.parts]) == (kind, name, parts)


def test_calls():
    """How a rule would be called, and whether a list is given."""
    found = expression_in("f.g(x, [y], k=1)")
    assert (found.by_rule, found.has_list) == ("call(f.g, x, [y], k=1)", True)
    assert not expression_in("f(x)").has_list


@pytest.mark.parametrize("text", ["return a", "a = b", "for", ""])
def test_other_statements(text):
    """They are no expressions."""
    assert expression_in(text) is None or text == ""
