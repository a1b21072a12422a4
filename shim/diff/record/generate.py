#!/usr/bin/env python3
"""Writes the entries by which the recorder stands before others' functions: generate.py CALLS.h API_FOLDER OUT_FOLDER

  preload_calls.inc   the driver's: for each call of calls.h its arguments as a structure, and functions by its names (the
                      vendor's and CUDA's, and those for the per-thread default stream)
  library_calls.inc   those of the libraries for mathematics, and of MCCL, that work on device memory
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "codegen"))
import records  # noqa: E402

ROW = re.compile(r"^(EVENT|AFTER|BEFORE)\((\w+), (none|ptsz|ptds), ", re.M)
LIBRARIES = ("mublas", "mublasLt", "mufft", "murand", "musolver", "musparse", "mudnn")
# Their operands are behind descriptors: any memory may be written.
BEHIND_DESCRIPTORS = ("mublasLt", "mudnn", "musparse")
# Makes or asks about objects. Copies that a Set or Get makes are told as copies.
NO_WORK = re.compile(r"Create|Destroy|Set[A-Z]|Get[A-Z]|[bB]uffer|Workspace|Version|Logger|Query|Propert|Estimate|Heuristic|MakePlan|Size|[pP]lan[123M]|Malloc|Free|Restore|DeviceSelect|Begin|End")
BY_VALUE = ("muComplex", "muDoubleComplex")


def declared(parameter):
    return f"{parameter['type']} {parameter['name']}"


def driver_calls(calls, api):
    by_symbol = {record["symbol"]: record for record in api.library("musa")}
    text = ["// Generated from shim/diff/record/calls.h and shim/api/driver.yml; do not edit.", "#ifdef STRUCTURES"]
    functions, table = [], []
    for _, name, form in ROW.findall(calls.read_text()):
        record = by_symbol.get("mu" + name)
        if record is None:
            sys.exit(f"generate.py: calls.h has {name}, and the driver has no mu{name}")
        parameters = record["params"]
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
    return text + ["#else", *functions, "const Entry kEntries[] = {", *table, "};", "#endif"]


# Pointers, handles, enumerations and integers are all passed alike, in a register or a place of 8 bytes (System V ABI for
# AMD64), so one declaration fits both vendors' headers.
def passed(parameter):
    kind = parameter["type"].removeprefix("const ")
    return kind if kind in ("float", "double") else "long"


def entries(record, call, more):
    kinds = [passed(p) for p in record["params"]]
    parameters = ", ".join(f"{kind} a{i}" for i, kind in enumerate(kinds))
    arguments = ", ".join(f"a{i}" for i in range(len(kinds)))
    words = ", ".join(f"a{i}" for i, kind in enumerate(kinds) if kind == "long")
    ours, theirs = record["symbol"], record.get("cuda_symbol") or record["cuda"]
    yield (f"ENTRY long {ours}({parameters}) {{\n  static void* real;\n"
           f"  {call} call(real, \"{ours}\", \"{theirs}\"{more}, {{{words}}});\n"
           f"  return call.end(reinterpret_cast<long (*)({', '.join(kinds)})>(real)({arguments}));\n}}")
    if theirs and theirs != ours:
        yield f"ENTRY long {theirs}({parameters}) __attribute__((alias(\"{ours}\")));"


def library_calls(api):
    text = ["// Generated from shim/api; do not edit."]
    for record in api.functions:
        library = record["library"]
        if library not in LIBRARIES or record["status"] == "not_supported" or NO_WORK.search(record["name"]):
            continue
        if any(p["type"].removeprefix("const ") in BY_VALUE for p in record["params"]):
            continue
        pointers = any(p["type"].endswith("*") and "char" not in p["type"] for p in record["params"])
        if not pointers and "Execute" not in record["name"]:
            continue
        every = "true" if library in BEHIND_DESCRIPTORS else "false"
        text += entries(record, "LibraryCall", f", {every}")
    for record in api.library("mccl"):
        types = {p["type"] for p in record["params"]}
        if record["status"] != "not_supported" and {"mcclComm_t", "musaStream_t"} <= types:
            text += entries(record, "CollectiveCall", "")
    return text


def main():
    calls, folder, out = map(pathlib.Path, sys.argv[1:])
    api = records.load(folder)
    (out / "preload_calls.inc").write_text("\n".join(driver_calls(calls, api)) + "\n")
    (out / "library_calls.inc").write_text("\n".join(library_calls(api)) + "\n")


if __name__ == "__main__":
    main()
