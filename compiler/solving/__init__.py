"""The reader: solves a finished task from its texts alone, by code of its own; see `solve`."""
