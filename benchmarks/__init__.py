"""Benchmarks: ratios in one run against what a user would pick instead. Run with `make bench`."""
