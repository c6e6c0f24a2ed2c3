"""Rules for the functions of `numpy.fft`."""
