"""The rules; loaded through the entry point.

With ``C = K + s² I`` and ``α = C⁻¹ y`` (equation 5.9): ``K_bar = (α αᵀ - C⁻¹) / 2``, ``y_bar = -α``, and
``s_bar`` is ``2 s`` times the trace of ``K_bar``. Of ``k = h² exp(-Σ u² / 2)``, ``u = (x - x') / l``:
``h_bar = Σ k_bar 2 k / h``, ``l_bar = Σ k_bar k u² / l``, ``x_bar = -Σ k_bar k u / l``, and the opposite for
``x'``.
"""

from typing import Any

import numpy as np

from chainrules_core import NoTangent, ProjectTo, frule, rrule, thunk, typeof_
from gaussian_processes.process import distances, evidence, log_evidence, solved, squared_exponential


@frule.dispatch
def log_evidence_frule(
    tangents: Any, f: typeof_(log_evidence), K: np.ndarray, y: np.ndarray, noise: float
) -> Any:
    _, K_dot, y_dot, noise_dot = tangents
    L, alpha = solved(K, y, noise)
    K_dot = 0 * K + K_dot
    C_dot = 0.5 * (K_dot + K_dot.T) + 2 * noise * noise_dot * np.eye(len(y))
    whitened = np.linalg.solve(L, np.linalg.solve(L, C_dot).T)
    return evidence(L, alpha, y), 0.5 * (alpha @ C_dot @ alpha - np.trace(whitened)) - alpha @ (0 * y + y_dot)


@rrule.dispatch
def log_evidence_rrule(f: typeof_(log_evidence), K: np.ndarray, y: np.ndarray, noise: float) -> Any:
    L, alpha = solved(K, y, noise)
    project_K, project_noise = ProjectTo(K), ProjectTo(noise)

    def log_evidence_pullback(e_bar: Any) -> Any:
        root = np.linalg.solve(L, np.eye(len(y)))
        K_bar = 0.5 * e_bar * (np.outer(alpha, alpha) - root.T @ root)
        return NoTangent(), project_K(K_bar), -e_bar * alpha, project_noise(2 * noise * np.trace(K_bar))

    return evidence(L, alpha, y), log_evidence_pullback


@frule.dispatch
def squared_exponential_frule(
    tangents: Any,
    f: typeof_(squared_exponential),
    X: np.ndarray,
    Y: np.ndarray,
    height: float,
    lengths: np.ndarray,
) -> Any:
    _, X_dot, Y_dot, height_dot, lengths_dot = tangents
    d, u = distances(X, Y, lengths)
    k = height**2 * np.exp(-0.5 * d)
    moved = (0 * X + X_dot)[:, None] - (0 * Y + Y_dot)
    u_dot = (moved - u * (0 * lengths + lengths_dot)) / lengths
    return k, k * (2 * height_dot / height - np.sum(u * u_dot, axis=-1))


@rrule.dispatch
def squared_exponential_rrule(
    f: typeof_(squared_exponential), X: np.ndarray, Y: np.ndarray, height: float, lengths: np.ndarray
) -> Any:
    d, u = distances(X, Y, lengths)
    k = height**2 * np.exp(-0.5 * d)
    project_height = ProjectTo(height)

    def squared_exponential_pullback(k_bar: Any) -> Any:
        weights = k_bar * k
        u_bar = weights[..., None] * u / lengths
        return (
            NoTangent(),
            thunk(lambda: -np.sum(u_bar, axis=1)),
            thunk(lambda: np.sum(u_bar, axis=0)),
            project_height(2 * np.sum(weights) / height),
            thunk(lambda: np.sum(u_bar * u, axis=(0, 1))),
        )

    return k, squared_exponential_pullback
