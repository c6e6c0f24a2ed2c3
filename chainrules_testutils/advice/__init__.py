"""What testers say: their reports, and the mistakes that would explain a failed check."""
