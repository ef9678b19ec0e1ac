"""Expressions as plain Python closures over whole numbers: a third reading, for a million instances."""
