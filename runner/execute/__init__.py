"""Makes a run from a plan: performs every slot, survives being killed, and seals what came of it."""
