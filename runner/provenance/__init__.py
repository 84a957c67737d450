"""Facts about sources: what git says of a checkout, and which Sealbook is running."""
