#!/usr/bin/env python3
"""Writes the entries by which the recorder stands before the driver's: generate.py CALLS.h DRIVER.yml OUT.inc

For each call of calls.h its arguments as a structure, and functions by the driver's names (the vendor's and CUDA's, and
those for the per-thread default stream) that tell the recorder and make the call.
"""
import pathlib
import re
import sys

import yaml

ROW = re.compile(r"^(EVENT|AFTER|BEFORE)\((\w+), (none|ptsz|ptds), ", re.M)


def declared(parameter):
    return f"{parameter['type']} {parameter['name']}"


def parameters_of(record):
    """Parameters with `name` and `type`; records have the short form {name: type} too."""
    return [p if "type" in p else dict(zip(("name", "type"), next(iter(p.items())))) for p in record["params"]]


def main():
    calls, driver, out = map(pathlib.Path, sys.argv[1:])
    records = {record.get("symbol", record["name"]): record for record in yaml.safe_load(driver.read_text())["apis"]}
    text = ["// Generated from shim/diff/record/calls.h and shim/api/driver.yml; do not edit.", "#ifdef STRUCTURES"]
    functions, table = [], []
    for _, name, form in ROW.findall(calls.read_text()):
        record = records.get("mu" + name)
        if record is None:
            sys.exit(f"generate.py: calls.h has {name}, and {driver} has no mu{name}")
        parameters = parameters_of(record)
        text.append(f"struct {name}_params {{ {' '.join(declared(p) + ';' for p in parameters)} }};")
        for suffix in ("", *(("_" + form,) if form != "none" else ())):
            whole = f"mu{name}{suffix}"
            arguments = ", ".join(p["name"] for p in parameters)
            functions.append(
                f"ENTRY MUresult {whole}({', '.join(map(declared, parameters))}) {{\n"
                f"  static const auto real = next<MUresult({', '.join(p['type'] for p in parameters)})>(\"{whole}\");\n"
                f"  return told(musashim::record::{name}_params{{{arguments}}}, [&] {{ return real({arguments}); }});\n}}\n"
                f"ENTRY MUresult cu{name}{suffix}({', '.join(map(declared, parameters))}) __attribute__((alias(\"{whole}\")));")
            table.append(f"{{\"{whole}\", reinterpret_cast<void*>({whole})}},")
    text += ["#else", *functions, "const Entry kEntries[] = {", *table, "};", "#endif"]
    out.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
