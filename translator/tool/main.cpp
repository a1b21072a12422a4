#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "translator/lib/error.h"
#include "translator/tool/arguments.h"
#include "translator/tool/commands/command.h"
#include "translator/tool/commands/filter.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/run.h"

namespace {

#ifdef __GLIBC__

void* volatile kept[2];  // else the compiler leaves out what is not used, and leak checkers find it lost

/// Lets what is allocated next come from a page of 2 MiB where the system has them: hundreds of small ones
/// cost more than it takes to read as many files.
void enlargePages() {
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20, kHeaders = 64;
  kept[0] = std::malloc(kHeaders);
  const auto here = reinterpret_cast<std::uintptr_t>(kept[0]);
  const std::uintptr_t page = (here / kPage + 1) * kPage;
  if (page - here > 2 * kHeaders) kept[1] = std::malloc(page - here - 2 * kHeaders);  // never touched
  void* volatile inPage = std::malloc(kPage + kHeaders);
  madvise(reinterpret_cast<void*>(page), kPage, MADV_HUGEPAGE);  // a wish
  std::free(inPage);
}

#endif

/// The system clears what is given back before it gives it again, which costs more than most files do.
void keepMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
  enlargePages();
#endif
}

}  // namespace

int main(int argc, char** argv) {
  namespace mt = musashim::translator;
  keepMemory();
  mt::Arguments arguments;
  int exitCode = mt::kExitError;
  try {
    if (const auto done = mt::runCommand(argc, argv)) return *done;
    if (!mt::parseArguments(argc, argv, arguments, exitCode)) return exitCode;
    if (arguments.filters()) return mt::runFilter(arguments);
    mt::catchInterrupts();
    return mt::run(arguments);
  } catch (const mt::Interrupted& stop) {
    std::fprintf(stderr, "musaport: %s\n", stop.what());
    return mt::kExitInterrupted;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "musaport: %s\n", error.what());
    return mt::kExitError;
  }
}
