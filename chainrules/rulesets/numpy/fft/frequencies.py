"""Rules for the frequencies of discrete Fourier transforms, and for shifts of their order."""

import numpy as np

from chainrules.makers.frequencies import frequency_rules, shift_rules

frequency_rules(np.fft.fftfreq)
frequency_rules(np.fft.rfftfreq)
shift_rules(np.fft.fftshift, np.fft.ifftshift)
shift_rules(np.fft.ifftshift, np.fft.fftshift)
