"""Rules for functions of `scipy.fftpack`."""
