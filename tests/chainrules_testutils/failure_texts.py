"""Texts of failures, with every number in them replaced: to be compared with what is written down."""

import os
import re
from pathlib import Path

import pytest

from chainrules_testutils import RuleTestError

_FOLDER = Path(__file__).parent
_DECIMAL = re.compile(r"(?<![\w.])-?(\d+\.\d*(e[-+]?\d+)?|\d+e[-+]?\d+)j?")


def pinned(error):
    """The message of an error without what differs between machines: digits, places and addresses."""
    text = re.sub(r"^rule: .*", "rule: FILE:LINE", str(error), flags=re.MULTILINE)
    text = re.sub(r"\(\S+\.py:\d+\)", "(FILE:LINE)", text)
    text = re.sub(r"<module .*", "<module>", text)
    text = re.sub(r"index \([\d, ]*\)", "index (#)", text)
    return "\n".join(line if "hint:" in line else _without_decimals(line) for line in text.split("\n"))


def _without_decimals(line):
    return re.sub(r"\(#[-+]#\)", "#", re.sub(r"(?<=#)[-+]?\d+\.\d*j", "+#", _DECIMAL.sub("#", line)))


def written(mode):
    """The texts that are written down for a mode, by the name of the rule."""
    sections = _file(mode).read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text.rstrip("\n") for name, _, text in (part.partition("\n") for part in sections)}


def raised(tester, mode, wrong):
    """The texts of what a tester raises for wrong rules; written down if `WRITE_FAILURE_TEXTS` is set.

    Read the difference before it is committed: this is what users see.
    """
    texts = {}
    for parameters in wrong:
        rule, f, args, _ = parameters.values
        for state in rule.__defaults__ or ():
            state.clear()  # what a rule that is wrong to keep it has kept from other tests
        with pytest.raises(RuleTestError) as caught:
            tester(f, *args, **{f"{mode}_f": rule})
        texts[parameters.id] = pinned(caught.value)
    if os.environ.get("WRITE_FAILURE_TEXTS"):
        _write(texts, mode)
    return texts


def _write(texts, mode):
    lines = [f"=== {name}\n{text}\n" for name, text in texts.items()]
    _file(mode).write_text("\n".join(lines), encoding="utf-8")


def _file(mode):
    return _FOLDER / f"failure_texts_of_{mode}s.txt"
