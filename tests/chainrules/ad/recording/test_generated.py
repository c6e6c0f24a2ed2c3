"""Generated code is compiled once for each text."""

from chainrules.ad.recording import generated
from chainrules.ad.recording.generated import code_of


def test_code_of_a_text(monkeypatch):
    """Each function has its own code and names, from one compilation."""
    source = "def f():\n    return shared_text\n"
    first, second = {"shared_text": 1}, {"shared_text": 2}
    exec(code_of(source, "<text>"), first)  # noqa: S102 - that is tested
    monkeypatch.setattr(generated, "compile", None, raising=False)
    exec(code_of(source, "<text>"), second)  # noqa: S102 - that is tested
    assert (first["f"](), second["f"]()) == (1, 2)
    assert first["f"].__code__ is not second["f"].__code__


def test_long_texts_are_not_kept():
    """There may be thousands."""
    texts = [f"{'#' * 20_000}\nx = {i}" for i in (1, 1)]
    first, second = [code_of(text, "<text>") for text in texts]
    assert first == second
    assert generated._compiled.__wrapped__ is generated._compiled_anew
