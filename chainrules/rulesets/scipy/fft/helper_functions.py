"""Rules for the frequencies of discrete Fourier transforms, for shifts of their order, and for lengths."""

from scipy.fft import fftfreq, fftshift, get_workers, ifftshift, next_fast_len, prev_fast_len, rfftfreq

from chainrules.makers.frequencies import frequency_rules, shift_rules
from chainrules_core import non_differentiable

frequency_rules(fftfreq)
frequency_rules(rfftfreq)
shift_rules(fftshift, ifftshift)
shift_rules(ifftshift, fftshift)
non_differentiable(get_workers, next_fast_len, prev_fast_len)
