#include "statics.h"

#include <fcntl.h>
#include <mtshmem.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" char __data_start, _end;

namespace shim {
namespace {

constexpr uintptr_t kPage = 4096;

uintptr_t gBegin = 0, gBytes = 0;
char* gHeap = nullptr;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// A descriptor of the file that is mapped at `place`, and where in it.
int fileAt(const void* place, uint64_t& offset) {
  const auto wanted = reinterpret_cast<uintptr_t>(place);
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    uintptr_t begin = 0, end = 0;
    uint64_t at = 0;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64, &begin, &end, &at) != 3) continue;
    if (wanted < begin || wanted >= end) continue;
    std::fclose(maps);
    offset = at + (wanted - begin);
    char name[96];
    std::snprintf(name, sizeof name, "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR, begin, end);
    return open(name, O_RDWR);
  }
  return -1;
}

}  // namespace

void shareStatics() {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(&__data_start) & ~(kPage - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(&_end) + kPage - 1) & ~(kPage - 1);
  gHeap = static_cast<char*>(mtshmem_align(kPage, end - begin));
  if (gHeap == nullptr) fail("no room for the program's variables");
  uint64_t offset = 0;
  const int file = fileAt(gHeap, offset);
  if (file < 0) fail("the symmetric heap's file");
  std::memcpy(gHeap, reinterpret_cast<void*>(begin), end - begin);
  void* const place = mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(offset));
  if (place == MAP_FAILED) fail("mmap");
  close(file);
  gBegin = begin, gBytes = end - begin;
  mtshmem_barrier_all();
}

void* symmetric(const void* address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (at - gBegin < gBytes) return gHeap + (at - gBegin);
  return const_cast<void*>(address);
}

}  // namespace shim
