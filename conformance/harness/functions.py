"""Which functions of a library a case called, from the trace that MUSASHIM_TRACE=1 writes."""

import re

TRACED = {"MUSASHIM_TRACE": "1"}
_CALL = re.compile(r"^\[(\w+)\] (\w+)\(", re.M)


def librariesOf(case):
    """Names in the trace of what the case links with; the runtime's where it links with nothing."""
    if not case.links:
        return {"musart"}
    return {"mccl" if link == "nccl" else re.sub("^cu", "mu", link) for link in case.links}


def called(case, trace):
    """The functions, by name, that the trace of the case shows."""
    libraries = librariesOf(case)
    return frozenset(name for library, name in _CALL.findall(trace) if library in libraries)
