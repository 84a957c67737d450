"""The evidence contract: values and rules that the runner, the site and a verifier share.

Nothing here opens a file, reads a clock or knows a language. Import the module that owns
the value you need; this package re-exports nothing.
"""
