"""Mathematics that several rules share; nothing is registered here."""
