"""Inductor's C++ for musa where Triton is absent: the device's memory is memory of the process."""


def scheduling_class():
    from torch._inductor.codegen.cpp import CppScheduling

    class MusaCppScheduling(CppScheduling):
        """The CPU's."""

    return MusaCppScheduling
