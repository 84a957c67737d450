"""Benchmarks against peers and floors, and the synthetic runs that they measure."""
