"""Recorded values: they stand for numbers and arrays below the engine, and write down what is done with them.

A recorded value is no traced value. It says by ``__class__`` that it is what it stands for, so that rules
and the engine take it for a plain array. Code in C looks at the type, finds a foreign object, and has to
ask: by ``__array__``, ``__float__``, ``__bool__``, ``__index__``. Each of these is a guard or a refusal, so
that nothing is read in silence. It must never be a subclass of an array or number, nor offer a buffer, which
C code reads through.
"""

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_inputs import before_writing
from chainrules.ad.recording.layouts import asked_of_memory
from chainrules.ad.recording.regular import METHODS_THAT_WRITE, QUESTIONS, writes_into
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import MOST_COMPARED, Step, Tape
from chainrules.ad.syntax.origins import Origin, origin_of_class
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.plain_values import ARRAYS

_OPERANDS = (int, float, complex, np.generic, np.ndarray)

# What follows from the signature, or is compared when it does not.
_OF_KIND = frozenset({"shape", "ndim", "size", "dtype", "strides", "nbytes", "itemsize", "flags"})


class LooksLikeArray(np.ndarray[Any, Any]):
    """The class that recorded arrays say they have, which is not the one that shortcuts are for."""


ARRAYS.add(LooksLikeArray)

# Of numbers, too: what is remembered for the classes themselves is not asked.
_NUMBERS: tuple[Any, ...] = (float, complex, *np.sctypeDict.values())
_LOOKS_LIKE: dict[type, type] = {
    cls: type(f"LooksLike{cls.__name__}", (cls,), {})
    for cls in _NUMBERS
    if issubclass(cls, float | complex | np.inexact)
}
_LOOKS_LIKE[np.ndarray] = LooksLikeArray
# By what they look like, the classes themselves.
STANDS_FOR = {looks: cls for cls, looks in _LOOKS_LIKE.items()}


def is_recorded(x: Any) -> bool:
    """Whether a value is recorded."""
    return type(x) is Recorded


def holds_recorded(x: Any) -> bool:
    """Whether a value is recorded, or is a built-in container that holds a recorded value."""
    cls = type(x)
    if cls is Recorded:
        return True
    if cls in (tuple, list):
        return any(map(holds_recorded, x))
    if cls is dict:
        return any(map(holds_recorded, x.values()))
    return cls is slice and any(map(holds_recorded, (x.start, x.stop, x.step)))


def recorded_in(x: Any) -> list[Any]:
    """The recorded values in an argument or a result, in their order."""
    found: list[Any] = []
    _find((x,), found)
    return found


def _find(parts: Iterable[Any], found: list[Any]) -> None:
    for x in parts:
        cls = type(x)
        if cls is Recorded:
            found.append(x)
        elif cls in _ATOMS:
            continue
        elif cls is dict:
            _find(x.values(), found)
        elif cls is slice:
            _find((x.start, x.stop, x.step), found)
        elif isinstance(x, tuple | list):
            _find(x, found)


_ATOMS = frozenset({int, float, bool, str, type(None), np.ndarray, np.float64})


def plain_arrays_in(y: Any) -> list[Any]:
    """The arrays in a result that is not recorded."""
    if isinstance(y, tuple | list):
        return [array for part in y for array in plain_arrays_in(part)]
    return [y] if isinstance(y, np.ndarray) else []


def inputs_of(step: Step) -> tuple[Any, ...]:
    """The recorded values that a step reads or writes; they are looked for once."""
    if step.inputs is None:
        found: list[Any] = []
        _find(step.args, found)
        _find(step.kwargs.values(), found)
        step.inputs = tuple(found) if step.target is None else (*found, step.target)
    return step.inputs


def _is_traced(x: Any) -> bool:
    return type(x) in TRACED


def _made_an_array(x: Any, tape: Tape) -> Any:
    """An operand that is a list, as NumPy takes it."""
    return tape.operation(np.array, (x,)) if holds_recorded(x) else np.array(x)


def _binary(f: Any, reflected: bool) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if type(other) in TRACED:
            return NotImplemented
        if other is None and f in _EQUALITY and not isinstance(self._plain, np.ndarray):
            return f is operator.ne
        if isinstance(other, (list, tuple)):
            other = _made_an_array(other, self._tape)
        if type(other) is not Recorded and not isinstance(other, _OPERANDS):
            if origin_of_class(type(other)) is Origin.ENGINE:  # zeros, thunks and the like know what to do
                return NotImplemented
            raise self._tape.refuse(f"a value meets an instance of {type(other).__name__}")
        return self._tape.operation(f, (other, self) if reflected else (self, other))

    return method


