"""Pytest plugins of this repository, one habit a module; tests/conftest.py loads them."""
