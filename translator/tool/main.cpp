#include <cstdio>
#include <exception>

#include "translator/lib/error.h"
#include "translator/tool/arguments.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/run.h"

int main(int argc, char** argv) {
  namespace mt = musashim::translator;
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
