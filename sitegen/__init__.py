"""Turns sealed evidence into a site in two languages."""
