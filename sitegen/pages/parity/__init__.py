"""What pages show of parity studies and of nothing else: rows, gates, holds, receipts."""
