"""Bridges to the programs that others train and play with; none of them is needed to import one.

`rlcard`, `openspiel`, `douzero` and `botzone` are modules of this package, each to be imported by
itself; docs/interop.md says what each has and how it differs from the program that it stands for.
"""
