"""Tests of the study kinds."""
