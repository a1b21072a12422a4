#!/usr/bin/env python3
"""Collects the names that CUDA's public headers declare, one list per library.

    extract_names.py --include /usr/local/cuda/include [--older NAMES.json] --mappings translator/mappings

Only names that a program can spell as a global name are taken: functions, types,
enumerators and macros. Parameter names and struct members are left out, because a
user's variable may well be called the same. `--older` adds names of releases whose
headers are not at hand: a JSON object whose keys are names (values are ignored).

What belongs to which library is said by `headers` and `select` in mappings/*.yml.
Names only: no header text is written.
"""
import argparse
import glob
import json
import os
import re

import yaml

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r'|^[ \t]*\#[ \t]*\w+|[A-Za-z_]\w*|::|->|\.\.\.|[^\sA-Za-z_]', re.S | re.M)
TAGS = {'struct', 'union', 'class', 'enum', 'namespace'}


def declared_names(text):
    """Yields names declared outside of parameter lists and record bodies."""
    text = re.sub(r'\\\r?\n', ' ', text)
    text = re.sub(r'(^[ \t]*#[ \t]*define[ \t]+\w+)[^\n]*', r'\1', text, flags=re.M)
    text = re.sub(r'^[ \t]*#[ \t]*(?!define)\w+[^\n]*', '', text, flags=re.M)
    scopes, parens, tag, define = [], 0, None, False
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token.startswith(('//', '/*', '"', "'")):
            continue
        if token.lstrip().startswith('#'):
            define = True
            continue
        if define:
            define = False
            yield token
            continue
        if token == '(':
            parens += 1
        elif token == ')':
            parens = max(0, parens - 1)
        elif token == '{':
            scopes.append((tag or 'block', parens))
            tag, parens = None, 0
        elif token == '}':
            if scopes:
                parens = scopes.pop()[1]
            tag = None
        elif token == ';':
            tag = None
        elif token in TAGS:
            tag = token
        elif re.match(r'[A-Za-z_]', token):
            if parens == 0 and all(kind in ('enum', 'namespace', 'block') for kind, _ in scopes):
                yield token
            elif parens == 1 and match.start() and text[match.start() - 1] == '*' and not scopes:
                yield token  # typedef result (*name)(...)


def header_names(include, patterns):
    names = set()
    for pattern in patterns:
        for path in glob.glob(os.path.join(include, pattern), recursive=True):
            with open(path, encoding='latin-1') as file:
                names.update(declared_names(file.read()))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--include', required=True)
    parser.add_argument('--older')
    parser.add_argument('--mappings', required=True)
    arguments = parser.parse_args()
    older = set()
    if arguments.older:
        with open(arguments.older, encoding='utf-8') as file:
            older = {name for name in json.load(file) if re.fullmatch(r'[A-Za-z_]\w*', name)}
    taken = set()
    libraries = []
    for path in sorted(glob.glob(os.path.join(arguments.mappings, '*.yml'))):
        with open(path, encoding='utf-8') as file:
            data = yaml.safe_load(file)
        if 'select' in data:
            libraries.append(data)
    for data in sorted(libraries, key=lambda entry: entry['order']):
        select = re.compile(data['select'])
        ignore = re.compile(data.get('ignore', r'(?!)'))
        names = {name for name in header_names(arguments.include, data['headers']) | older
                 if select.search(name) and not ignore.search(name)} - taken
        taken |= names
        with open(os.path.join(arguments.mappings, 'names', data['library'] + '.txt'), 'w',
                  encoding='ascii') as file:
            file.writelines(name + '\n' for name in sorted(names))
        print(f"{data['library']}: {len(names)} names")


if __name__ == '__main__':
    main()
