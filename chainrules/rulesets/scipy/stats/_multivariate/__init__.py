"""Rules for `scipy.stats._multivariate`: the distributions of vectors and matrices."""
