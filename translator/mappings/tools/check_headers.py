#!/usr/bin/env python3
"""Are all names of CUDA's headers known to the mappings? check_headers.py [--include CUDA/include] [--mappings DIR]

Looks at the headers that coverage.yml names, in the folder given or beside the nvcc on PATH. Prints one
line per library and the names that are neither mapped nor listed as unchanged or unsupported; exit status
1 if there is one, 77 if there are no headers.
"""
import argparse
import collections
import os
import pathlib
import shutil
import sys

import headers
import mapping


def find_include():
    """The include folder of the CUDA toolkit on this machine, or None."""
    candidates = [os.environ.get('CUDA_HOME'), os.environ.get('CUDA_PATH')]
    nvcc = shutil.which('nvcc')
    if nvcc:
        candidates.append(str(pathlib.Path(nvcc).resolve().parents[1]))
    for candidate in candidates + ['/usr/local/cuda']:
        if candidate and os.path.exists(os.path.join(candidate, 'include', 'cuda_runtime.h')):
            return os.path.join(candidate, 'include')
    return None


def names_by_library(mappings, include):
    coverage = mapping.load_yaml(mappings, 'coverage.yml')['headers']
    return {library: headers.declared_in([include], patterns) for library, patterns in coverage.items()}


def unknown_names(mappings, include):
    """{library: [names of its headers that are not known]}"""
    known = mapping.load_known(mappings)
    families = tuple(family['prefix'] for library in mapping.load_libraries(mappings) for family in library.families)
    return {library: sorted(name for name in names if name not in known and not name.startswith(families))
            for library, names in names_by_library(mappings, include).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--include', default=find_include())
    parser.add_argument('--mappings', default=str(pathlib.Path(__file__).resolve().parents[1]))
    arguments = parser.parse_args()
    if not arguments.include:
        print('no CUDA headers found; give --include')
        return 77
    known = mapping.load_known(arguments.mappings)
    unknown = unknown_names(arguments.mappings, arguments.include)
    print(f'{arguments.include}:')
    for library, names in names_by_library(arguments.mappings, arguments.include).items():
        kinds = collections.Counter(known[name].kind if name in known else 'unknown' for name in names)
        print(f'  {library:12} {len(names):5} names: ' + ', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items())))
        for name in unknown[library]:
            print(f'    unknown: {name}')
    return 1 if any(unknown.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
