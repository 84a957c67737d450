"""What a comparison is made of: tasks, lanes, transcripts, ledgers of typed events, and twelve metrics."""
