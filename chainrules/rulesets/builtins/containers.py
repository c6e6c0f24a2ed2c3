"""Rules for builtins that make containers and iterators of the items of others.

See `chainrules.makers.rearrangements`: an iterator becomes the tuple of its items.
"""

from typing import Any

from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules.makers.rearrangements import ALL, SECOND, rearrangement


def filtered(predicate: Any, places: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(place for place in places if (predicate or bool)(place.item))


def in_order(places: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    def key_of_place(place):
        return place.item if key is None else key(place.item)

    return sorted(places, key=key_of_place, reverse=reverse)


rearrangement(tuple, tuple)
rearrangement(list, list)
rearrangement(iter, tuple)
rearrangement(reversed, lambda places: tuple(reversed(places)))
rearrangement(enumerate, lambda places, start=0: tuple(enumerate(places, start)))
rearrangement(sorted, in_order)
rearrangement(filter, filtered, SECOND)
rearrangement(zip, lambda *places, strict=False: tuple(zip(*places, strict=strict)), ALL)

refuse_mutation(next, object, "Make a tuple of the iterator, and index that.")
