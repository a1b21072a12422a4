// The options of mtrtcCompileProgram: NVRTC's in all their spellings, and those of mcc that mean something
// here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::mtrtc {

struct CompileOptions {
  std::vector<uint32_t> archs;        // __MUSA_ARCH__ values; empty: all
  std::vector<std::string> language;  // mcc's, CompileRequest::language
  std::vector<std::string> frontend;  // CompileRequest::frontend
  bool defaultDevice = false;
  bool relocatable = false;  // the last of -rdc=, -dc and their like
  bool useCache = true;
};

// False for options that are none, or wrong: `log` says which, why and what would be right. `isCuda`:
// NVIDIA's architectures stand for all of MUSA's.
bool parseOptions(const std::vector<std::string>& given, bool isCuda, CompileOptions& options,
                  std::string& log);

// The architectures there are, as MTRTC numbers them: 31 for mp_31.
const std::vector<int>& supportedArchs();

// Those that NVRTC's place is taken for: up to the compute capability of the CUDA face, which __CUDA_ARCH__
// is, whichever a program is compiled for.
const std::vector<int>& cudaArchs();

}  // namespace musashim::mtrtc
