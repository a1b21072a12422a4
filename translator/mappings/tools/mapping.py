"""Reads mappings/*.yml and names/*.txt and says what becomes of each known CUDA name.

One place decides, for the build-time tables, the data tests and the documentation alike:
an exception first (by name, then by pattern, in file order), then all rules of the name's
library in order, each applied to the result of the one before.
"""
import glob
import os
import re
from dataclasses import dataclass, field

import yaml


@dataclass
class Entry:
    name: str
    library: str
    kind: str  # rename | keep | call | unported
    target: str = ''
    reason: str = ''
    remedy: str = ''


@dataclass
class Library:
    name: str
    order: int
    rules: list
    exceptions: list
    names: set
    hits: dict = field(default_factory=dict)  # rule or exception index -> number of names

    def _hit(self, key):
        self.hits[key] = self.hits.get(key, 0) + 1

    def resolve(self, name):
        for index, exception in enumerate(self.exceptions):
            if 'name' in exception:
                match = exception['name'] == name
                target = exception.get('to', '')
            else:
                match = re.search(exception['match'], name)
                target = match.expand(exception.get('to', '')) if match else ''
            if not match:
                continue
            self._hit(('exception', index))
            reason, remedy = exception.get('reason', ''), exception.get('remedy', '')
            if 'unported' in exception:
                return Entry(name, self.name, 'unported', '', exception['unported'], remedy)
            if 'call' in exception:
                return Entry(name, self.name, 'call', exception['call'], reason, remedy)
            return Entry(name, self.name, 'keep' if target == name else 'rename', target, reason, remedy)
        target = name
        for index, rule in enumerate(self.rules):
            changed = re.sub(rule['match'], rule['replace'], target)
            if changed != target:
                self._hit(('rule', index))
                target = changed
        return Entry(name, self.name, 'keep' if target == name else 'rename', target)


def load_yaml(root, name):
    with open(os.path.join(root, name), encoding='utf-8') as file:
        return yaml.safe_load(file)


def load_libraries(root):
    libraries = []
    for path in sorted(glob.glob(os.path.join(root, '*.yml'))):
        data = load_yaml(root, os.path.basename(path))
        if 'library' not in data:
            continue
        with open(os.path.join(root, 'names', data['library'] + '.txt'), encoding='ascii') as file:
            names = set(file.read().split())
        names |= set(data.get('also', []))
        libraries.append(Library(data['library'], data['order'], data.get('rules', []),
                                 data.get('exceptions', []), names))
    return sorted(libraries, key=lambda library: (library.order, library.name))


def load_entries(root):
    """All known names, {name: Entry}; a name belongs to the first library that lists it."""
    libraries = load_libraries(root)
    entries = {}
    for library in libraries:
        for name in sorted(library.names):
            if name not in entries:
                entries[name] = library.resolve(name)
    return libraries, entries
