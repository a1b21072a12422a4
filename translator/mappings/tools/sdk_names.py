#!/usr/bin/env python3
"""Names of the runtime, the driver and NCCL that musaport produces, but this SDK's headers lack.

    sdk_names.py [MAPPINGS]                         compares them with mappings/absent.yml; exit status 1 if they differ
    sdk_names.py [MAPPINGS] --tidy                  takes those out of mappings/absent.yml that the headers have now
    sdk_names.py [MAPPINGS] --write VENDOR.json     writes mappings/absent.yml, with the vendor's public table

Left out are names that no source uses: records of tracing tools, include guards, tags of typedefs, and the per-thread and
versioned spellings that headers give to functions by macros.
"""
import argparse
import json
import pathlib
import re
import textwrap

import mapping

HERE = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ('runtime', 'driver', 'collectives')
INTERNAL = re.compile(r'_params(_st)?$|_pts[zd]$|(_st|_enum|_union)$|^_|_H_*$|_v\d+$|^PFN_|TYPEDEFS|_internal$')
TEXT = '''# What musaport produces and this SDK's headers lack: written by tools/sdk_names.py, which also checks it.
# vendor: the vendor's public table has them, so MUSA's own SDK does. --semantic reports them as missing here.
# unproven: neither has them, mostly because CUDA 12 or 13 does only: renamed by the rules, and each use is noted.
unproven:
  reason: neither the vendor's public table nor this SDK has this name
  remedy: look it up in the SDK at hand; without it, keep this behind a guard
  names:
{unproven}
vendor:
{vendor}
'''


def produced(root):
    _, entries = mapping.load_entries(str(root))
    return [e for e in entries.values() if e.kind == 'rename' and e.library in LIBRARIES and not INTERNAL.search(e.name)]


def declared(root):
    """Every word of the headers and of the records that others are made of, beside those that say what is not there."""
    shim = root.resolve().parents[1] / 'shim'
    files = [path for path in (shim / 'include').rglob('*') if path.is_file()] + [*(shim / 'api').glob('*.yml'), shim / 'mupti' / 'api.yml']
    words = set()
    for path in files:
        if path.name not in ('absent.yml', 'graphics_interop.h'):
            words.update(re.findall(r'[A-Za-z_]\w*', path.read_text(encoding='utf-8', errors='replace')))
    return words


def absent(root):
    words = declared(root)
    return sorted(entry.name for entry in produced(root) if entry.target not in words)


def unlisted(root):
    """Absent, but not listed; and listed, but not absent any more."""
    data = mapping.load_yaml(str(root), 'absent.yml')
    listed, found = set(data['unproven']['names']) | set(data['vendor']), set(absent(root))
    return sorted(found - listed), sorted(listed - found)


def lines(names):
    rows = textwrap.wrap(', '.join(names), 140, break_long_words=False, break_on_hyphens=False)
    return '    [' + '\n     '.join(rows) + ']'


def write(root, unproven, vendor):
    (root / 'absent.yml').write_text(TEXT.format(unproven=lines(unproven), vendor=lines(vendor)), encoding='utf-8')


def tidy(root):
    data, found = mapping.load_yaml(str(root), 'absent.yml'), set(absent(root))
    write(root, [n for n in data['unproven']['names'] if n in found], [n for n in data['vendor'] if n in found])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('mappings', nargs='?', type=pathlib.Path, default=HERE)
    parser.add_argument('--tidy', action='store_true')
    parser.add_argument('--write', type=pathlib.Path, metavar='VENDOR.json')
    arguments = parser.parse_args()
    if arguments.write:
        vendor, names = json.loads(arguments.write.read_text(encoding='utf-8')), absent(arguments.mappings)
        write(arguments.mappings, [n for n in names if n not in vendor], [n for n in names if n in vendor])
    if arguments.tidy:
        tidy(arguments.mappings)
    missing, stale = unlisted(arguments.mappings)
    for name in missing:
        print(f'{name}: the SDK lacks what it becomes, and absent.yml does not list it')
    for name in stale:
        print(f'{name}: listed in absent.yml, but the SDK has it now; sdk_names.py --tidy takes it out')
    print(f'{len(missing)} unlisted, {len(stale)} no longer absent, of {len(produced(arguments.mappings))} names')
    return 1 if missing or stale else 0


if __name__ == '__main__':
    raise SystemExit(main())
