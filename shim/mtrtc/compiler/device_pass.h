// mcc's device pass within this process: clang and mcc's plugin on texts in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mtrtc {

// The arguments of `clang -cc1` that all programs of the same language options share, and what these make of
// the SDK's headers.
struct Dialect {
  std::vector<std::string> arguments;            // without what concerns a program
  std::vector<std::string> codeGeneration;       // of them, what matters once there is bitcode
  std::string prelude;                           // to be included where it was not precompiled
  std::unique_ptr<llvm::MemoryBuffer> compiled;  // null: it could not be
  llvm::StringSet<> asked;                       // macros that it has asked for
};

// The dialect of a request for `arch`, made when it is asked for first. Null, with `log`, when mcc refuses
// the options.
const Dialect* findDialect(const mcc::Toolchain& toolchain, const CompileRequest& request, uint32_t arch,
                           std::string& log);

struct PassResult {
  Outcome outcome = Outcome::kInternalError;
  std::string object;  // or bitcode, of a unit
  std::vector<std::string> lowered;
  std::vector<std::string> files;
  bool archUsed = false;
};

// `otherArchs`: those that the code is to serve as well, if it does not depend on its architecture.
void runDevicePass(const mcc::Toolchain& toolchain, const CompileRequest& request, const Dialect& dialect,
                   uint32_t arch, const std::vector<uint32_t>& otherArchs, std::string& log,
                   PassResult& result);

}  // namespace musashim::mtrtc
