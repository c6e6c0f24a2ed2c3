"""From the option `oracle=` of a tester to the oracle."""

from collections.abc import Callable
from typing import Any

from chainrules_core import describe_callee, unwrap_primitive
from chainrules_testutils.advice.report import short
from chainrules_testutils.oracles.framework import Framework
from chainrules_testutils.oracles.jax import Jax
from chainrules_testutils.oracles.names import public_name, resolved
from chainrules_testutils.oracles.oracle import Oracle
from chainrules_testutils.oracles.torch import Torch

FRAMEWORKS: dict[str, Callable[[], Framework]] = {"jax": Jax, "torch": Torch}
_FORMS = 'It is "jax", "torch", a function of one of these, or a pair such as ("jax", function).'


def find_oracle(oracle: Any, f: Any) -> Oracle | None:
    """The oracle that a tester was asked for; `None` if it was not.

    Parameters
    ----------
    oracle
        The name of a framework, whose counterpart of `f` is found by the dotted name of `f`; or that
        counterpart itself, alone or after the name in a pair; or an `Oracle`; or `None`.
    f
        The function that is tested.

    Raises
    ------
    ModuleNotFoundError
        If the framework is not installed.
    LookupError
        If the framework has no counterpart that is known.
    TypeError
        If `oracle` is none of these, or a function of neither framework.
    ValueError
        If no framework has this name.
    """
    if oracle is None or isinstance(oracle, Oracle):
        return oracle
    if isinstance(oracle, str):
        return _by_name(_framework(oracle), f)
    function = oracle[-1] if isinstance(oracle, tuple) and len(oracle) == 2 else oracle
    if not callable(function):
        raise TypeError(f"oracle={short(oracle)} is no oracle. {_FORMS}")
    return Oracle(_framework(_owner(function) if function is oracle else oracle[0]), function)


def _by_name(framework: Framework, f: Any) -> Oracle:
    name, f = public_name(f), unwrap_primitive(f)
    # A function of somebody else's may have the same name.
    function = framework.counterpart(name) if resolved(name) == f else None
    if function is None:
        raise LookupError(
            f'oracle="{framework.name}": no function of {framework.name} is known to compute '
            f'{describe_callee(f)}. Give yours: oracle=("{framework.name}", function).'
        )
    return Oracle(framework, function)


def _framework(name: Any) -> Framework:
    if name not in FRAMEWORKS:
        raise ValueError(f"oracle: there is no framework {name!r}. {_FORMS}")
    try:
        return FRAMEWORKS[name]()
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'oracle="{name}" compares with {name}, which is not installed: pip install {name}'
        ) from error


def _owner(function: Callable[..., Any]) -> str:
    """The framework whose module a function is from."""
    module = getattr(function, "__module__", None)
    owner = module.partition(".")[0] if isinstance(module, str) else ""
    if owner not in FRAMEWORKS:
        raise TypeError(
            f"oracle={describe_callee(function)} is a function of no framework that is known. Say whose "
            'arrays it takes: oracle=("jax", function).'
        )
    return owner
