"""The study kinds: one folder each, unknown to one another."""
