"""Rules for the functions of `statistics`, and for its class of normal distributions."""
