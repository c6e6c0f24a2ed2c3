"""Values that AD systems trace: functions that intercept them, and how they are found in arguments."""
