#!/usr/bin/env python3
"""Writes MUPTI's headers and tables: generate.py API.yml CBIDS.yml RUNTIME.yml DRIVER.yml OUT

  OUT/include/mupti*.h, generated_musa*_meta.h   what programs include; the same as cupti*.h in OUT/include/cuda_alias
  OUT/mupti_calls.cpp                            calls by name: numbers, and how their arguments are laid out
  OUT/mupti_names.cpp                            names of results and of calls by number
  OUT/mupti_not_supported.cpp                    entries that say so
  OUT/mupti_cuda_names.rsp                       the library's functions by CUPTI's names
"""
import copy
import pathlib
import re
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "codegen"))
import alias  # noqa: E402

NOTE = "/* Generated from shim/mupti; do not edit. */\n"
# Our words to CUDA's, in a header's text.
TO_CUDA = (("MUPTI", "CUPTI"), ("MUpti", "CUpti"), ("mupti", "cupti"), ("MTLINK", "NVLINK"), ("MTSWITCH", "NVSWITCH"), ("MTTX", "NVTX"), ("MUBIN", "CUBIN"), ("MUDEVICE", "CUDEVICE"),
           (r"MUSA", "CUDA"), (r"Musa(?=[A-Z]|_)", "Cuda"), (r"musa(?=[A-Z_.])", "cuda"), (r"\bMU(?=[a-z])", "CU"),
           (r"(?<![A-Za-z])mu(?=[A-Z])", "cu"), (r"RESOURCE_MU_", "RESOURCE_CU_"))


def cuda(text):
    for ours, theirs in TO_CUDA:
        text = re.sub(ours, theirs, text)
    for name in alias.SINCE:  # in every version by MUSA's name
        text = re.sub(rf"\b{name}\b", name.replace("cuda", "musa"), text)
    return re.sub(r"union \{ (\w+ \w+); \1; \}", r"\1", text)  # one member by both names


def split(signature):
    """name, "type a, type b" of "name(type a, type b)"."""
    name, parameters = re.fullmatch(r"(\w+)\((.*)\)", signature).groups()
    return name, parameters


def argument_names(parameters):
    return [re.search(r"(\w+)$", one).group(1) for one in parameters.split(", ")] if parameters else []


def enumeration(name, values):
    rows = ",\n".join(f"  {key} = {value:#x}" if value > 0xffff else f"  {key} = {value}" for key, value in values.items())
    return f"typedef enum {{\n{rows}\n}} {name};\n"


def structure(name, record):
    fields = "".join(f"  {field};\n" for field in record["fields"])
    text = f"typedef struct MUPTI_RECORD_ {{\n{fields}}} {name};\n"
    return text + "".join(f"typedef {name} {other};\n" for other in record.get("also", ()))


def parameters_of(name, fields):
    """A record that a call of the range profiler takes; callers give its size."""
    rows = "".join(f"  {field};\n" for field in ("size_t structSize", "void* pPriv", *fields))
    return f"typedef struct {name} {{\n{rows}}} {name};\n#define {name}_STRUCT_SIZE sizeof({name})\n"


def with_vendors(api):
    """What the vendor's interface has beyond CUPTI's as well."""
    whole = copy.deepcopy(api)
    for name, values in whole["vendors"]["enums"].items():
        whole["enums"][name] = {**whole["enums"].get(name, {}), **values}
    whole["structs"].update(whole["vendors"]["structs"])
    activity = whole["headers"]["mupti_activity.h"]
    activity["enums"] += [name for name in whole["vendors"]["enums"] if name not in activity["enums"]]
    return whole


