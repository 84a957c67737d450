"""Arithmetic of paired timings in exact integers: nearest-rank quantiles, changes, gates, and what they amount to."""
