"""The costs of the project, as ratios to something measured in the same run: `make bench`."""
