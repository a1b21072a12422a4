"""The conformance suite's own parts; `record` and `run` are the programs.

Standard library only where `record` reaches: it must work on a GPU machine on
which nothing can be installed.
"""
