"""Which rule serves a call: how rules are read, registered, looked up and explained."""
