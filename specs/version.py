"""The version of unco, as in pyproject.toml; artifacts carry it."""

VERSION = "0.1.0"
