#include "metrics_options.h"

#include "llvm/Support/CommandLine.h"

namespace musashim::mcc {
namespace {

llvm::cl::opt<bool> profile("musa-profile", llvm::cl::desc("Count what MUSA kernels do"), llvm::cl::Hidden);

}  // namespace

bool profilesKernels() { return profile; }

}  // namespace musashim::mcc
