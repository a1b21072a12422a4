"""Where in Python an operation comes from."""
import re


class Locations:
    """The `#loc1 = loc(...)` lines of a module."""

    def __init__(self, text):
        self.named = dict(re.findall(r'^(#loc\d*) = loc\((.*)\)$', text, re.M))

    def place(self, location):
        """(file, line) of the innermost place that is in a file of Python's, or None."""
        for _ in range(64):
            if location is None:
                return None
            if location in self.named:
                location = self.named[location]
            elif match := re.match(r'"([^"]*)":(\d+):\d+', location):
                return match[1], int(match[2])
            elif match := re.match(r'callsite\((.*) at (#?\w+)\)$', location):
                inner = self.place(match[1])
                if inner:
                    return inner
                location = match[2]
            elif match := re.match(r'"[^"]*"\((.*)\)$', location):
                location = match[1]
            else:
                return None
        return None
