"""CUDA names for the names of our public headers (include/cuda_alias)."""
import re

# Parts of cuRAND's device interface that have headers of their own; what they declare is in murand_kernel.h. The last is
# spelled as the vendor's table has it.
RAND_PARTS = {f"curand_{part}.h": f"murand_{part}.h" for part in (
    "discrete", "discrete2", "globals", "lognormal", "mrg32k3a", "normal", "normal_static", "poisson", "precalc", "uniform")}
RAND_PARTS["curand_philox4x32_x.h"] = "murand_philox4x32_10.h"

# The header to write, the names it holds and what it includes.
HEADERS = (
    ("cuda_runtime_api.h", "runtime", ["musa_runtime_api.h", "crt/cuda_runtime_answers.h"]),
    ("cuda_runtime.h", "runtime", ["musa_runtime.h", "crt/cuda_runtime_answers.h"]),
    ("cuda_profiler_api.h", "runtime", ["musa_profiler_api.h", "crt/cuda_runtime_answers.h"]),
    ("cuda.h", "driver", ["musa.h", "crt/cuda_driver_answers.h"]),
    ("nccl.h", "collectives", ["mccl.h", "cuda_runtime.h"]),
    ("nccl_device.h", "collectives_device", ["mccl_device.h", "nccl.h"]),
    ("cuComplex.h", "complex", ["muComplex.h"]),
    ("cudaTypedefs.h", "typedefs", ["musaTypedefs.h", "cuda.h"]),
    ("cudaProfiler.h", None, ["musaProfiler.h", "cuda.h"]),
    ("cuda_device_runtime_api.h", None, ["cuda_runtime_api.h"]),
    ("cuda_occupancy.h", "occupancy", ["musa_occupancy.h", "cuda_runtime.h"]),
    ("math_constants.h", "math_constants", ["crt/math_constants.h"]),
    ("cuda_stdint.h", None, ["musa_stdint.h"]),
    ("cuda_texture_types.h", None, ["musa_texture_types.h", "cuda_runtime_api.h"]),
    ("cuda_surface_types.h", None, ["musa_surface_types.h", "cuda_runtime_api.h"]),
    ("cuda_fp16.h", "half", ["musa_fp16.h"]),
    ("cuda_bf16.h", "bfloat16", ["musa_bf16.h"]),
    ("cuda_fp8.h", "fp8", ["musa_fp8.h"]),
    ("cublas_api.h", "blas", ["mublas.h", "cuda_runtime_api.h", "cuComplex.h", "cuda_fp16.h", "cuda_bf16.h"]),
    ("cublas_v2.h", None, ["cublas_api.h"]),
    ("cublas.h", "blas_legacy", ["mublas_legacy.h", "cublas_api.h"]),
    ("cublasLt.h", "blaslt", ["mublasLt.h", "cublas_api.h"]),
    ("cublasXt.h", "blasxt", ["mublasXt.h", "cublas_v2.h"]),
    ("cufft.h", "fft", ["mufft.h", "cuComplex.h", "cuda_runtime_api.h"]),
    ("cufftXt.h", None, ["mufftXt.h", "cufft.h"]),
    ("cufftw.h", "fftw", ["mufftw.h", "cufft.h"]),
    ("cusolverDn.h", "solver", ["musolverDn.h", "cublas_v2.h"]),
    ("cusolver_common.h", None, ["cusolverDn.h"]),
    ("cusolverSp.h", "solver_sparse", ["musolverSp.h", "cusolverDn.h", "cusparse.h"]),
    ("cusolverSp_LOWLEVEL_PREVIEW.h", "solver_lowlevel", ["musolverSp_LOWLEVEL_PREVIEW.h", "cusolverSp.h"]),
    ("cusolverRf.h", "solver_refactorisation", ["musolverRf.h", "cusolverDn.h"]),
    ("cusparse.h", "sparse", ["musparse.h", "cuda_runtime_api.h", "cuComplex.h"]),
    ("cusparse_v2.h", None, ["cusparse.h"]),
    ("curand.h", "rand", ["murand.h", "cuda_runtime.h"]),
    ("curand_kernel.h", "rand_kernel", ["murand_kernel.h", "curand.h"]),
    ("curand_mtgp32.h", "rand_mtgp32", ["murand_mtgp32.h"]),
    ("curand_mtgp32dc_p_11213.h", None, ["murand_mtgp32dc_p_11213.h", "curand_mtgp32.h"]),
    ("curand_mtgp32_kernel.h", None, ["curand_kernel.h", "curand_mtgp32.h"]),
    ("curand_mtgp32_host.h", "rand_mtgp32_host", ["murand_mtgp32_host.h", "curand.h", "curand_mtgp32.h"]),
    ("cudnn.h", "dnn", ["mudnn.h", "cuda_runtime_api.h"]),
    ("cudnn_version.h", None, ["cudnn.h"]),
    ("cudnn_ops.h", None, ["cudnn.h"]),
    ("cudnn_cnn.h", None, ["cudnn.h"]),
    ("cudnn_graph.h", None, ["cudnn.h"]),
    ("cudnn_backend.h", None, ["cudnn.h"]),
    ("cudnn_adv.h", None, ["cudnn.h"]),
    ("nvrtc.h", "rtc", ["mtrtc.h"]),
    ("cufile.h", None, ["cuda.h", "crt/cufile_api.h"]),
    ("cuda_awbarrier_primitives.h", None, ["musa_awbarrier_primitives.h"]),
    ("cuda_pipeline_primitives.h", None, ["musa_pipeline_primitives.h"]),
    *((theirs, None, ["curand_kernel.h", ours]) for theirs, ours in RAND_PARTS.items()),
)

