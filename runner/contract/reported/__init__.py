"""Figures and commitments that somebody else published: recorded with their source, computed again, not reproduced."""
