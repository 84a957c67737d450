"""One pure module a study kind: (plan, attempts) -> analysis, recomputed by every verifier."""