# Headers of CUDA's namespaces: the header to write, what it includes, the namespace and ours.
NAMESPACES = (
    ("cuda_awbarrier.h", "musa_awbarrier.h", "nvcuda", "mtmusa"),
    ("cuda_pipeline.h", "musa_pipeline.h", "nvcuda", "mtmusa"),
    ("nvfunctional", "mtfunctional", "nvstd", "mtstd"),
    ("cuda/barrier", "musa/barrier", "cuda", "musa"),
    ("cuda/pipeline", "musa/pipeline", "cuda", "musa"),
)

FILES = {
    "runtime": ("driver_types.h", "device_types.h", "library_types.h", "musa_runtime_api.h", "musa_runtime.h",
                "crt/runtime_copy_types.h", "crt/runtime_device_types.h", "crt/runtime_graph_types.h",
                "crt/runtime_image_types.h", "crt/runtime_launch_types.h", "crt/runtime_memory_types.h",
                "crt/runtime_external_types.h", "crt/runtime_option_types.h", "crt/graphics_resources.h", "runtime_enums.h", "runtime_functions.h"),
    "driver": ("musa.h", "crt/driver_copy_types.h", "crt/driver_device_types.h", "crt/driver_graph_types.h",
               "crt/driver_image_types.h", "crt/driver_launch_types.h", "crt/driver_memory_types.h",
               "crt/driver_vmm_types.h", "crt/driver_foreign_types.h", "crt/driver_reference_types.h", "crt/driver_external_types.h",
               "crt/driver_option_types.h", "crt/driver_versioned_types.h", "driver_enums.h", "driver_functions.h"),
    "collectives": ("mccl.h",),
    "collectives_device": ("mccl_device.h", "mccl_device/core.h", "mccl_device/teams.h", "mccl_device/coop.h", "mccl_device/ptr.h",
                           "mccl_device/lsa_barrier.h", "mccl_device/gin.h", "mccl_device/barrier.h"),
    "complex": ("muComplex.h",),
    "occupancy": ("musa_occupancy.h",),
    "math_constants": ("crt/math_constants.h",),
    "typedefs": ("musaTypedefs.h",),
    "rand": ("murand.h", "murand_functions.h"),
    "rand_kernel": ("murand_kernel.h", "crt/random_distributions.h", "crt/random_mrg32k3a.h", "crt/random_philox.h",
                    "crt/random_poisson.h", "crt/random_sobol.h", "crt/random_xorwow.h", "crt/random_discrete.h",
                    "murand_mtgp32_kernel.h"),
    "rand_mtgp32": ("murand_mtgp32.h",),
    "rand_mtgp32_host": ("murand_mtgp32_host.h",),
    "rtc": ("mtrtc.h", "mtrtc_functions.h"),
    "dnn": ("mudnn.h", "crt/mudnn_graph_types.h", "crt/mudnn_version.h", "crt/mudnn_sequences.h", "mudnn_backend_enums.h", "mudnn_functions.h"),
    "half": ("musa_fp16.h",),
    "bfloat16": ("musa_bf16.h",),
    "blas": ("mublas.h", "internal/mublas_types.h", "mublas_functions.h"),
    "blaslt": ("mublasLt.h", "crt/blaslt_shapes.h", "mublasLt_functions.h"),
    "blasxt": ("mublasXt.h", "mublas_xt_functions.h"),
    "blas_legacy": ("mublas_legacy.h",),
    "fft": ("mufft.h", "mufftXt.h", "crt/fft_descriptors.h", "mufft_functions.h"),
    "fftw": (),  # FFTW's own names
    "solver": ("musolver_common.h", "musolverDn.h", "musolver_functions.h"),
    "solver_lowlevel": ("musolverSp_LOWLEVEL_PREVIEW.h", "musolver_lowlevel_functions.h"),
    "solver_refactorisation": ("musolverRf.h", "musolver_refactorisation_functions.h"),
    "solver_sparse": ("musolverSp.h", "musolver_sparse_functions.h"),
    "sparse": ("musparse.h", "musparse_functions.h"),
    "fp8": ("musa_fp8.h", "crt/fp8_e8m0.h"),
}

