"""What runs inside and attacks. Every attack is one function with its name, and harmless if it succeeds.

It reads a secret that was made for it, writes a value that stands there already, opens without writing, or
asks for what it gives back at once.
"""
