"""Looking on at a differentiation: profiles, NaN, shapes, arrays that change, and hints in errors."""
