#!/usr/bin/env python3
"""Writes what follows from the records of a library for monitoring: generate.py RECORDS.yml OUT

  OUT/<library>_detail/<library>_functions.h   prototypes, for the public header
  OUT/<library>_not_supported.cpp              entries that say so
  OUT/<library>_older.cpp                      the same functions by older names
  OUT/<library>_support.md                     what is there, and why the rest is not
"""
import pathlib
import re
import sys

import yaml


def parameters(record):
    return [next(iter(entry.items())) for entry in record["params"]]


def prototype(record, names=True):
    arguments = ", ".join(f"{kind} {name}" if names else kind for name, kind in parameters(record)) or "void"
    return f"{record['returns']} {record['name']}({arguments})"


def functions_header(library, records):
    lines = ["/* Generated from shim/mtml; do not edit. */"]
    lines += [f"{library.upper()}_API {prototype(record)};" for record in records]
    lines += [f"{library.upper()}_API {prototype({**record, 'name': name})};"
              for record in records for name in record.get("older", ())]
    # Sources name a function without its version, and get the newest.
    macros = [(name, record["name"]) for record in records for name in [*record.get("older", ()), record.get("macro")]
              if name and not re.search(r"_v\d+$", name)]
    if macros:
        lines += ["", f"#ifndef {library.upper()}_NO_UNVERSIONED_FUNC_DEFS", *(f"#define {a} {b}" for a, b in macros), "#endif"]
    return "\n".join(lines) + "\n"


def older_source(library, records):
    """Older names are functions of their own: programs look them up."""
    text = (f"// Generated from shim/mtml; do not edit. Older names of functions.\n"
            f"#ifndef {library.upper()}_NO_UNVERSIONED_FUNC_DEFS\n#define {library.upper()}_NO_UNVERSIONED_FUNC_DEFS\n#endif\n#include \"{library}.h\"\n\nextern \"C\" {{\n")
    for record in records:
        names = ", ".join(name for name, _ in parameters(record))
        for older in record.get("older", ()):
            text += f"\n{prototype({**record, 'name': older})} {{ return {record['name']}({names}); }}\n"
    return text + '\n}  // extern "C"\n'


def not_supported_source(library, code, records):
    text = (f"// Generated from shim/mtml; do not edit. Entries that are not supported.\n"
            f'#include "mtml/api/entry.h"\n#include "{library}.h"\n\nextern "C" {{\n')
    for record in records:
        names = "".join(f", {name}" for name, _ in parameters(record))
        text += (f"\n// {record['reason']}\n{prototype(record)} {{\n"
                 f"  return musashim::mtml::entry(\"{record['name']}\", [] {{ return {code}; }}{names});\n}}\n")
    return text + '\n}  // extern "C"\n'


def support_page(library, records):
    rows = []
    for record in records:
        status = record.get("status", "supported")
        rows.append(f"| `{record['name']}` | {status.replace('_', ' ')} | {record.get('reason', record.get('note', ''))} |")
    return (f"# lib{library}\n\nGenerated from its records.\n\n| function | status | notes |\n|---|---|---|\n"
            + "\n".join(rows) + "\n")


def load(path):
    document = yaml.safe_load(path.read_text())
    records = [{"returns": document["returns"], "params": [], **record} for record in document["apis"]]
    names = [record["name"] for record in records]
    for record in records:
        if names.count(record["name"]) > 1:
            sys.exit(f"{path}: {record['name']} is listed twice")
        if record.get("status", "supported") not in ("supported", "not_supported"):
            sys.exit(f"{path}: {record['name']}: unknown status {record['status']}")
        if record.get("status") == "not_supported" and not record.get("reason"):
            sys.exit(f"{path}: {record['name']}: not_supported needs a reason")
    return document["library"], document["not_supported"], records


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    source, out = map(pathlib.Path, sys.argv[1:])
    library, code, records = load(source)
    write(out / f"{library}_detail/{library}_functions.h", functions_header(library, records))
    refused = [record for record in records if record.get("status") == "not_supported"]
    write(out / f"{library}_not_supported.cpp", not_supported_source(library, code, refused))
    write(out / f"{library}_older.cpp", older_source(library, records))
    write(out / f"{library}_support.md", support_page(library, records))


if __name__ == "__main__":
    main()