_EQUALITY = (operator.eq, operator.ne)


def _in_place(f: Any, ufunc: Any) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(self._plain, np.ndarray):
            return NotImplemented if _is_traced(other) else self._tape.operation(f, (self, other))
        other = self._written_value(other)
        return self._tape.operation(ufunc, (self, other), {"out": self}, self)

    return method


class Recorded:
    """A value that stands for a number or an array.

    Attributes
    ----------
    _plain
        The number or array; nothing outside of the recorder may read it.
    _slot
        Where it comes from.
    _tape
        Where its operations are written down.
    """

    # Its own `__class__` says what it stands for: a slot, since everybody asks.
    __slots__ = ("__class__", "__weakref__", "_plain", "_slot", "_tape")

    __array_priority__ = 500.0

    _plain: Any
    _slot: Slot | None
    _tape: Tape

    def __repr__(self) -> str:
        raise self._tape.refuse("it makes text of a value")

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        raise self._tape.refuse("it makes text of a value")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise self._tape.refuse("it pickles a value")

    # --- NumPy's protocols --------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if not TRACED.isdisjoint(map(type, inputs)):
            return NotImplemented
        f = ufunc if method == "__call__" else getattr(ufunc, method)
        if method == "at":
            return self._written(f, inputs, kwargs, inputs[0])
        out = kwargs.get("out")
        if out is None:
            return self._tape.operation(f, inputs, kwargs)
        if len(out) != 1:
            raise self._tape.refuse(f"{ufunc.__name__} writes into several arrays")
        return self._written(f, inputs, {**kwargs, "out": out[0]}, out[0])

    def __array_function__(self, function: Any, types: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
        if not TRACED.isdisjoint(types):
            return NotImplemented
        if function in QUESTIONS:
            return function(*map(self._tape.plain, args), **(self._tape.plain(kwargs) if kwargs else {}))
        if function is np.zeros:  # by `like`
            shape, *dtype = args
            return self._tape.operation(np.zeros_like, (self, *dtype), {**kwargs, "shape": shape})
        if writes_into(function):
            return self._written(function, args, kwargs, args[0])
        if kwargs.get("out") is not None:
            return self._written(function, args, kwargs, kwargs["out"])
        return self._tape.operation(function, args, kwargs)

    def _written(self, f: Any, args: tuple[Any, ...], kwargs: Any, target: Any) -> Any:
        if _is_traced(target):
            return NotImplemented
        if type(target) is not Recorded:
            raise self._tape.refuse("it writes into an array that is not recorded")
        return self._tape.operation(f, args, kwargs, target)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        y = np.array(self._plain)
        if y.dtype.kind not in "biu" or y.size > MOST_COMPARED:
            raise self._tape.refuse("code that is not recorded reads an array")
        self._tape.guard("elements", self, y)
        return y.astype(dtype) if dtype is not None else y.copy()

    # --- Decisions ----------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._tape.guard("truth", self, bool(self._plain)))

    def __index__(self) -> int:
        return int(self._tape.guard("number", self, operator.index(self._plain)))

    def __int__(self) -> int:
        if isinstance(self._plain, float | complex | np.inexact | np.ndarray):
            if not np.all(np.isfinite(self._plain)):  # an error, which the program may catch
                raise self._tape.refuse("it makes a whole number of a value that is not finite")
            return int(self._tape.guard("whole", self, int(self._plain)))  # type: ignore[arg-type]  # a number
        return self.__index__() if not isinstance(self._plain, np.bool_) else int(bool(self))

    __trunc__ = __int__

    def __float__(self) -> float:
        if isinstance(self._plain, int | np.integer):  # as where it is an index
            return float(self._tape.guard("number", self, self._plain))
        raise self._tape.refuse("code that is not recorded reads a number")

    def __complex__(self) -> complex:
        return complex(float(self))

    def __hash__(self) -> int:
        if isinstance(self._plain, np.ndarray):
            raise TypeError("unhashable type: 'numpy.ndarray'")
        if isinstance(self._plain, float | complex | np.inexact):
            raise self._tape.refuse("it hashes a number")
        return hash(self._tape.guard("number", self, self._plain))

    def __len__(self) -> int:
        return len(self._plain)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self._plain)))

    def __contains__(self, x: Any) -> bool:
        return bool(self._tape.operation(operator.contains, (self, x)))

    # --- Items and attributes -----------------------------------------------------------------------------

    def __getitem__(self, i: Any) -> Any:
        if _is_traced(i):
            raise self._tape.refuse("a recorded array is read at a traced position")
        return self._tape.operation(operator.getitem, (self, i))

    def __setitem__(self, i: Any, value: Any) -> None:
        self._tape.operation(operator.setitem, (self, i, self._written_value(value)), None, self)

    def _written_value(self, value: Any) -> Any:
        if not _is_traced(value):
            return value
        if not value._trace.is_constant:
            raise self._tape.refuse("a traced value is written into an array that is not traced")
        return plain_array(value)

    def __round__(self, digits: Any = None) -> Any:
        return self._tape.operation(round, (self, digits))

    def __copy__(self) -> Any:
        return self.copy("K") if isinstance(self._plain, np.ndarray) else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    @property
    def base(self) -> Any:
        """The recorded array that it is a view of, as the engine asks ``y.base is x`` to know views."""
        if isinstance(self._plain, np.ndarray):
            return self._tape.owner(self._plain)
        if isinstance(self._plain, np.generic):
            return None
        raise AttributeError("base")

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The transpose."""
        return self._tape.operation(np.transpose, (self,))

    @property
    def real(self) -> Any:
        """The real part."""
        return self._tape.operation(np.real, (self,))

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._tape.operation(np.imag, (self,))

    def __getattr__(self, name: str) -> Any:
        if name in _OF_KIND:
            y = getattr(self._plain, name)
            is_asked = self._tape.lies_otherwise and name in {"strides", "flags"}
            return asked_of_memory(self, name, y, inputs_of) if is_asked else y
        if name.startswith("__"):
            raise AttributeError(name)
        member = getattr(type(self._plain), name, None)
        if member is None:
            raise AttributeError(name)
        if not callable(member):
            raise self._tape.refuse(f"the attribute `{name}` of an array is read")
        return functools.partial(_call_method, self, name, member)


def _call_method(x: Recorded, name: str, member: Any, *args: Any, **kwargs: Any) -> Any:
    tape = x._tape
    if any(map(_is_traced, (*args, *kwargs.values()))):
        raise tape.refuse(f"the method `{name}` of a recorded array is given a traced value")
    if name in METHODS_THAT_WRITE:
        before_writing(x)  # a rule may have been given the array
        return tape.operation(member, (x, *args), kwargs, x)
    if kwargs.get("out") is not None or name in _UNREAD:
        raise tape.refuse(f"the method `{name}` of an array is called")
    return tape.operation(member, (x, *args), kwargs)


_UNREAD = frozenset({"tofile", "dump", "dumps", "tobytes", "tostring", "view", "getfield", "data", "ctypes"})

_BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
for _name, _ufunc in _BINARY.items():
    _f = getattr(operator, f"__{_name}__")
    setattr(Recorded, f"__{_name}__", _binary(_f, reflected=False))
    setattr(Recorded, f"__r{_name}__", _binary(_f, reflected=True))
    setattr(Recorded, f"__i{_name}__", _in_place(_f, _ufunc))
for _name in ("divmod",):
    setattr(Recorded, f"__{_name}__", _binary(divmod, reflected=False))
    setattr(Recorded, f"__r{_name}__", _binary(divmod, reflected=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Recorded, f"__{_name}__", _binary(getattr(operator, _name), reflected=False))


def _unary(f: Any) -> Callable[[Any], Any]:
    return lambda self: self._tape.operation(f, (self,))


for _name in ("neg", "pos", "abs", "invert"):
    setattr(Recorded, f"__{_name}__", _unary(getattr(operator, _name)))


def record(plain: Any, slot: Slot | None, tape: Tape) -> Recorded:
    """The recorded value that stands for a plain one."""
    x, cls = Recorded(), type(plain)
    x.__class__ = _LOOKS_LIKE.get(cls, cls)
    x._plain, x._slot, x._tape = plain, slot, tape
    return x
