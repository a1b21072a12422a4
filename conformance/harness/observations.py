"""The lines that a case prints: `observe <case>.<key>=<value>`."""

import re

_LINE = re.compile(r"^observe ([a-z0-9_]+\.[a-z0-9_]+)\.([A-Za-z0-9_.+-]+)=(.*)$")


class ObservationError(Exception):
    """The output is not that of a case: a key twice, another case's name."""


def parse(caseName, output):
    """Returns {key: value} in the order of printing; other lines are ignored."""
    seen = {}
    for line in output.splitlines():
        found = _LINE.match(line)
        if not found:
            if line.startswith("observe "):
                raise ObservationError(f"{caseName}: cannot read the line {line!r}")
            continue
        name, key, value = found.groups()
        if name != caseName:
            raise ObservationError(f"{caseName}: printed an observation of {name}")
        if key in seen:
            raise ObservationError(f"{caseName}: observed {key} twice")
        seen[key] = value
    return seen
