"""One recorded program for many items: each operation gets a leading axis."""
