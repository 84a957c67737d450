"""The study kind `comparison`."""
