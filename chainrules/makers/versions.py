"""What only some of the promised versions of Python, NumPy and SciPy have, or do in another way."""

from types import ModuleType
from typing import Any

# What was asked for and is not there, as `make contents` writes it down: its table is of all versions.
absent: set[str] = set()


def present(owner: ModuleType | type, *names: str) -> tuple[Any, ...]:
    """The functions or methods of these names, without those that the installed version does not have.

    Rules for what is not there are skipped by its name, and nothing else is::

        for sumprod in present(math, "sumprod"):  # since Python 3.12
            sequence_rule(sumprod, ...)

    Parameters
    ----------
    owner
        The module or class that they belong to.
    *names
        Their names in it.
    """
    absent.update(_label(owner, name) for name in names if not hasattr(owner, name))
    return tuple(getattr(owner, name) for name in names if hasattr(owner, name))


def also_named(*names: str) -> None:
    """Note names that callees of the file have in other versions, as `make contents` writes them down.

    Parameters
    ----------
    *names
        Such as ``"erf"``; or the name of a class and ``()``, for instances of it that have no name.
    """
    absent.update(names)


def is_scipy_since(major: int, minor: int) -> bool:
    """Whether the installed SciPy is of a version or a later one, where its functions do another thing."""
    import scipy  # noqa: PLC0415 - only those who have imported it ask

    return tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (major, minor)


def _label(owner: ModuleType | type, name: str) -> str:
    return f"{owner.__name__}.{name}" if isinstance(owner, type) else name
