"""CUDA names for the names of our public headers (include/cuda_alias)."""
import re

# The header to write, the names it holds and what it includes.
HEADERS = (
    ("cuda_runtime_api.h", "runtime", ["musa_runtime_api.h"]),
    ("cuda_runtime.h", "runtime", ["musa_runtime.h"]),
    ("cuda_profiler_api.h", "runtime", ["musa_profiler_api.h"]),
    ("cuda.h", "driver", ["musa.h"]),
    ("nccl.h", "collectives", ["mccl.h", "cuda_runtime.h"]),
)

FILES = {
    "runtime": ("driver_types.h", "musa_runtime_api.h", "musa_runtime.h", "crt/runtime_graph_types.h",
                "runtime_enums.h", "runtime_functions.h"),
    "driver": ("musa.h", "crt/driver_image_types.h", "crt/driver_vmm_types.h", "crt/driver_graph_types.h",
               "driver_enums.h", "driver_functions.h"),
    "collectives": ("mccl.h",),
}

# Longest first within a family: what a name of ours begins with, and CUDA's.
PREFIXES = (
    ("make_musa", "make_cuda"), ("MUSART_", "CUDART_"), ("MUSA_", "CUDA_"), ("musa", "cuda"),
    ("MCCL_", "NCCL_"), ("mccl", "nccl"), ("pmccl", "pnccl"), ("muuint", "cuuint"),
    ("MU_", "CU_"), ("MU", "CU"), ("mu", "cu"),
)

# Words inside names that differ as well.
WORDS = (("Mtlink", "Nvlink"), ("MTLINK", "NVLINK"), ("MusartUnloading", "CudartUnloading"),
         ("MusaArray", "CudaArray"), ("MUSA_ARRAY", "CUDA_ARRAY"), ("MUSA_VMM", "CUDA_VMM"),
         ("MUCONTEXT", "CUCONTEXT"), ("CommMuDevice", "CommCuDevice"), ("LEGACY_MUSA", "LEGACY_CUDA"),
         ("UnhandledMusaError", "UnhandledCudaError"))

NAME = re.compile(r"\b(?:make_musa[A-Z]\w*|MUSART_[A-Z]\w*|MUSA_[A-Z]\w*|musa[A-Z]\w*|p?mccl[A-Z]\w*|MCCL_\w+"
                  r"|muuint\d+_t|MU_[A-Z]\w*|MU[a-z]\w*|mu[A-Z]\w*)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|#include[^\n]*", re.S)
PRIVATE = re.compile(r"^(musashim|MUSASHIM|Musashim|MUSART_DEFAULT$|MCCL_H_$|MUSART_CB$)|_H_?$")


def public_names(folders):
    names = {family: set() for family in FILES}
    for folder in folders:
        for family, files in FILES.items():
            for file in files:
                path = folder / file
                if path.exists():
                    found = NAME.findall(COMMENT.sub(" ", path.read_text()))
                    names[family].update(n for n in found if not PRIVATE.search(n))
    names["driver"] -= names["runtime"]
    names["collectives"] -= names["runtime"] | names["driver"]
    return names


def cuda_name(name):
    for ours, theirs in PREFIXES:
        if name.startswith(ours):
            name = theirs + name[len(ours):]
            break
    for ours, theirs in WORDS:
        name = name.replace(ours, theirs)
    return name


def pairs(names, family):
    return [(cuda_name(n), n) for n in sorted(names[family])]
