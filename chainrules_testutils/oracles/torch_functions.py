"""What PyTorch calls by other names than NumPy and SciPy, or gives its arguments in another order."""

from typing import Any

# Keywords of NumPy and SciPy, and their names in PyTorch.
KEYWORDS = {
    "axis": "dim",
    "axes": "dim",
    "keepdims": "keepdim",
    "ddof": "correction",
    "axis1": "dim1",
    "axis2": "dim2",
}

# Functions with the same arguments under other names.
OTHER_NAMES = {
    "math.fabs": "abs",
    "math.lgamma": "lgamma",
    "math.degrees": "rad2deg",
    "math.radians": "deg2rad",
    "math.dist": "dist",
    "numpy.around": "round",
    "numpy.conjugate": "conj",
    "numpy.degrees": "rad2deg",
    "numpy.fabs": "abs",
    "numpy.radians": "deg2rad",
    "numpy.power": "pow",
    "numpy.fix": "trunc",
    "numpy.invert": "bitwise_not",
    "numpy.max": "amax",
    "numpy.min": "amin",
    "numpy.amax": "amax",
    "numpy.amin": "amin",
    "numpy.rint": "round",
    "numpy.split": "tensor_split",
    "numpy.array_split": "tensor_split",
    "numpy.repeat": "repeat_interleave",
    "numpy.take_along_axis": "take_along_dim",
    "numpy.vecdot": "linalg.vecdot",
    "scipy.linalg.block_diag": "block_diag",
    "scipy.linalg.expm": "linalg.matrix_exp",
    "scipy.linalg.det": "linalg.det",
    "scipy.linalg.inv": "linalg.inv",
    "scipy.linalg.pinv": "linalg.pinv",
    "scipy.linalg.svdvals": "linalg.svdvals",
    "scipy.special.j0": "special.bessel_j0",
    "scipy.special.j1": "special.bessel_j1",
    "scipy.special.y0": "special.bessel_y0",
    "scipy.special.y1": "special.bessel_y1",
    "scipy.special.k0": "special.modified_bessel_k0",
    "scipy.special.k1": "special.modified_bessel_k1",
    "scipy.special.log_expit": "nn.functional.logsigmoid",
    "scipy.special.softplus": "nn.functional.softplus",
}


