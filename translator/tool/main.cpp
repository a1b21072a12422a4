#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
  mallopt(M_TOP_PAD, 4 << 20);
#endif
}

/// Small pages come one by one, when each is touched, and cost as much as the files whose findings go there.
void wantLargePage() {
#ifdef __GLIBC__
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
  constexpr std::size_t kOnHeap = std::size_t{100} << 10;
  void* const place = std::malloc(kOnHeap);
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(place) + kPage - 1) / kPage * kPage;
  const bool whole = first + kPage <= reinterpret_cast<std::uintptr_t>(sbrk(0));
  std::free(place);
  if (whole) madvise(reinterpret_cast<void*>(first), kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  namespace mt = musashim::translator;
  keepMemory();
  wantLargePage();
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
