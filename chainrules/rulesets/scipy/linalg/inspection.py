"""Declarations for functions that ask about matrices, or hand out routines."""

from scipy.linalg import (
    bandwidth,
    find_best_blas_type,
    get_blas_funcs,
    get_lapack_funcs,
    ishermitian,
    issymmetric,
)

from chainrules_core import non_differentiable

non_differentiable(bandwidth, find_best_blas_type, get_blas_funcs, get_lapack_funcs, ishermitian, issymmetric)
