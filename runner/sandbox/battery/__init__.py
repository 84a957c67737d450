"""Attacks on the sandbox, really carried out: what `sealbook doctor` runs on a machine before it is trusted.

`catalog` names them, `inside` is the program that tries one, `scene` holds what there is to attack, and
`trial` tries them all and judges.
"""
