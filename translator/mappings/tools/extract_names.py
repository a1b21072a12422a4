#!/usr/bin/env python3
"""Collects the names that CUDA's public headers declare, one list per library.

    extract_names.py --include CUDA/include [--include OLDER/include ...] [--older NAMES.json] --mappings translator/mappings

Several releases give the union of their names. `--older` adds names of releases whose headers
are not at hand: a JSON object whose keys are names (values are ignored).

What belongs to which library is said by `headers` and `select` in mappings/*.yml. What is left of
the headers named in coverage.yml goes to names/unchanged.txt (the same name in MUSA) and
names/members.txt (members of records). Names only: no header text is written.
"""
import argparse
import glob
import json
import os
import re

import yaml

import headers


def write(mappings, library, names, keep_old=True):
    """A name that a release once had stays known."""
    path = os.path.join(mappings, 'names', library + '.txt')
    if keep_old and os.path.exists(path):
        with open(path, encoding='ascii') as file:
            names |= set(file.read().split())
    with open(os.path.join(mappings, 'names', library + '.txt'), 'w', encoding='ascii') as file:
        file.writelines(name + '\n' for name in sorted(names))
    print(f'{library}: {len(names)} names')


def load(path):
    with open(path, encoding='utf-8') as file:
        return yaml.safe_load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--include', required=True, action='append')
    parser.add_argument('--older')
    parser.add_argument('--mappings', required=True)
    arguments = parser.parse_args()
    older = set()
    if arguments.older:
        with open(arguments.older, encoding='utf-8') as file:
            older = {name for name in json.load(file) if re.fullmatch(r'[A-Za-z_]\w*', name)}
    libraries = [load(path) for path in sorted(glob.glob(os.path.join(arguments.mappings, '*.yml')))]
    libraries = [data for data in libraries if 'library' in data]
    taken = set()
    for data in libraries:
        taken |= set(data.get('also', []))
    for data in sorted((data for data in libraries if 'select' in data), key=lambda entry: entry['order']):
        select = re.compile(data['select'])
        ignore = re.compile(data.get('ignore', r'(?!)'))
        kinds = data.get('declared', 'global').split()
        declared = {name for name, kind in headers.declared_in(arguments.include, data['headers']).items() if kind in kinds}
        names = {name for name in declared | older if select.search(name) and not ignore.search(name)} - taken
        write(arguments.mappings, data['library'], names)
        taken |= names
    coverage = load(os.path.join(arguments.mappings, 'coverage.yml'))
    rest = {}
    for patterns in coverage['headers'].values():
        for name, kind in headers.declared_in(arguments.include, patterns).items():
            if rest.get(name) != 'global':
                rest[name] = kind
    context = load(os.path.join(arguments.mappings, 'words.yml'))['paste']
    guards = load(os.path.join(arguments.mappings, 'guards.yml'))
    known = taken | set(context) | set(guards['architecture']['names']) | set(guards['version']['names']) | set(guards['release']['names'])
    for library, wanted in (('unchanged', 'global'), ('members', 'member')):
        write(arguments.mappings, library, {name for name, kind in rest.items() if kind == wanted and name not in known},
              keep_old=False)


if __name__ == '__main__':
    main()
