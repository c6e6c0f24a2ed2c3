"""Flat functions as PyTensor's operations: the value, and by recursion all derivatives."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from pytensor.gradient import DisconnectedType, disconnected_type, grad_not_implemented
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.null_type import NullType
from pytensor.graph.op import Op
from pytensor.tensor import as_tensor_variable, cast, get_underlying_scalar_constant_value, zeros_like
from pytensor.tensor.type import TensorType

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatCall, FlatFunction, Outcome, PullbackOf, PushforwardOf
from chainrules.adapters.ownership import owned
from chainrules.adapters.pytensor.examples import Results, results_by_example
from chainrules.adapters.pytensor.identities import identity_of, with_own_copies


class FlatOp(Op):
    """A flat function as an operation: one input for each of its arrays, one output for each of its result.

    Attributes
    ----------
    function
        The flat function.
    identity
        Equal for equal operations, which PyTensor merges.
    """

    __props__ = ("identity",)

    def __init__(self, function: FlatFunction, identity: Any) -> None:
        self.function = function
        self.identity = identity

    @abstractmethod
    def types(self, inputs: Sequence[Variable]) -> list[TensorType]:
        """The types of the outputs."""

    def make_node(self, *inputs: Any) -> Apply:
        """Apply the operation to variables."""
        variables = [as_tensor_variable(x) for x in inputs]
        return Apply(self, variables, [output_type() for output_type in self.types(variables)])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: Any) -> None:
        """Compute the outputs."""
        # Copies, as a function may write into its arguments; without axes NumPy's scalars, which it cannot.
        outcome = self.function.value([np.array(x)[()] for x in inputs])
        self.check(outcome)
        ys = outcome.arrays
        for storage, y, output in zip(output_storage, owned(ys), node.outputs, strict=True):
            storage[0] = self._converted(y, output.type)

    def check(self, outcome: Outcome) -> None:
        """Refuse a result in which outputs are not where they should be."""

    def _converted(self, y: np.ndarray, expected: TensorType) -> np.ndarray:
        if y.ndim == expected.ndim and all(
            known is None or known == size for known, size in zip(expected.shape, y.shape, strict=True)
        ):
            if y.dtype == expected.dtype:
                return y
            if np.can_cast(y.dtype, expected.dtype):
                return y.astype(expected.dtype)
        raise AdapterError(
            f"{self} returned an array of shape {y.shape} and dtype {y.dtype}, and one of "
            f"{_spelled(expected)} for the random arguments by which the types of its results were found. "
            "Return as many axes and the same dtype for all arguments; let the variables have unknown sizes, "
            "if those of the result depend on values."
        )

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Which outputs have derivatives by which inputs: those of real and complex numbers, by such."""
        return [[_is_continuous(x) and _is_continuous(y) for y in node.outputs] for x in node.inputs]

    def pullback(
        self, inputs: Sequence[Variable], outputs: Sequence[Variable], cotangents: Sequence[Variable]
    ) -> list[Variable]:
        """The cotangents of the inputs, by an operation that is differentiable in its turn."""
        given = tuple(_is_given(y, y_bar) for y, y_bar in zip(outputs, cotangents, strict=True))
        wanted = tuple(place for place, x in enumerate(inputs) if x.type.dtype in _REAL)
        x_bars = [self._without_cotangent(place, x) for place, x in enumerate(inputs)]
        if any(given) and wanted:
            y_bars = _given(outputs, cotangents, given)
            found = PullbackOp(self, wanted, given)(*inputs, *y_bars, return_list=True)
            for place, x_bar in zip(wanted, found, strict=True):
                x_bars[place] = x_bar
        return x_bars

    def _without_cotangent(self, place: int, x: Variable) -> Variable:
        if not _is_continuous(x):
            return disconnected_type()
        if x.type.dtype in _REAL:
            return zeros_like(x)
        return grad_not_implemented(self, place, x, "PyTensor has no gradients by complex variables.")

    def pushforward(
        self, inputs: Sequence[Variable], outputs: Sequence[Variable], tangents: Sequence[Variable]
    ) -> list[Variable]:
        """The tangents of the outputs, by an operation that is differentiable in its turn."""
        connected = [_is_given(x, x_dot) for x, x_dot in zip(inputs, tangents, strict=True)]
        if not any(connected):
            return [disconnected_type() for _ in outputs]
        # PyTensor gives zeros for inputs that nobody differentiates by. Their derivatives may not be known.
        given = tuple(
            is_connected and not _is_zero(x_dot)
            for is_connected, x_dot in zip(connected, tangents, strict=True)
        )
        if not any(given):
            return [zeros_like(y) if _is_continuous(y) else disconnected_type() for y in outputs]
        x_dots = _given(inputs, tangents, given)
        y_dots = PushforwardOp(self, given)(*inputs, *x_dots, return_list=True)
        return [
            y_dot if _is_continuous(y) else disconnected_type()
            for y, y_dot in zip(outputs, y_dots, strict=True)
        ]

    if not hasattr(Op, "pullback"):  # the names of PyTensor 2

        def L_op(self, inputs: Any, outputs: Any, output_grads: Any) -> Any:  # noqa: N802 - as in the base class
            """As `pullback`."""
            return self.pullback(inputs, outputs, output_grads)

        def R_op(self, inputs: Any, eval_points: Any) -> Any:  # noqa: N802 - as in the base class
            """As `pushforward`, with `None` for what is disconnected."""
            tangents = [disconnected_type() if x_dot is None else x_dot for x_dot in eval_points]
            y_dots = self.pushforward(inputs, self.make_node(*inputs).outputs, tangents)
            return [None if isinstance(y_dot.type, DisconnectedType) else y_dot for y_dot in y_dots]

    def __str__(self) -> str:
        return self.function.name


