// How the files of another CUDA toolkit are told, which must not get into the place of this SDK's. A folder
// may hold more than the toolkit (/usr/include, an environment of conda's), so names decide what is its.
#pragma once

#include <filesystem>
#include <string_view>

namespace musashim::mcc {

// A folder of -I. This SDK's has MUSA's headers beside CUDA's.
inline bool isOtherToolkitInclude(const std::filesystem::path& folder) {
  std::error_code error;
  const auto has = [&](const std::filesystem::path& where) {
    return std::filesystem::exists(where / "cuda_runtime_api.h", error) &&
           std::filesystem::exists(where / "driver_types.h", error) &&
           !std::filesystem::exists(where / "musa_runtime.h", error);
  };
  // CUDA 13 has CCCL in a folder of its own.
  return has(folder) || (folder.filename() == "cccl" && has(folder.parent_path()));
}

// A folder of -L.
inline bool isOtherToolkitLibraries(const std::filesystem::path& folder) {
  std::error_code error;
  const auto has = [&](const std::filesystem::path& where) {
    return (std::filesystem::exists(where / "libcudart.so", error) ||
            std::filesystem::exists(where / "libcudart_static.a", error)) &&
           !std::filesystem::exists(where / "libmusart.so", error);
  };
  return has(folder) || (folder.filename() == "stubs" && has(folder.parent_path()));
}

// A header of a CUDA toolkit or of what is installed into one, as #include names it.
inline bool isToolkitHeader(std::string_view name) {
  for (const std::string_view beginning : {"cuda",
                                           "cublas",
                                           "cufft",
                                           "curand",
                                           "cusolver",
                                           "cusparse",
                                           "cupti",
                                           "cudnn",
                                           "cufile",
                                           "cutensor",
                                           "cuComplex",
                                           "cudla",
                                           "cudss",
                                           "cuviddec",
                                           "nccl",
                                           "npp",
                                           "nvjpeg",
                                           "nvrtc",
                                           "nvml",
                                           "nvJitLink",
                                           "nvPTXCompiler",
                                           "nvToolsExt",
                                           "nvtx3/",
                                           "nvblas",
                                           "nvfunctional",
                                           "nvfatbin",
                                           "nvshmem",
                                           "nvcuvid",
                                           "nvperf",
                                           "nvvm.h",
                                           "nv/",
                                           "thrust/",
                                           "cub/",
                                           "cccl/",
                                           "crt/",
                                           "cooperative_groups",
                                           "sm_",
                                           "mma.h",
                                           "device_launch_parameters",
                                           "driver_types",
                                           "driver_functions",
                                           "vector_types",
                                           "vector_functions",
                                           "texture_",
                                           "surface_",
                                           "fatbinary_section",
                                           "library_types"}) {
    if (name.substr(0, beginning.size()) == beginning) return true;
  }
  return false;
}

// A library of one, as -l names it.
inline bool isToolkitLibrary(std::string_view name) {
  if (name == "cuda") return true;
  for (const std::string_view beginning :
       {"cudart", "cudadevrt", "cublas",  "cufft",     "curand",    "cusolver",   "cusparse",
        "cupti",  "cudnn",     "cufile",  "cutensor",  "cudla",     "cudss",      "nccl",
        "npp",    "nvjpeg",    "nvrtc",   "nvidia-ml", "nvJitLink", "nvToolsExt", "nvptxcompiler",
        "nvblas", "nvfatbin",  "nvshmem", "nvperf",    "nvvm",      "culibos"}) {
    if (name.substr(0, beginning.size()) == beginning) return true;
  }
  return false;
}

}  // namespace musashim::mcc
