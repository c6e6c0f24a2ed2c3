"""Which classes have special methods that are entered."""

import pytest

from chainrules.ad.interception.choosing import ordinary_classes
from chainrules.ad.interception.choosing.ordinary_classes import is_ordinary, special_method
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values import memory
from tests.chainrules.ad.interception.special_classes import Copied, Items


@pytest.mark.parametrize(("cls", "name"), [(Copied, "__deepcopy__"), (Items, "__getitem__")])
def test_special_classes(cls, name):
    """They define a method in Python; classes in C do not."""
    assert not is_ordinary(cls)
    assert special_method(cls, name) is vars(cls)[name]
    assert is_ordinary(list)
    assert special_method(list, name) is None


def test_how_many_classes_are_remembered(monkeypatch):
    """So many; the classes of traced values always are."""
    monkeypatch.setattr(memory, "MOST", 1)
    monkeypatch.setattr(ordinary_classes, "ORDINARY", dict.fromkeys(TRACED))
    sizes = []
    for _ in range(4):
        is_ordinary(type("Made", (), {}))
        sizes.append(len(ordinary_classes.ORDINARY) - len(TRACED))
    assert sizes == [1, 1, 1, 1]
    assert set(ordinary_classes.ORDINARY) >= TRACED
