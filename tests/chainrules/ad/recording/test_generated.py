"""Generated code is compiled once for each text."""

from chainrules.ad.recording.generated import _compiled, code_of


def test_code_of_a_text():
    """Each function has its own code and names, from one compilation."""
    source = "def f():\n    return shared_text\n"
    first, second = {"shared_text": 1}, {"shared_text": 2}
    before = _compiled.cache_info().misses
    exec(code_of(source, "<text>"), first)  # noqa: S102 - that is tested
    exec(code_of(source, "<text>"), second)  # noqa: S102 - that is tested
    assert _compiled.cache_info().misses == before + 1
    assert (first["f"](), second["f"]()) == (1, 2)
    assert first["f"].__code__ is not second["f"].__code__