# Spellings of CUDA's functions that crt/cuda_*_answers.h have.
SPELLINGS = {"cudaGetDeviceProperties_v2"}

# Versions of CUDA's headers, by library and by family. musa_detail/cuda_*_functions.h have them, and the headers
# that scripts look for them in.
VERSIONS = {"musart": "CUDART_VERSION", "musa": "CUDA_VERSION"}
VERSION_OF = {"runtime": "CUDART_VERSION", "driver": "CUDA_VERSION"}

# Types that CUDA's runtime has had since a version: programs for earlier ones give them these names themselves.
SINCE = {"cudaJitOption": 12080, "cudaLibraryOption": 12080}

# Names that differ by more than their beginnings.
EXTRA = {"runtime": {"__MUSA_RUNTIME_H__": ["__CUDA_RUNTIME_H__"], "__MUSA_RUNTIME_API_H__": ["__CUDA_RUNTIME_API_H__"]},
         "driver": {"__musa_musa_h__": ["__cuda_cuda_h__"]},
         "rtc": {"MTRTC_H_": ["__NVRTC_H__"]},
         "dnn": {"MUDNN_H_": ["CUDNN_H_"], "MUDNNWINAPI": ["CUDNNWINAPI"]},
         "rand": {"MURAND_H_": ["CURAND_H_"]},
         "blas": {"MUBLAS_API_H_": ["CUBLAS_API_H_", "CUBLAS_V2_H_"]},  # programs ask for these
         "fft": {"_MUFFT_H_": ["_CUFFT_H_"]},
         "fftw": {"_MUFFTW_H_": ["_CUFFTW_H_"]},
         "solver": {"MUSOLVER_COMMON_H_": ["CUSOLVER_COMMON_H_"], "MUSOLVERDN_H_": ["CUSOLVERDN_H_"]},
         "solver_sparse": {"MUSOLVERSP_H_": ["CUSOLVERSP_H_"]},
         "sparse": {"MUSPARSE_H_": ["CUSPARSE_H_"], "MUSPARSEAPI": ["CUSPARSEAPI"]},
         "half": {"__half": ["nv_half", "__nv_half"], "__half2": ["nv_half2", "__nv_half2"]}}

# Of the driver: what musaport leaves as it is (translator/mappings/driver.yml), as MUSA's interface is another one.
KEPT = re.compile(r"^(CUtensorMap|cuTensorMap|CU_TENSOR_MAP)")

# Longest first within a family: what a name of ours begins with, and CUDA's.
PREFIXES = (
    ("mtrtc", "nvrtc"), ("MTRTC_", "NVRTC_"),
    ("make_musa", "make_cuda"), ("make_mu", "make_cu"), ("PFN_mu", "PFN_cu"), ("__musa_cvt", "__nv_cvt"), ("__mt", "__nv"), ("__MT", "__NV"),
    ("mt_", "nv_"), ("MUSART_", "CUDART_"), ("MUSA_", "CUDA_"), ("musa", "cuda"),
    ("MCCL_", "NCCL_"), ("mccl", "nccl"), ("pmccl", "pnccl"), ("muuint", "cuuint"),
    ("MU_", "CU_"), ("MU", "CU"), ("mu", "cu"),
)

# Words inside names that differ as well.
WORDS = (("Mtlink", "Nvlink"), ("MTLINK", "NVLINK"), ("MusartUnloading", "CudartUnloading"), ("MusartVersion", "CudartVersion"),
         ("MusaArray", "CudaArray"), ("MUSA_ARRAY", "CUDA_ARRAY"), ("MUSA_VMM", "CUDA_VMM"),
         ("MUCONTEXT", "CUCONTEXT"), ("CommMuDevice", "CommCuDevice"), ("LEGACY_MUSA", "LEGACY_CUDA"),
         ("UnhandledMusaError", "UnhandledCudaError"), ("MusaGraph", "CudaGraph"), ("MUSA_GRAPH", "CUDA_GRAPH"),
         ("INCOMPATIBLE_MUSART", "INCOMPATIBLE_CUDART"), ("INCOMPATIBLE_MUSA", "INCOMPATIBLE_CUDA"), ("FAILED_MUSART", "FAILED_CUDART"),
         ("FAILED_MUSA", "FAILED_CUDA"), ("FAILED_MUBLAS", "FAILED_CUBLAS"), ("FAILED_MURAND", "FAILED_CURAND"),
         ("MtSci", "NvSci"), ("MTSCI", "NVSCI"))