class TorchFunctions:  # pragma: no cover - it runs where PyTorch is installed
    """Functions with the arguments of NumPy's and SciPy's, named by their dotted names."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch

    def numpy_transpose(self, a: Any, axes: Any = None) -> Any:
        """`numpy.transpose`: the new order of all axes."""
        return a.permute(*(reversed(range(a.ndim)) if axes is None else axes))

    def numpy_matrix_transpose(self, x: Any) -> Any:
        """`numpy.matrix_transpose`."""
        return x.mT

    numpy_linalg_matrix_transpose = numpy_matrix_transpose

    def numpy_expand_dims(self, a: Any, axis: int) -> Any:
        """`numpy.expand_dims`, by one axis."""
        return a.unsqueeze(axis)

    def numpy_copy(self, a: Any) -> Any:
        """`numpy.copy`."""
        return a.clone()

    def numpy_sort(self, a: Any, axis: int = -1) -> Any:
        """`numpy.sort`, without the order that PyTorch returns too."""
        return self._torch.sort(a, dim=axis).values

    def numpy_std(self, a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
        """`numpy.std`, which divides by the number of elements."""
        return self._torch.std(a, dim=axis, correction=ddof, keepdim=keepdims)

    def numpy_var(self, a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
        """`numpy.var`, which divides by the number of elements."""
        return self._torch.var(a, dim=axis, correction=ddof, keepdim=keepdims)

    def numpy_cumsum(self, a: Any, axis: int | None = None) -> Any:
        """`numpy.cumsum`, of the elements in order without an axis."""
        return a.ravel().cumsum(0) if axis is None else a.cumsum(axis)

    def numpy_cumprod(self, a: Any, axis: int | None = None) -> Any:
        """`numpy.cumprod`, of the elements in order without an axis."""
        return a.ravel().cumprod(0) if axis is None else a.cumprod(axis)

    def numpy_ptp(self, a: Any, axis: Any = None) -> Any:
        """`numpy.ptp`."""
        axes = tuple(range(a.ndim)) if axis is None else axis
        return a.amax(axes) - a.amin(axes)

    def numpy_trace(self, a: Any) -> Any:
        """`numpy.trace` of a stack of matrices."""
        return a.diagonal().sum(-1)

    def numpy_linalg_trace(self, x: Any) -> Any:
        """`numpy.linalg.trace` of a stack of matrices."""
        return x.diagonal(dim1=-2, dim2=-1).sum(-1)

    def numpy_average(self, a: Any, axis: Any = None, weights: Any = None) -> Any:
        """`numpy.average`, with weights of the array's shape."""
        weights = self._torch.ones_like(a) if weights is None else weights
        return self._torch.sum(a * weights, dim=axis) / self._torch.sum(weights, dim=axis)

    def numpy_percentile(self, a: Any, q: Any, axis: int | None = None) -> Any:
        """`numpy.percentile`."""
        return self._torch.quantile(a, q / 100.0, dim=axis)

    def numpy_cbrt(self, x: Any) -> Any:
        """`numpy.cbrt`."""
        return x.sign() * x.abs() ** (1 / 3)

    def numpy_dot(self, a: Any, b: Any) -> Any:
        """`numpy.dot` of at most two axes."""
        return self._torch.matmul(a, b) if a.ndim and b.ndim else a * b

    def numpy_flip(self, m: Any, axis: Any = None) -> Any:
        """`numpy.flip`."""
        axes = (axis,) if isinstance(axis, int) else axis
        return m.flip(tuple(range(m.ndim)) if axes is None else axes)

    def numpy_outer(self, a: Any, b: Any) -> Any:
        """`numpy.outer`, of arrays with any number of axes."""
        return self._torch.outer(a.ravel(), b.ravel())

    numpy_linalg_outer = numpy_outer

    def scipy_linalg_solve(self, a: Any, b: Any) -> Any:
        """`scipy.linalg.solve` of a general matrix."""
        return self._torch.linalg.solve(a, b)

    def scipy_linalg_solve_triangular(
        self, a: Any, b: Any, *, lower: bool = False, unit_diagonal: bool = False
    ) -> Any:
        """`scipy.linalg.solve_triangular`, of one right-hand side or of several."""
        columns = b.unsqueeze(-1) if b.ndim == 1 else b
        x = self._torch.linalg.solve_triangular(a, columns, upper=not lower, unitriangular=unit_diagonal)
        return x.squeeze(-1) if b.ndim == 1 else x

    def scipy_linalg_cholesky(self, a: Any, lower: bool = False) -> Any:
        """`scipy.linalg.cholesky`, of the triangle that it reads."""
        read = a.tril() + a.tril(-1).mH if lower else (a.triu() + a.triu(1).mH)
        return self._torch.linalg.cholesky(read, upper=not lower)

    def scipy_linalg_svd(self, a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
        """`scipy.linalg.svd`."""
        if not compute_uv:
            return self._torch.linalg.svdvals(a)
        return self._torch.linalg.svd(a, full_matrices=full_matrices)

    def scipy_special_beta(self, a: Any, b: Any) -> Any:
        """`scipy.special.beta` of positive arguments."""
        return self.scipy_special_betaln(a, b).exp()

    def scipy_special_betaln(self, a: Any, b: Any) -> Any:
        """`scipy.special.betaln`."""
        return self._torch.lgamma(a) + self._torch.lgamma(b) - self._torch.lgamma(a + b)

    def scipy_special_kl_div(self, x: Any, y: Any) -> Any:
        """`scipy.special.kl_div`."""
        return self.scipy_special_rel_entr(x, y) - x + y

    def scipy_special_rel_entr(self, x: Any, y: Any) -> Any:
        """`scipy.special.rel_entr`."""
        return self._torch.special.xlogy(x, x) - self._torch.special.xlogy(x, y)
