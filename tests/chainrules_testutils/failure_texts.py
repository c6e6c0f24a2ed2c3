"""Texts of failures, with every number in them replaced: to be compared with what is written down."""

import re
from pathlib import Path

WRITTEN = Path(__file__).with_name("failure_texts.txt")
_DECIMAL = re.compile(r"(?<![\w.])-?(\d+\.\d*(e[-+]?\d+)?|\d+e[-+]?\d+)j?")


def pinned(error):
    """The message of an error without what differs between machines: digits, places and addresses."""
    text = re.sub(r"^rule: .*", "rule: FILE:LINE", str(error), flags=re.MULTILINE)
    text = re.sub(r"<module .*", "<module>", text)
    text = re.sub(r"index \([\d, ]*\)", "index (#)", text)
    return "\n".join(line if "hint:" in line else _without_decimals(line) for line in text.split("\n"))


def _without_decimals(line):
    return re.sub(r"\(#[-+]#\)", "#", re.sub(r"(?<=#)[-+]?\d+\.\d*j", "+#", _DECIMAL.sub("#", line)))


def written():
    """The texts that are written down, by the name of the rule."""
    sections = WRITTEN.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text.rstrip("\n") for name, _, text in (part.partition("\n") for part in sections)}


def write(texts):
    """Write texts down. Read the difference before it is committed: this is what users see."""
    lines = [f"=== {name}\n{text}\n" for name, text in texts.items()]
    WRITTEN.write_text("\n".join(lines), encoding="utf-8")
