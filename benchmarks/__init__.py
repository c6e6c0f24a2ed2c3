"""What the project costs, as ratios beside something measured in the same run: `make bench`."""
