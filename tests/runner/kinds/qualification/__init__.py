"""Tests of qualification, with small real subjects."""
