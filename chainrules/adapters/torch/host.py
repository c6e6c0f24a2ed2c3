"""Tensors as NumPy arrays, and back."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch._C import _is_tracing as is_tracing
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import get_proxy_mode

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.ownership import owned

# Classes of tensors whose values are the memory of the tensor.
_PLAIN_CLASSES = {torch.Tensor, torch.nn.Parameter}

_NUMPY_DTYPES = {
    getattr(torch, name): np.dtype(name)
    for name in (
        *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
}
_TORCH_DTYPES = {numpy_type: torch_type for torch_type, numpy_type in _NUMPY_DTYPES.items()}


class HostTransferWarning(UserWarning):
    """Tensors of another device are copied to the host, where NumPy computes, and results are copied back."""


def numpy_dtype(dtype: torch.dtype) -> np.dtype:
    """NumPy's name of a type of numbers.

    Raises
    ------
    AdapterError
        If NumPy does not have it, such as bfloat16.
    """
    if dtype not in _NUMPY_DTYPES:
        raise AdapterError(
            f"A tensor is of {dtype}, which NumPy does not have. Convert it, such as with `x.float()`, which "
            "PyTorch differentiates too."
        )
    return _NUMPY_DTYPES[dtype]


def torch_dtype(dtype: np.dtype) -> torch.dtype:
    """PyTorch's name of a type of numbers.

    Raises
    ------
    AdapterError
        If PyTorch does not have it, such as NumPy's longdouble.
    """
    native = dtype.newbyteorder("=")
    if native not in _TORCH_DTYPES:
        raise AdapterError(
            f"An array is of {dtype}, and PyTorch has no such tensors. Convert it, such as by "
            "`y.astype(float)`."
        )
    return _TORCH_DTYPES[native]


def arrays_of(tensors: Sequence[torch.Tensor]) -> list[Any]:
    """The arrays in tensors, without a copy where they are on the host; numbers for tensors without axes.

    The arrays cannot be written into.

    Raises
    ------
    AdapterError
        If a program is being traced, a tensor has no values yet, or NumPy has no arrays like it: of bfloat16,
        or sparse.
    """
    if is_tracing() or get_proxy_mode() is not None:
        # What NumPy returns would become a constant of the traced program.
        raise AdapterError(_IS_TRACED)
    return [array_of(tensor) for tensor in tensors]


def array_of(tensor: torch.Tensor) -> Any:
    """The array in a tensor; as `arrays_of`, which asks whether a program is traced."""
    if tensor.__class__ not in _PLAIN_CLASSES or not tensor.is_cpu:
        _check_values(tensor)
    try:
        array = tensor.numpy(force=True)
    except (TypeError, RuntimeError) as error:
        raise _unreadable(tensor) from error
    if not array.ndim:
        return array[()]
    array.flags.writeable = False  # PyTorch would not see that a function writes into its argument
    return array


def tensors_of(arrays: list[Any], device: torch.device | None) -> tuple[torch.Tensor, ...]:
    """Tensors with the values of arrays and numbers, whose memory nobody else holds.

    Parameters
    ----------
    arrays
        The list that holds them. They are copied where somebody else holds them too.
    device
        Where the tensors shall be; `None` for the host.

    Raises
    ------
    AdapterError
        If PyTorch has no tensors of the type of an array.
    """
    tensors = tuple([_tensor_of(array) for array in owned(arrays)])
    return tensors if device is None else tuple([tensor.to(device) for tensor in tensors])


def _tensor_of(array: np.ndarray) -> torch.Tensor:
    try:
        return torch.from_numpy(array)
    except (TypeError, ValueError):
        torch_dtype(array.dtype)  # says what is wrong, if it is not the order of bytes
        return torch.from_numpy(array.astype(array.dtype.newbyteorder("=")))


def device_of(tensors: Sequence[torch.Tensor]) -> torch.device | None:
    """The device of tensors; `None` if they are on the host.

    Raises
    ------
    AdapterError
        If they are on several devices beside the host.
    """
    devices = {tensor.device for tensor in tensors if not tensor.is_cpu}
    if len(devices) > 1:
        names = " and ".join(sorted(str(device) for device in devices))
        raise AdapterError(f"The tensors of one call are on {names}. Move them to one device.")
    return devices.pop() if devices else None


_IS_TRACED = (
    "Something traces the program, such as `torch.func.linearize`, `make_fx`, `torch.export` or "
    "`torch.jit.trace`, and does not see what NumPy computes. Use `torch.compile`, or `torch.func.jvp` in "
    "place of `linearize`."
)

_warned_of = set[str]()


def _check_values(tensor: torch.Tensor) -> None:
    if tensor.is_meta or isinstance(tensor, FakeTensor):
        raise _unreadable(tensor)
    kind = tensor.device.type
    if kind != "cpu" and kind not in _warned_of:
        _warned_of.add(kind)
        warnings.warn(
            f"Tensors on the device {tensor.device} are copied to the host, where NumPy computes, and "
            "results are copied back. This is said once.",
            HostTransferWarning,
            stacklevel=2,
        )


def _unreadable(tensor: torch.Tensor) -> AdapterError:
    if tensor.is_meta:
        return AdapterError("A tensor on the device meta has no values for NumPy to compute with.")
    if isinstance(tensor, FakeTensor):
        return AdapterError(_IS_TRACED)
    if tensor.layout is not torch.strided:
        return AdapterError(
            f"A tensor is sparse, of layout {tensor.layout}, and NumPy has no such arrays. Convert it by "
            "`x.to_dense()`, which PyTorch differentiates too."
        )
    if tensor.dtype not in _NUMPY_DTYPES:
        try:
            numpy_dtype(tensor.dtype)
        except AdapterError as error:
            return error
    return AdapterError(
        f"A tensor of the class {type(tensor).__name__} cannot be read by NumPy. Give tensors that hold "
        "numbers, and no others of PyTorch's."
    )
