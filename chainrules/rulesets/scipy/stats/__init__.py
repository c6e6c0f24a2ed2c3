"""Rules for `scipy.stats`: the methods of distributions."""
