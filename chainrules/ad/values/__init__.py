"""Values that programs hold: their structure, their kinds, which of them repeat, and how they are shown."""