def header(name, content, api):
    guard = re.sub(r"\W", "_", name).upper()
    text = f"{NOTE}#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
    text += ("#ifndef MUPTIAPI\n#define MUPTIAPI\n#endif\n#ifndef MUPTILP64\n#define MUPTILP64 1\n#endif\n"
             "#ifndef MUPTI_RECORD_\n#define MUPTI_RECORD_ __attribute__((__packed__)) __attribute__((aligned(8)))\n#endif\n\n")
    text += content.get("text", "") + "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    text += "\n".join(enumeration(one, api["enums"][one]) for one in content.get("enums", ())) + "\n"
    text += content.get("more", "") + "\n"
    if content.get("structs"):
        text += "\n".join(structure(one, record) for one, record in api["structs"].items()) + "\n"
    text += content.get("tail", "") + "\n"
    text += "\n".join(parameters_of(one, fields) for one, fields in content.get("parameters", {}).items()) + "\n"
    for signature in [*content.get("functions", ()), *content.get("not_supported", ())]:
        function, parameters = split(signature)
        text += f"MUptiResult MUPTIAPI {function}({parameters or 'void'});\n"
    if "cuda_differs" in content:
        # For sources that are compiled as CUDA; a header by CUPTI's name has them anyway.
        text += "#ifdef MUSASHIM_CUDA_SOURCE\n"
        for function, parameters in map(split, content["functions"]):
            if function in content["cuda_differs"]:
                text += f"MUptiResult MUPTIAPI {cuda(function)}({parameters});\n"
        text += "#endif\n"
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"


def cbid_header(kind, numbers):
    prefix = f"MUPTI_{kind.upper()}_TRACE_CBID_"
    guard = f"MUPTI_{kind.upper()}_CBID_H"
    rows = "".join(f"  {prefix}{name} = {number},\n" for name, number in numbers.items())
    return (f"{NOTE}#ifndef {guard}\n#define {guard}\n\ntypedef enum MUpti_{kind}_api_trace_cbid_enum {{\n  {prefix}INVALID = 0,\n{rows}"
            f"  {prefix}SIZE = {max(numbers.values()) + 1},\n  {prefix}FORCE_INT = 0x7fffffff\n}} MUpti_{kind}_api_trace_cbid;\n\n#endif\n")


def base(kind, name):
    return re.sub(r"_v\d{4,5}$", "", name) if kind == "runtime" else name


def calls(kind, numbers, records):
    """(number, its name, record): the newest of each of our functions."""
    by_symbol = {record.get("symbol", record["name"]): record for record in records}
    by_symbol.update({record["name"]: record for record in records if record["name"] not in by_symbol})
    newest = {}
    for name, number in sorted(numbers.items(), key=lambda row: row[1]):
        record = by_symbol.get(base(kind, name))
        if record is None or "_ptsz" in name or "_ptds" in name:
            continue
        exact = base(kind, name) == record.get("symbol", record["name"])
        if record["name"] not in newest or exact:
            newest[record["name"]] = (number, name, record)
    return list(newest.values())


def meta_header(kind, rows):
    name = "generated_musa_runtime_api_meta.h" if kind == "runtime" else "generated_musa_meta.h"
    guard = re.sub(r"\W", "_", name).upper()
    text = f"{NOTE}/* The arguments of calls, for callbacks. */\n#ifndef {guard}\n#define {guard}\n\n#include \"{'musa_runtime_api' if kind == 'runtime' else 'musa'}.h\"\n"
    for _, full, record in rows:
        if record["params"]:
            fields = "".join(f"  {one['type']} {one['name']};\n" for one in record["params"])
            text += f"\ntypedef struct {full}_params_st {{\n{fields}}} {full}_params;\n"
    return name, text + "\n#endif\n"


def calls_source(tables):
    text = (f"{NOTE}#include \"mupti/callback/calls.h\"\n\n#include \"musa.h\"\n#include \"musa_runtime_api.h\"\n\n"
            "namespace musashim::mupti {\nnamespace {\n\n#define PART(type) {sizeof(type), alignof(type)}\n")
    for kind, rows in tables.items():
        entries = ""
        for number, full, record in sorted(rows, key=lambda row: row[2]["name"]):
            parts = [f"PART({one['type']})" for one in record["params"]]
            if parts:
                text += f"constexpr Part k_{full}[] = {{{', '.join(parts)}}};\n"
            entries += f'  {{"{record["name"]}", {number}, {len(parts)}, {"k_" + full if parts else "nullptr"}}},\n'
        text += f"constexpr Call k{kind.capitalize()}Calls[] = {{\n{entries}}};\n\n"
    return text + ("}  // namespace\n\nstd::span<const Call> runtimeCalls() { return kRuntimeCalls; }\n"
                   "std::span<const Call> driverCalls() { return kDriverCalls; }\n\n}  // namespace musashim::mupti\n")


