"""Python's random generators; the functions of the module are methods of one of them."""

import random
from typing import Any

from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.values.facts import fact

_Random = random.Random


def _shuffle(generator: random.Random, x: Any) -> None:
    written_into(x)
    generator.shuffle(x)


fact(_Random.shuffle, writes=1, stands_for_it=_shuffle, is_not_the_same_each_time=True)
fact(_Random.choice, _Random.choices, _Random.sample, as_it_is=True, is_not_the_same_each_time=True)
fact(
    *(_Random.random, _Random.getrandbits, _Random.randbytes, _Random.randint, _Random.randrange),
    *(_Random.uniform, _Random.triangular, _Random.betavariate, _Random.expovariate, _Random.gammavariate),
    *(_Random.gauss, _Random.lognormvariate, _Random.normalvariate, _Random.vonmisesvariate),
    *(_Random.paretovariate, _Random.weibullvariate),
    is_not_the_same_each_time=True,
)
