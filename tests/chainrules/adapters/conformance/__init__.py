"""One table of functions by one of transforms, for every framework that functions are bridged to."""
