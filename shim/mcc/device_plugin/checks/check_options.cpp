#include "check_options.h"

#include "llvm/Support/CommandLine.h"

namespace musashim::mcc {
namespace {

llvm::cl::opt<unsigned> checks("musa-check", llvm::cl::desc("Checks of MUSA device code, as bits"),
                               llvm::cl::init(0), llvm::cl::Hidden);
llvm::cl::opt<std::string> sdk("musa-check-sdk", llvm::cl::desc("Headers that reports do not name"),
                               llvm::cl::Hidden);

}  // namespace

uint8_t enabledChecks() { return static_cast<uint8_t>(checks.getValue()); }
std::string checkSdkFolder() { return sdk; }

}  // namespace musashim::mcc
