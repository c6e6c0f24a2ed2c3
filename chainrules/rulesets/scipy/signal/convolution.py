"""Rules for convolutions and correlations, by `chainrules.makers.convolutions`."""

from scipy.signal import choose_conv_method, convolve, correlate, correlation_lags, fftconvolve, oaconvolve

from chainrules.makers.convolutions import convolution_rules
from chainrules_core import non_differentiable

convolution_rules(convolve, convolve)
convolution_rules(correlate, convolve)
convolution_rules(fftconvolve, fftconvolve, takes_axes=True)
convolution_rules(oaconvolve, oaconvolve, takes_axes=True)
non_differentiable(choose_conv_method, correlation_lags)
