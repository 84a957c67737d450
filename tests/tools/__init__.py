"""Commands behind the Makefile that are more than a few lines of shell."""
