"""The only code that starts processes or touches a candidate's files.

At tier `process` an attempt has private folders, an allow-list environment, limits, and no
survivors. That is a defence against accidents of the same user; it does not cut the network
and does not hide the host's readable files from a hostile program.
"""