class CallOp(FlatOp):
    """A call of a user's function."""

    def __init__(self, call: FlatCall) -> None:
        call = with_own_copies(call)
        super().__init__(call, identity_of(call))
        self._known: list[tuple[list[Any], Results]] = []

    def check(self, outcome: Outcome) -> None:
        """Refuse other containers than those in the examples."""
        if all(outcome.holes != results.outcome.holes for _, results in self._known):
            raise AdapterError(
                f"{self} returned numbers and arrays in other containers, or more or fewer of them, than for "
                "the random arguments by which the types of its results were found. Return the same ones for "
                "all arguments."
            )

    def types(self, inputs: Sequence[Variable]) -> list[TensorType]:
        """By example."""
        return self.results(inputs).types

    def outcome(self, inputs: Sequence[Variable]) -> Outcome:
        """What the function returned in an example: the containers of its result."""
        return self.results(inputs).outcome

    def results(self, inputs: Sequence[Variable]) -> Results:
        """What is known of the results for inputs of these types, or of more general ones."""
        for types, results in self._known:
            if all(known.is_super(x.type) for known, x in zip(types, inputs, strict=True)):
                return results
        results = results_by_example(self.function, inputs)
        self._known.append(([x.type for x in inputs], results))
        return results


class PullbackOp(FlatOp):
    """The pullback of an operation, from its inputs and the cotangents that are given."""

    def __init__(self, of: FlatOp, wanted: tuple[int, ...], given: tuple[bool, ...]) -> None:
        super().__init__(PullbackOf(of.function, wanted, given), (of, wanted, given))
        self.of, self.wanted, self.given = of, wanted, given

    def types(self, inputs: Sequence[Variable]) -> list[TensorType]:
        """Those of the inputs that the cotangents belong to."""
        return [inputs[place].type for place in self.wanted]

    def infer_shape(self, fgraph: Any, node: Apply, input_shapes: Sequence[Any]) -> list[Any]:
        """The shapes of the inputs that the cotangents belong to."""
        return [input_shapes[place] for place in self.wanted]


class PushforwardOp(FlatOp):
    """The pushforward of an operation, from its inputs and the tangents that are given."""

    def __init__(self, of: FlatOp, given: tuple[bool, ...]) -> None:
        super().__init__(PushforwardOf(of.function, given), (of, given))
        self.of, self.given = of, given

    def types(self, inputs: Sequence[Variable]) -> list[TensorType]:
        """Those of the outputs of the operation; of real numbers, where these are integers."""
        types = self.of.types(inputs[: len(self.given)])
        return [t if _is_continuous_type(t) else TensorType("float64", t.shape) for t in types]


_REAL = {"float16", "float32", "float64"}


def _is_continuous_type(tensor_type: Any) -> bool:
    return tensor_type.dtype in _REAL or tensor_type.dtype.startswith("complex")


def _is_continuous(x: Variable) -> bool:
    return _is_continuous_type(x.type)


def _is_given(x: Variable, tangent: Variable) -> bool:
    return _is_continuous(x) and not isinstance(tangent.type, DisconnectedType | NullType)


def _is_zero(tangent: Variable) -> bool:
    value = get_underlying_scalar_constant_value(tangent, raise_not_constant=False)
    return not isinstance(value, Variable) and bool(np.all(value == 0))


def _given(xs: Sequence[Variable], tangents: Sequence[Variable], given: Sequence[bool]) -> list[Variable]:
    """The tangents that are given, with the dtypes of what they belong to."""
    return [
        cast(x_dot, x.type.dtype) for x, x_dot, is_given in zip(xs, tangents, given, strict=True) if is_given
    ]


def _spelled(expected: TensorType) -> str:
    sizes = ", ".join("?" if size is None else str(size) for size in expected.shape)
    return f"shape ({sizes}) and dtype {expected.dtype}"
