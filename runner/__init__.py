"""Runs frozen studies and seals what happened."""