NAME = re.compile(r"\b(?:make_mu(?:sa)?[A-Z]\w*|PFN_mu[A-Z]\w*|__musa_cvt_\w+|(?:__mt|__MT|mt)_\w*[A-Za-z0-9]|MUSART_[A-Z0-9]\w*|MUSA_[A-Z]\w*|musa[A-Z]\w*|p?mccl[A-Z]\w*|MCCL_\w+"
                  r"|mtrtc[A-Z]\w*|MTRTC_[A-Z]\w*|MUGPUDirect\w+|muuint\d+_t|MU_[A-Z]\w*|MU[a-z]\w*|mu[A-Z]\w*"
                  r"|mu(?:blas|fft|rand|solver|sparse|dnn)[A-Z]\w*|MU(?:BLAS|BLASLT|BLASXT|FFT|RAND|SOLVER|SOLVERDN|SOLVERRF|SPARSE|DNN)_\w+|murand(?:[0-9]|_\w+)?)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|#include[^\n]*", re.S)
PRIVATE = re.compile(r"^(musashim|MUSASHIM|Musashim|MUSART_DEFAULT$|MCCL_H_$|MUSART_CB$|MUSA_API_PER_THREAD_DEFAULT_STREAM$)|_H_?$")


def pasted(text):
    """muCreal##f stands for a function of doubles and one of floats, __mt_fp8_##kind for one of each kind."""
    text = re.sub(r"(\bmuC\w+)##f\b", r"\1 \1f", text)
    return re.sub(r"(__mt_fp8(?:x\d)?_)##\w+", r"\1e4m3 \1e5m2", text)


def public_names(folders):
    names = {family: set() for family in FILES}
    for folder in folders:
        for family, files in FILES.items():
            for file in files:
                path = folder / file
                if path.exists():
                    found = NAME.findall(pasted(COMMENT.sub(" ", path.read_text())))
                    names[family].update(n for n in found if not PRIVATE.search(n))
    names["collectives"] -= names["runtime"] | names["driver"]
    names["collectives_device"] -= names["collectives"] | names["runtime"] | names["driver"]
    names["rand_kernel"] -= names["rand"]
    names["rand_mtgp32_host"] -= names["rand"] | names["rand_mtgp32"]
    names["typedefs"] = {n for n in names["typedefs"] if n.startswith("PFN_")}
    return names


def cuda_name(name):
    for ours, theirs in PREFIXES:
        if name.startswith(ours):
            name = theirs + name[len(ours):]
            break
    for ours, theirs in WORDS:
        name = name.replace(ours, theirs)
    return name


def pairs(names, family, own=()):
    """`own`: CUDA's names that are functions of ours."""
    if family is None:
        return []
    extra = [(theirs, ours) for ours, all_theirs in EXTRA.get(family, {}).items() for theirs in all_theirs]
    return [(cuda_name(n), n) for n in sorted(names[family]) if cuda_name(n) not in own] + extra


def dnn_version(headers):
    text = (headers / "crt/mudnn_version.h").read_text()
    return [(f"CUDNN_{part}", re.search(rf"#define MUDNN_{part} (\d+)", text).group(1)) for part in ("MAJOR", "MINOR", "PATCHLEVEL")]


def source_names(names, headers):
    """[(list, values)] of what tells MUSA's sources from CUDA's: names and headers that one has and the other has not. `headers`: the folder of ours."""
    both = [pair for _, family, _ in HEADERS for pair in pairs(names, family)] + [(theirs, ours) for *_, theirs, ours in NAMESPACES if theirs != "cuda"]
    theirs, ours = ({pair[side] for pair in both} for side in (0, 1))
    their_headers = {header for header, *_ in HEADERS + NAMESPACES}
    our_headers = {included for _, _, include in HEADERS for included in include} | {included for _, included, *_ in NAMESPACES}
    return [("kCudaNames", sorted(theirs - ours)), ("kMusaNames", sorted(ours - theirs)),
            ("kCudaHeaders", sorted(h for h in their_headers if not (headers / h).exists())),
            ("kMusaHeaders", sorted(h for h in our_headers - their_headers if not h.startswith("crt/")))]


def kept_pairs(names):
    return [pair for pair in pairs(names, "driver") if KEPT.match(pair[0])]
