"""The study kind `qualification`: checks on real command-line tools, under scripted crashes."""