def names_source(api, cbids):
    text = f"{NOTE}#include \"mupti/library/names.h\"\n\nnamespace musashim::mupti {{\nnamespace {{\n\n"
    for kind, numbers in cbids.items():
        rows = "".join(f'  {{{number}, "{name}"}},\n' for name, number in sorted(numbers.items(), key=lambda row: row[1]))
        text += f"constexpr Name k{kind.capitalize()}[] = {{\n{rows}}};\n\n"
    for enum, table in (("MUptiResult", "Results"), ("MUpti_CallbackIdResource", "Resources"), ("MUpti_CallbackIdSync", "Synchronizations")):
        rows = "".join(f'  {{{value}, "{name}"}},\n' for name, value in api["enums"][enum].items() if value < 0x7fffffff)
        text += f"constexpr Name k{table}[] = {{\n{rows}}};\n\n"
    text += "}  // namespace\n\n"
    for table in ("Runtime", "Driver", "Results", "Resources", "Synchronizations"):
        text += f"std::span<const Name> names{table}() {{ return k{table}; }}\n"
    return text + "\n}  // namespace musashim::mupti\n"


def not_supported_source(api):
    text = f"{NOTE}#include \"mupti.h\"\n#include \"mupti_profiler_target.h\"\n#include \"mupti_target.h\"\n#include \"mupti/library/entry.h\"\n"
    for content in api["headers"].values():
        for signature, reason in content.get("not_supported", {}).items():
            function, parameters = split(signature)
            unnamed = ", ".join(re.sub(r"(\w+)$", r"/*\1*/", one) for one in parameters.split(", ")) if parameters else ""
            text += (f"\n// {reason}\nMUPTI_ENTRY MUptiResult MUPTIAPI {function}({unnamed}) {{\n"
                     f"  return musashim::mupti::remember(MUPTI_ERROR_NOT_SUPPORTED);\n}}\n")
    return text


def support_page(api):
    rows = []
    for content in api["headers"].values():
        rows += [(split(one)[0], "supported", "") for one in content.get("functions", ())]
        rows += [(split(one)[0], "not supported", reason) for one, reason in content.get("not_supported", {}).items()]
    lines = ["# Support: libmupti", "", "CUPTI's activity and callback interfaces, and its events of what the emulator counts. There is no metric, no sampling and no range profiler.", "",
             "| function | status | |", "| --- | --- | --- |"]
    return "\n".join(lines + [f"| `{name}` | {status} | {reason} |" for name, status, reason in rows]) + "\n"


def main():
    api, cbids, runtime, driver = (yaml.safe_load(pathlib.Path(path).read_text()) for path in sys.argv[1:5])
    out = pathlib.Path(sys.argv[5])
    cuda_files = {name: header(name, content, api) for name, content in api["headers"].items()}
    whole = with_vendors(api)
    files = {name: header(name, content, whole) for name, content in whole["headers"].items()}
    files.update({f"mupti_{kind}_cbid.h": cbid_header(kind, numbers) for kind, numbers in cbids.items()})
    tables = {kind: calls(kind, cbids[kind], records["apis"]) for kind, records in (("runtime", runtime), ("driver", driver))}
    files.update(meta_header(kind, rows) for kind, rows in tables.items())
    includes = "".join(f'#include "{name}"\n' for name in files
                       if name.startswith(("mupti_", "generated_")) and not api["headers"].get(name, {}).get("alone"))
    files["mupti.h"] = f"{NOTE}#ifndef MUPTI_H\n#define MUPTI_H\n\n{includes}\n#endif\n"
    functions = [split(one)[0] for content in api["headers"].values()
                 for one in [*content.get("functions", ()), *content.get("not_supported", ())]]
    differing = {one for content in api["headers"].values() for one in content.get("cuda_differs", ())}
    written = {f"include/{name}": text for name, text in files.items()}
    written.update({f"include/cuda_alias/{cuda(name)}": cuda(cuda_files.get(name, text)) for name, text in files.items()})
    written.update({"mupti_calls.cpp": calls_source(tables), "mupti_names.cpp": names_source(api, cbids),
                    "mupti_not_supported.cpp": not_supported_source(api), "mupti_support.md": support_page(api),
                    "mupti_cuda_names.rsp": "".join(f"-Wl,--defsym={cuda(name)}={name}\n" for name in functions if name not in differing)})
    for name, text in written.items():
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


if __name__ == "__main__":
    main()
