#include "missing_headers.h"

#include <dlfcn.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

struct Family {
  StringRef prefix;  // of the name in #include
  StringRef library;
};

// Libraries that are here, with the headers to include; another name is no header of theirs.
constexpr Family kPresent[] = {
    {"mublas", "muBLAS: its headers are mublas.h, mublasLt.h and mublasXt.h"},
    {"mudnn", "muDNN: its headers are mudnn.h and mudnncxx/mudnn.h"},
    {"mufft", "muFFT: its headers are mufft.h, mufftXt.h and mufftw.h"},
    {"mupti", "MUPTI: mupti.h includes all of its headers"},
    {"murand", "muRAND: its headers are murand.h and, for kernels, murand_kernel.h"},
    {"musolverMg", ""},  // not here, see below
    {"musolver", "muSOLVER: its headers are musolverDn.h, musolverSp.h and musolverRf.h"},
    {"musparse", "muSPARSE: its header is musparse.h"},
    {"mtshmem", "MTSHMEM: its headers are mtshmem.h and mtshmemx.h"},
};

// Of the vendor's SDK.
constexpr Family kVendors[] = {
    {"musolverMg", "muSOLVER for several devices"},
    {"mtjpeg", "mtJPEG"},
    {"mtpp", "MTPP"},
};

// Of this SDK, but beyond its core, which may be built alone: who has the file has the headers.
struct Part {
  StringRef prefix;
  StringRef library;
  StringRef file;
};
constexpr Part kBeyondCore[] = {
    {"mtshmem", "MTSHMEM", "include/mtshmem.h"},
    {"nvshmem", "MTSHMEM", "include/mtshmem.h"},
    {"mtml.h", "MTML", "include/mtml.h"},
    {"nvml.h", "MTML", "include/mtml.h"},
    {"mupti", "MUPTI", "include/mupti.h"},
    {"cupti", "MUPTI", "include/mupti.h"},
    {"thrust/", "Thrust", "include/cccl-2.8.2"},
    {"cub/", "CUB", "include/cccl-2.8.2"},
    {"musa/std/", "libmusacxx", "include/cccl-2.8.2"},
};

// Templates only: a ported copy will do.
constexpr Family kTemplates[] = {
    {"mutlass/", "MUTLASS"},
    {"mute/", "MUTLASS"},
};

// In the SDK in one version, complete in another (shim/cccl), or in neither when it was built without their
// packages.
constexpr Family kPorted[] = {
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"musa/", "libmusacxx"},
};

// Their exact names: a project may well have a cuda_helpers.h of its own.
constexpr StringRef kNvidias[] = {"cuda.h",          "cuda_runtime.h", "cuda_runtime_api.h",
                                  "cuda_fp16.h",     "cuda_bf16.h",    "cublas_v2.h",
                                  "curand_kernel.h", "nccl.h",         "nvrtc.h"};

template <size_t N>
StringRef libraryOf(const Family (&families)[N], StringRef header) {
  for (const Family& family : families) {
    if (header.starts_with(family.prefix)) return family.library;
  }
  return {};
}

// The library of a header that this SDK was built without; the plugin lies in <SDK>/lib/musashim.
StringRef notBuilt(StringRef header) {
  for (const Part& part : kBeyondCore) {
    Dl_info plugin;
    if (!header.starts_with(part.prefix) || !dladdr(&kBeyondCore, &plugin)) continue;
    const StringRef sdk = llvm::sys::path::parent_path(
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(plugin.dli_fname)));
    llvm::SmallString<128> file = sdk;
    llvm::sys::path::append(file, part.file);
    return llvm::sys::fs::exists(file) ? StringRef() : part.library;
  }
  return {};
}

}  // namespace

std::string missingHeaderAdvice(StringRef header) {
  if (const StringRef library = notBuilt(header); !library.empty())
    return ("it is a header of " + library +
            ", which is not built in this SDK: ./scripts/quickstart --all builds all of it")
        .str();
  if (const StringRef library = libraryOf(kTemplates, header); !library.empty())
    return ("it is a header of " + library + ", which musashim does not have; -I can name a ported copy")
        .str();
  if (const StringRef library = libraryOf(kPorted, header); !library.empty())
    return ("it is a header of " + library +
            " that is not in this SDK; -isystem $MUSA_PATH/include/cccl-2.8.2 has a later version of all")
        .str();
  if (const StringRef library = libraryOf(kPresent, header); !library.empty())
    return ("this SDK's " + library).str();
  if (const StringRef library = libraryOf(kVendors, header); !library.empty())
    return (library +
            " is a library of the vendor's SDK that musashim does not have; build without what needs it")
        .str();
  if (header == "omp.h") return "it is clang's OpenMP: install Debian's package libomp-19-dev";
  if (header.starts_with("cudnn")) return "muDNN has no such part of cuDNN's: it has mudnn.h (cudnn.h)";
  if (header.starts_with("nvtx") || header.starts_with("nvToolsExt"))
    return "it is one of NVTX's extensions, which musashim does not have; leave out under __MUSACC__ what "
           "needs it";
  if (llvm::is_contained(kNvidias, header))
    return "port the sources with musaport, or compile them with -x cuda";
  return {};
}

}  // namespace musashim::mcc
