"""Tests of tensors as arrays, and back."""

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import HostTransferWarning, host, to_torch  # noqa: E402 - after the question for the framework

DTYPES = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


@pytest.mark.parametrize("name", DTYPES)
def test_types_of_numbers(name):
    """Each type that both have goes there and back."""
    tensor = torch.zeros(2, dtype=getattr(torch, name))
    (array,) = host.arrays_of([tensor])
    assert array.dtype == np.dtype(name) == host.numpy_dtype(tensor.dtype)
    assert host.torch_dtype(array.dtype) == tensor.dtype
    assert host.tensors_of([array.copy()], None)[0].dtype == tensor.dtype


def test_memory():
    """Tensors are read without a copy; arrays are given away if nobody else holds them, and else copied."""
    tensor = torch.zeros(2)
    (array,) = host.arrays_of([tensor])
    assert array.ctypes.data == tensor.data_ptr()
    with pytest.raises(ValueError, match="read-only"):
        array += 1.0
    assert host.tensors_of([array], None)[0].data_ptr() != tensor.data_ptr()


def test_numbers_without_axes():
    """They become numbers of NumPy, and numbers become tensors without axes."""
    (number,) = host.arrays_of([torch.tensor(1.5)])
    assert isinstance(number, np.float32)
    assert [y.shape for y in host.tensors_of([number, 2.0, 3], None)] == [()] * 3


def test_bytes_in_another_order():
    """Results are read whatever the order of their bytes."""
    (tensor,) = host.tensors_of([np.array([1.0, 2.0], dtype=">f8")], None)
    assert tensor.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (torch.ones(2, dtype=torch.bfloat16), "bfloat16, which NumPy does not have"),
        (torch.eye(2).to_sparse(), "to_dense"),
        (torch.empty(2, device="meta"), "the device meta"),
    ],
)
def test_tensors_that_cannot_be_read(tensor, message):
    """They are refused, each with its reason."""
    with pytest.raises(AdapterError, match=message):
        host.arrays_of([tensor])


# PyTorch says that its nested tensors may change.
@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors is in prototype stage:UserWarning")
def test_nested_tensors():
    """No array is like them."""
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    with pytest.raises(AdapterError, match="cannot be read by NumPy"):
        host.arrays_of([nested])


def test_types_that_pytorch_lacks():
    """They are refused."""
    with pytest.raises(AdapterError, match="PyTorch has no such tensors"):
        host.torch_dtype(np.dtype(np.str_))


@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
# PyTorch calls a module of its own deprecated, on which this rests.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_traced_programs(mode):
    """What NumPy computes would be a constant of the traced program."""
    with pytest.raises(AdapterError, match="traces the program"):
        make_fx(to_torch(np.sin), tracing_mode=mode)(torch.ones(2))


class FarTensor:
    """Stands for a tensor on a device that this machine does not have."""

    is_cpu, is_meta, layout, dtype = False, False, torch.strided, torch.float64

    def __init__(self, index=0):
        self.device = torch.device("cuda", index)

    def numpy(self, *, force):
        """A copy on the host."""
        assert force
        return np.ones(2)


def test_other_devices(monkeypatch):
    """Their tensors go through the host with one warning, and results go to their device."""
    monkeypatch.setattr(host, "_warned_of", set())
    with pytest.warns(HostTransferWarning, match="cuda:0"):
        (array,) = host.arrays_of([FarTensor()])
    assert array.tolist() == [1.0, 1.0]
    host.arrays_of([FarTensor()])  # a second warning would be an error
    assert host.device_of([torch.ones(1), FarTensor()]) == torch.device("cuda", 0)
    assert host.device_of([SimpleNamespace(is_cpu=True)]) is None
    assert host.tensors_of([np.ones(2)], torch.device("meta"))[0].is_meta
    with pytest.raises(AdapterError, match="cuda:0 and cuda:1"):
        host.device_of([FarTensor(1), FarTensor(0)])
