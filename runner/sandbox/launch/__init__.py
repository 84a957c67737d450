"""Programs that run between the runner and a jailed process, by an interpreter without site-packages.

They are started by their path with `python -I -S` and import the standard library alone; the guardian adds two
modules of ours that do the same.
"""
