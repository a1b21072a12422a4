"""Which tests reach a function: conformance cases (CUDA's names), else unit tests, else those of the library
that calls it, else the fuzzer."""
import re
from pathlib import Path

_CALL = re.compile(r"\b(fftwf?_[a-z]\w*|(?:cuda|cu|nccl|musa|mu|mccl|(?:nv|mt)rtc|(?:cu|mu)(?:blas|fft|rand|solver|sparse))[A-Z]\w*)\s*\(")
# Tests of libraries that have a function for each type of element call them by macros: MUBLAS_CALL(T, gemm),
# MUSOLVER_CALL(T, syevd, heevd) for real and complex ones, MUBLAS_CALL_REAL(T, Sdot, Ddot, Cdotu, Zdotu).
_FAMILY = re.compile(r"\b(MUBLAS|MUSOLVER|MUSPARSE)_CALL(_REAL)?\(T, ([\w, ]+)\)")
# FFTW_CALL(Real, execute): of both precisions.
_FFTW = re.compile(r"\bFFTW_CALL\(\w+, (\w+)\)")
_PREFIXES = {"MUBLAS": "mublas", "MUSOLVER": "musolverDn", "MUSPARSE": "musparse"}
_SHOWN = 3


def _calls(text):
    names = set(_CALL.findall(text))
    for name in _FFTW.findall(text):
        names.update((f"fftw_{name}", f"fftwf_{name}"))
    for library, are_whole, words in _FAMILY.findall(text):
        words = [word.strip() for word in words.split(",")]
        if not are_whole:
            words = [letter + words[0] for letter in "SD"] + [letter + words[-1] for letter in "CZ"]
        names.update(_PREFIXES[library] + word for word in words)
    return names


def _callers(files, label):
    """{function: labels of the files that call it}"""
    callers = {}
    for file in sorted(files):
        for name in _calls(file.read_text(encoding="utf-8")):
            callers.setdefault(name, []).append(label(file))
    return callers


def _test_sources(folder):
    """Of the folder and of its rooms with tests in them: fuzzers and benchmarks call everything and tell nothing."""
    rooms = {test.parent for test in folder.glob("*/*_test.cpp")}
    return [file for place in (folder, *rooms) for file in place.glob("*.cpp")]


class Coverage:
    def __init__(self, root, apis):
        root = Path(root)
        self._cases = _callers((root / "conformance" / "cases").glob("**/*.cu"),
                               lambda file: f"{file.parent.name}.{file.stem}")
        units = [file for library in ("musa", "musart", "mccl") for file in _test_sources(root / "tests" / library)]
        units += [file for folder in (root / "tests" / "libs").glob("mu*") for file in _test_sources(folder)]
        units += (root / "tests" / "mtrtc").glob("*.[ch]*")
        self._units = _callers(units, lambda file: file.relative_to(root / "tests").as_posix())
        self._musart = set(_callers((root / "shim" / "musart").rglob("*.cpp"), str))
        self._musart.update(api["forward"] for api in apis if "forward" in api)

    def tests(self, api):
        """What to show of `api`, a record."""
        found = self._cases.get(api.get("cuda") or "") or self._units.get(api["name"])
        if found is not None:
            more = len(found) - _SHOWN
            return ", ".join(found[:_SHOWN]) + (f", {more} more" if more > 0 else "")
        if api["name"] in self._musart:
            return "tests of libmusart, which calls it"
        # Its calls are generated from the records of the two APIs.
        return "API fuzzer" if api["library"] in ("musa", "musart") else ""
