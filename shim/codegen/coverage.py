"""Which tests reach a function: conformance cases (CUDA's names), else unit tests, else those of the library
that calls it, else the fuzzer."""
import re
from pathlib import Path

_CALL = re.compile(r"\b((?:cuda|cu|nccl|musa|mu|mccl|(?:cu|mu)(?:blas|fft|rand|solver))[A-Z]\w*)\s*\(")
_SHOWN = 3


def _callers(files, label):
    """{function: labels of the files that call it}"""
    callers = {}
    for file in sorted(files):
        for name in set(_CALL.findall(file.read_text(encoding="utf-8"))):
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
        units += [file for folder in (root / "tests" / "libs").glob("*") for file in _test_sources(folder)]
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
