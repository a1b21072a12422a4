"""Cases: sources below cases/<group>/, in CUDA or Python, and what their header comments ask for."""

import fnmatch
import re
from dataclasses import dataclass
from pathlib import Path

_REQUIRES = re.compile(r"^(?://|#)\s*requires:\s*devices>=(\d+)\s*$", re.MULTILINE)
_LINKS = re.compile(r"^//\s*links:\s*([A-Za-z0-9 ]+?)\s*$", re.MULTILINE)
_OPTIONS = re.compile(r"^//\s*options:\s*([a-z0-9 ]+?)\s*$", re.MULTILINE)
_PARTS = re.compile(r"^//\s*parts:\s*([A-Za-z0-9_. ]+?)\s*$", re.MULTILINE)
_NAME = {
    ".cu": re.compile(r'^CONFORMANCE_CASE\("([^"]+)"\);', re.MULTILINE),
    ".py": re.compile(r'^case = Case\("([^"]+)"\)$', re.MULTILINE),
}


KNOWN_OPTIONS = {"rdc", "cpp20"}


class CaseError(Exception):
    """A case's source does not say what it must."""


@dataclass(frozen=True)
class Case:
    name: str  # "<group>.<file>"
    source: Path
    devices: int  # exactly so many are visible to it
    links: tuple  # libraries beside the runtime: "nccl"
    options: tuple = ()  # how to compile: "rdc" (relocatable device code), "cpp20"
    parts: tuple = ()  # other sources of the program, in the folder parts/ beside the case

    @property
    def isPython(self):
        return self.source.suffix == ".py"

    @property
    def group(self):
        return self.name.split(".", 1)[0]

    @property
    def stem(self):
        return self.name.split(".", 1)[1]


def readCase(source):
    text = source.read_text(encoding="utf-8")
    name = f"{source.parent.name}.{source.stem}"
    declared = _NAME[source.suffix].findall(text)
    if declared != [name]:
        line = f'case = Case("{name}")' if source.suffix == ".py" else f'CONFORMANCE_CASE("{name}");'
        raise CaseError(f"{source}: must contain {line} once, found {declared}")
    requires = _REQUIRES.findall(text)

    def words(pattern):
        found = pattern.findall(text)
        return tuple(found[0].split()) if found else ()

    options = words(_OPTIONS)
    unknown = set(options) - KNOWN_OPTIONS
    if unknown:
        raise CaseError(f"{source}: unknown options {sorted(unknown)}; {sorted(KNOWN_OPTIONS)} are known")
    return Case(
        name=name,
        source=source,
        devices=int(requires[0]) if requires else 1,
        links=words(_LINKS),
        options=options,
        parts=tuple(source.parent / "parts" / part for part in words(_PARTS)),
    )


def discover(root, patterns=()):
    """All cases below `root`, sorted by name; only those that match a pattern, if any are given."""
    cases = [readCase(source) for source in sorted(Path(root).glob("*/*.*")) if source.suffix in _NAME]
    if not patterns:
        return cases
    return [case for case in cases if any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns)]
