"""Reads what lies in a project: manifests as frozen, runs as sealed. It verifies, and never writes."""
