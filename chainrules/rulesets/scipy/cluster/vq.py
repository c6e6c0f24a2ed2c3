"""Rules for vectors and the codes that stand for them, where it stays the same which code stands for which.

The means of `kmeans` and `kmeans2` are those of the points of each code. A search that begins at random has
no rule, as SciPy would begin elsewhere the next time; nor has one that stops before the means are those.
"""

import numpy as np
from scipy.cluster import vq

from chainrules.makers.composed_rules import Computed, composed_rule


def _whitened(obs, check_finite=True):
    return (lambda obs: obs / np.std(obs, axis=0)) if np.all(np.std(obs, axis=0) > 0) else None


def _quantized(obs, code_book, check_finite=True):
    codes = vq.vq(obs, code_book)[0]
    return lambda obs, code_book: (codes, _distances(obs, code_book, codes))


def _distances(obs, code_book, codes):
    apart = obs - code_book[codes]
    return np.abs(apart) if len(obs.shape) == 1 else np.linalg.norm(apart, None, -1)


def _means(obs, k_or_guess, *options, **named):
    if np.ndim(k_or_guess) != 2:
        return None
    result = vq.kmeans(obs, k_or_guess, *options, **named)
    book = result[0]
    codes = vq.vq(obs, book)[0]
    shares = _shares(codes, len(book))
    if shares is None or not np.allclose(shares @ obs, book, rtol=1e-12, atol=1e-12):
        return None

    def composition(obs):
        means = np.matmul(shares, obs)
        return means, np.mean(_distances(obs, means, codes))

    return Computed(composition, result)


def _means_with_labels(data, k, iter=10, thresh=1e-5, minit="random", *options, **named):  # noqa: A002 - those of SciPy
    if minit != "matrix" or np.ndim(data) != 2:
        return None
    result = vq.kmeans2(data, k, iter, thresh, minit, *options, **named)
    codes = result[1]
    shares = _shares(codes, len(k))
    return None if shares is None else Computed(lambda data: (np.matmul(shares, data), codes), result)


def _shares(codes, count):
    """A matrix that takes the mean of the points of each code, `None` if one has no points."""
    belongs = codes == np.arange(count)[:, np.newaxis]
    sizes = np.sum(belongs, axis=1, keepdims=True)
    return belongs / sizes if np.all(sizes) else None


composed_rule(vq.whiten, _whitened)
composed_rule(vq.vq, _quantized, 2)
composed_rule(vq.kmeans, _means)
composed_rule(vq.kmeans2, _means_with_labels)
