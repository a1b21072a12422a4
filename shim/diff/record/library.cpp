// Calls of the libraries for mathematics and collectives, each as one event: what it does with kernels,
// copies and memory of its own is not told. Their functions are found here first, as this library is
// preloaded, on either side.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "recorder.h"

namespace musashim::record {
namespace {

// Finds a library's function by either name.
void find(void*& real, const char* ours, const char* theirs) {
  if (real == nullptr) real = dlsym(RTLD_NEXT, ours);
  if (real == nullptr) real = dlsym(RTLD_NEXT, theirs);
  if (real != nullptr) return;
  std::fprintf(stderr, "musashim-record: no library of this program has %s or %s\n", ours, theirs);
  std::abort();
}

std::vector<const void*> pointersOf(std::initializer_list<long> words) {
  std::vector<const void*> pointers;
  for (const long word : words) pointers.push_back(reinterpret_cast<const void*>(word));
  return pointers;
}

class LibraryCall {
 public:
  // `anywhere`: what it works on is behind its arguments, which point to no memory.
  LibraryCall(void*& real, const char* ours, const char* theirs, bool anywhere,
              std::initializer_list<long> words)
      : recorder_(depth == 0 ? Recorder::get() : nullptr) {
    find(real, ours, theirs);
    const std::vector<const void*> pointers = pointersOf(words);
    if (recorder_ != nullptr) recorder_->beginCall("library", ours, anywhere ? nullptr : &pointers, nullptr);
    ++depth;
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  long end(long result) {
    --depth;
    // All of them have statuses of 32 bits, 0 for success.
    if (recorder_ != nullptr) recorder_->end(static_cast<int>(result) == 0);
    return result;
  }

 private:
  Recorder* recorder_;
};

thread_local int groups = 0;  // that are open

// Work of a group begins when the group ends.
class CollectiveCall {
 public:
  CollectiveCall(void*& real, const char* ours, const char* theirs, std::initializer_list<long> words)
      : recorder_(depth == 0 ? Recorder::get() : nullptr) {
    find(real, ours, theirs);
    if (recorder_ != nullptr) recorder_->beginCollective(ours, pointersOf(words));
    ++depth;
  }
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

  long end(long result) {
    --depth;
    if (recorder_ != nullptr && groups == 0) recorder_->endCollectives();
    return result;
  }

 private:
  Recorder* recorder_;
};

}  // namespace
}  // namespace musashim::record

using namespace musashim::record;

#define ENTRY extern "C" __attribute__((visibility("default")))
#include "library_calls.inc"

ENTRY long mcclGroupStart() {
  static void* real;
  find(real, "mcclGroupStart", "ncclGroupStart");
  ++groups;
  return reinterpret_cast<long (*)()>(real)();
}
ENTRY long ncclGroupStart() __attribute__((alias("mcclGroupStart")));

ENTRY long mcclGroupEnd() {
  static void* real;
  find(real, "mcclGroupEnd", "ncclGroupEnd");
  ++depth;
  const long result = reinterpret_cast<long (*)()>(real)();
  --depth;
  if (--groups == 0 && depth == 0 && Recorder::get() != nullptr) Recorder::get()->endCollectives();
  return result;
}
ENTRY long ncclGroupEnd() __attribute__((alias("mcclGroupEnd")));
