#!/usr/bin/env python3
"""Writes everything that follows from the API records of shim/api.

  include/musa_detail/*.h   enums and prototypes that the public headers include
  include/musa_detail/<library>_functions.h   prototypes of the libraries of shim/libs
  include/musa_detail/mudnn_backend_enums.h   kinds and attributes of muDNN's graph interface
  include/musaTypedefs.h    types of the driver API's functions
  include/cuda_alias/*.h    CUDA names for the MUSA ones, so that unported code compiles
  src/*_faces.cpp           functions that answer otherwise by CUDA's names
  src/*_cuda_names.rsp      what makes our functions known by CUDA's names in the libraries too
  src/*.inc, src/*.cpp      error and attribute tables, entry tables, not-supported stubs, names that tell sources apart
  doc/api_support.md        the support matrix
  doc/vendor_instructions.md   the vendor's matrix instructions and SIMD; their functions are in include/musa_detail

Files are rewritten only when their content changes, so that nothing rebuilds for nothing.
"""
import argparse
import pathlib
import sys

import jinja2

import alias
import coverage
import faces
import instructions
import legacy
import per_thread
import records
import typedefs
import vendor_gaps

HERE = pathlib.Path(__file__).resolve().parent


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--api", type=pathlib.Path, required=True, help="folder of the records")
    parser.add_argument("--headers", type=pathlib.Path, required=True, help="folder of the public headers")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder to write to")
    parser.add_argument("--tests-of", type=pathlib.Path, required=True, help="the project, whose tests the matrix names")
    parser.add_argument("--cuda-version", required=True, help="of the toolkit that the CUDA face is, MAJOR.MINOR")
    parser.add_argument("--vendor", type=pathlib.Path, required=True, help="what the vendor's SDK lacks: vendor.yml")
    args = parser.parse_args()

    try:
        api = records.load(args.api)
        gaps = vendor_gaps.load(args.vendor, api)
    except records.RecordError as error:
        sys.exit(f"generate.py: {error}")

    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def render(template, target, **values):
        write(args.out / target, env.get_template(template).render(**values))

    detail = "include/musa_detail"
    render("runtime_enums.h.j2", f"{detail}/runtime_enums.h", api=api)
    render("driver_enums.h.j2", f"{detail}/driver_enums.h", api=api)
    render("runtime_functions.h.j2", f"{detail}/runtime_functions.h", apis=api.library("musart"))
    # What answers otherwise by CUDA's name is a function of its own.
    differing = {library: [f for f in api.library(library) if "cuda_differs" in f] for library in ("musart", "musa")}
    major, minor = map(int, args.cuda_version.split("."))
    cuda_version = 1000 * major + 10 * minor
    for library, header in (("musart", "cuda_runtime_functions.h"), ("musa", "cuda_driver_functions.h")):
        render("cuda_functions.h.j2", f"{detail}/{header}", apis=differing[library], macro=alias.VERSIONS[library],
               version=cuda_version)
    driver_variants = per_thread.driver_variants(api.library("musa"))
    render("driver_functions.h.j2", f"{detail}/driver_functions.h", apis=api.library("musa"), per_thread=driver_variants)
    render("driver_per_thread.h.j2", "src/musa_per_thread.h", variants=driver_variants.values())
    render("driver_per_thread.cpp.j2", "src/musa_per_thread.cpp", variants=driver_variants.values())
    render("errors.inc.j2", "src/musa_errors.inc", rows=[e for e in api.errors if "driver" in e], name="driver")
    render("errors.inc.j2", "src/musart_errors.inc", rows=[e for e in api.errors if "runtime" in e], name="runtime")
    render("error_texts.h.j2", f"{detail}/error_texts.h", rows=[e for e in api.errors if "runtime" in e])
    render("device_attributes.inc.j2", "src/device_attributes.inc",
           rows=api.attributes)
    render("typedefs.h.j2", "include/musaTypedefs.h", typedefs=typedefs.load(args.api, api.library("musa")))
    render("entry_points.inc.j2", "src/musa_entry_points.inc", apis=api.library("musa"), per_thread=driver_variants,
           versions=typedefs.versions(args.api))
    for library, header in (("musa", "musa.h"), ("musart", "musa_runtime_api.h")):
        stubs = [a for a in api.library(library) if a["status"] == "not_supported"]
        render("stubs.cpp.j2", f"src/{library}_stubs.cpp", apis=stubs, library=library, header=header)
    render("forwards.cpp.j2", "src/musart_forwards.cpp",
           apis=[a for a in api.library("musart") if "forward" in a])
    # mccl's entries come in pairs, which its own macro makes.
    stubs = [a for a in api.library("mccl") if a["status"] == "not_supported"]
    render("mccl_stubs.cpp.j2", "src/mccl_stubs.cpp", apis=stubs)
    variants = per_thread.variants(api.library("musart"))
    render("per_thread.cpp.j2", "src/musart_per_thread.cpp", variants=variants)
    render("per_thread.h.j2", f"{detail}/runtime_per_thread.h", variants=variants)
    twins = {"musart": [(v["name"], records.cuda_name(v["name"])) for v in variants],
             "musa": [(v["symbol"], records.cuda_name(v["symbol"])) for v in driver_variants.values()],
             "mccl": [("p" + f["symbol"], "p" + f["cuda"]) for f in api.library("mccl")]}
    for library in api.vendor_libraries():
        functions = api.library(library)
        for part in dict.fromkeys(f.get("part", "") for f in functions):  # each with a header of its own
            render("library_functions.h.j2", f"{detail}/{library}{part and '_' + part}_functions.h",
                   apis=[f for f in functions if f.get("part", "") == part], faces=faces)
        forwards = [f for f in functions if "forward" in f]
        for group in dict.fromkeys(f["group"] for f in forwards):
            render("library_entries.cpp.j2", f"src/{library}_{group}.cpp", library=library, group=group,
                   apis=[f for f in forwards if f["group"] == group], faces=faces)
        twins[library] = []
    for library in faces.LIBRARIES:
        render("library_faces.cpp.j2", f"src/{library}_faces.cpp", library=library,
               functions=[(f, faces.cuda_symbol(f)) for f in api.library(library) if faces.has_faces(f)])
    for library, others in twins.items():
        pairs = [(f["symbol"], faces.cuda_symbol(f)) for f in api.library(library)
                 if f["cuda"] not in (None, f["name"]) and "cuda_differs" not in f and not faces.has_faces(f)]
        # Versions of a name that stand for the same function.
        pairs += [(f["symbol"], name) for f in api.library(library) if "also" in f for name in (f["also"], records.cuda_name(f["also"]))]
        render("cuda_names.rsp.j2", f"src/{library}_cuda_names.rsp", pairs=sorted(set(pairs + others)))
    render("mublas_legacy_functions.h.j2", f"{detail}/mublas_legacy_functions.h", functions=legacy.functions(api.library("mublas")))
    render("api_support.md.j2", "doc/api_support.md", api=api, gaps=gaps,
           coverage=coverage.Coverage(args.tests_of, api.functions))

    backend = records.read_yaml(args.api / "mudnn_backend.yml")
    for descriptor in backend["descriptors"]:
        for attribute in descriptor["attributes"]:
            attribute.update({"of": attribute.get("of"), "many": attribute.get("many", False)})
    render("mudnn_backend_enums.h.j2", f"{detail}/mudnn_backend_enums.h", backend=backend)
    render("mudnn_backend_attributes.inc.j2", "src/mudnn_backend_attributes.inc", backend=backend)

    vendor = instructions.load(args.api)
    render("vendor_instructions.h.j2", f"{detail}/vendor_instructions.h", instructions=vendor)
    render("vendor_instructions.md.j2", "doc/vendor_instructions.md", instructions=vendor)

    for header in alias.RAND_PARTS.values():
        render("part.h.j2", f"include/{header}", header=header, whole="murand_kernel.h")
    own = alias.SPELLINGS | set(alias.VERSIONS.values()) | {name for name, since in alias.SINCE.items() if cuda_version < since} | {f["name"] for f in api.functions} | {f["cuda"] for fs in differing.values() for f in fs}
    names = alias.public_names([args.headers, args.out / detail, args.out / "include"])
    for header, family, include in alias.HEADERS:
        version = [(alias.VERSION_OF[family], cuda_version)] if family in alias.VERSION_OF else []
        if header == "cudnn_version.h":  # build systems read the numbers in it
            version = alias.dnn_version(args.headers)
        render("cuda_alias.h.j2", f"include/cuda_alias/{header}", include=include, header=header,
               pairs=alias.pairs(names, family, own) + version)
    render("source_names.inc.j2", "src/source_names.inc", lists=alias.source_names(names, args.headers))
    render("cuda_alias.h.j2", f"{detail}/cuda_kept_names.h", include=[], header="cuda_kept_names.h", pairs=alias.kept_pairs(names))
    for header, include, theirs, ours in alias.NAMESPACES:
        render("cuda_namespace.h.j2", f"include/cuda_alias/{header}", include=include, theirs=theirs, ours=ours)


if __name__ == "__main__":
    main()
