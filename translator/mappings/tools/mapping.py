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
    kind: str  # rename | keep | call | unported; in load_known() also word | guard | member | unchanged
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
    families: list = field(default_factory=list)
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
        return yaml.load(file, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))  # libyaml's takes a fifth of the time


def load_names(root, library):
    with open(os.path.join(root, 'names', library + '.txt'), encoding='ascii') as file:
        return file.read().split()


def load_libraries(root):
    libraries = []
    for path in sorted(glob.glob(os.path.join(root, '*.yml'))):
        data = load_yaml(root, os.path.basename(path))
        if 'library' not in data:
            continue
        names = set(data.get('also', []))
        if 'select' in data:
            names |= set(load_names(root, data['library']))
        libraries.append(Library(data['library'], data['order'], data.get('rules', []),
                                 data.get('exceptions', []), names, data.get('families', [])))
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


def load_members(root):
    """{member: (target, library)}"""
    libraries = load_yaml(root, 'members.yml')['members']
    return {name: (target, library) for library, members in libraries.items() for name, target in members.items()}


def load_known(root):
    """Everything that is known of CUDA's headers, {name: Entry}: also what changes only in a context, and
    what is the same in MUSA."""
    _, known = load_entries(root)
    guards = load_yaml(root, 'guards.yml')
    for part in ('architecture', 'version', 'release'):
        for name, target in guards[part]['names'].items():
            known[name] = Entry(name, 'guards', 'guard', target, 'renamed together with the number it is compared with')
    for word, target in load_yaml(root, 'words.yml')['paste'].items():
        known.setdefault(  # curand is a function, too
            word, Entry(word, 'words', 'word', target, 'renamed beside ##, as a namespace and in JIT source only'))
    for name, (target, library) in load_members(root).items():
        known[name] = Entry(name, library, 'member', target, "renamed after . and -> in files that use the library")
    for library in ('unchanged', 'members'):
        for name in load_names(root, library):
            known.setdefault(name, Entry(name, library, 'unchanged', name))
    return known
