#include <malloc.h>

#include <cstdio>
#include <exception>

#include "translator/lib/error.h"
#include "translator/tool/arguments.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/run.h"

namespace {

/// The system clears what is given back before it gives it again, which costs more than most files do.
void keepMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  namespace mt = musashim::translator;
  keepMemory();
  mt::Arguments arguments;
  int exitCode = mt::kExitError;
  if (!mt::parseArguments(argc, argv, arguments, exitCode)) return exitCode;
  mt::catchInterrupts();
  try {
    return mt::run(arguments);
  } catch (const mt::Interrupted& stop) {
    std::fprintf(stderr, "musaport: %s\n", stop.what());
    return mt::kExitInterrupted;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "musaport: %s\n", error.what());
    return mt::kExitError;
  }
}
