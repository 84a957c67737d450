"""Pure checks of a sealed run's records against one another. They yield problems and raise nothing.

A problem's file is relative to the run's folder.
"""
