"""Array types to dispatch on."""
