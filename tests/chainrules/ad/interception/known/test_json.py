"""Text that holds numbers shows the values that are carried, and is read again as text."""

import json

import pytest

from chainrules.ad import grad
from tests.chainrules.ad.while_traced import while_traced


def test_json_shows_values():
    """A report is written of what is carried."""
    assert while_traced(2.5, lambda x: json.dumps({"x": [x, 1]})) == '{"x": [2.5, 1]}'
    assert while_traced(2.5, lambda x: json.dumps({"x": 1}) + json.dumps(obj=1)) == '{"x": 1}1'
    with pytest.raises(TypeError, match="read from text"):
        grad(lambda x: json.loads(json.dumps([x]))[0] * x)(2.5)


def test_json_to_a_file(tmp_path):
    """The same."""

    def f(x):
        with (tmp_path / "a.json").open("w") as file:
            json.dump([x], file)
        return x * x

    assert grad(f)(2.5) == 5.0
    assert (tmp_path / "a.json").read_text() == "[2.5]"
