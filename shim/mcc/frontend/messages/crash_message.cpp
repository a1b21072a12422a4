// LLVM's handlers print a text above what they know of a crash: not LLVM's, which asks to report it there.
#include "llvm/Support/PrettyStackTrace.h"
#include "mcc/issue_tracker.h"

namespace {

struct CrashMessage {
  CrashMessage() {
    llvm::setBugReportMsg(
        "The compiler crashed. Please report it to musashim's issue tracker, " MUSASHIM_ISSUE_TRACKER
        ", with the folder that mcc names below.\n");
  }
} crashMessage;

}  // namespace
