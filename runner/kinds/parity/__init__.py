"""The study kind `parity`: whether a new version is the same where it must be, and fast enough where it matters."""
