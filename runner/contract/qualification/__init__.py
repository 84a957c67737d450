"""What the study kind `qualification` freezes and records: checks on real command-line tools."""
